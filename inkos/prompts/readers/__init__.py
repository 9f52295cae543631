"""Tolerant readers: from a model's raw reply to a paper, or to the one fault that a re-ask names; they know no service.

Each `read_…(reply text, …) -> Read[paper]`. Reading never fails with an exception, never takes a value that the text
does not hold, and notes everything that it repaired, mapped or dropped."""

from inkos.prompts.readers.audit import read_audit
from inkos.prompts.readers.draft import read_draft
from inkos.prompts.readers.found import read_extension, read_found, read_outline
from inkos.prompts.readers.ladder import read_object
from inkos.prompts.readers.merge import merge
from inkos.prompts.readers.plan import read_plan
from inkos.prompts.readers.read import Read
from inkos.prompts.readers.revise import read_length, read_revise
from inkos.prompts.readers.settle import read_again, read_settle

__all__ = [
    "Read",
    "merge",
    "read_again",
    "read_audit",
    "read_draft",
    "read_extension",
    "read_found",
    "read_length",
    "read_object",
    "read_outline",
    "read_plan",
    "read_revise",
    "read_settle",
]
