"""The prompt texts of one language, ready to be filled in; does not know books or where templates lie on disk.

Templates are the house's or an author's override; whatever a book, a brief or a model says is a value and is never read
as a template. A task's template has three parts: its heading with the material, the rules, the reply contract. An
override takes the place of the rules only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from jinja2 import DictLoader, StrictUndefined, TemplateError
from jinja2.sandbox import SandboxedEnvironment

from inkos.errors import UsageFault
from inkos.messages import Language, Messages
from inkos.records import digest

TASKS = ("found", "outline", "plan", "draft", "settle", "audit", "revise", "again", "length", "extend")
# From this line on a task's text is the contract of its reply, which nobody overrides.
CONTRACT: dict[Language, str] = {"zh": "回答约定", "en": "Reply"}


class TaskParts(NamedTuple):
    """`head`: heading and material sections; `rules`: what an author may replace; `contract`: the form of the reply."""

    head: str
    rules: str
    contract: str


def task_parts(name: str, template: str, language: Language) -> TaskParts:
    """Take a task's template apart. found and outline have a heading line and no material of their own."""
    lines = template.strip("\n").split("\n")
    ends = [n for n, line in enumerate(lines) if line.startswith(CONTRACT[language])]
    end = ends[0] if ends else len(lines)
    blank = [n for n, line in enumerate(lines[:end]) if not line.strip()]
    start = 1 if name in ("found", "outline") else (blank[0] + 1 if blank else 1)
    return TaskParts("\n".join(lines[:start]), "\n".join(lines[start:end]).rstrip("\n"), "\n".join(lines[end:]))


def overridden(name: str, template: str, override: str, language: Language) -> str:
    """The task's template with an author's rules in place of the house's; a contract in the override is left out."""
    parts = task_parts(name, template, language)
    lines = _COPIED.sub("", override.lstrip("\ufeff")).strip("\n").split("\n")
    own = [n for n, line in enumerate(lines) if line.startswith(CONTRACT[language])]
    rules = "\n".join(lines[: own[0]] if own else lines).strip("\n")
    return f"{parts.head}\n{rules}\n\n{parts.contract}\n"


_COPIED = re.compile(r"\A<!-- house [0-9a-f]{12} -->[^\n]*\n?")


def marked(rules: str, named: str) -> str:
    """The house's rules as a file for their author's changes; the first line says which rules they were, and is not
    part of the prompt."""
    return f"<!-- house {named} -->\n{rules}\n"


def _task_of(key: str) -> str:
    """`prompts/draft.md`, `zh/draft.j2` and `draft` all mean the draft."""
    return re.split(r"[/\\]", key)[-1].split(".", 1)[0]


class Kit:
    """Templates, labels and the audit's question bank in one language. Built once, never changed."""

    def __init__(
        self, language: Language, templates: Mapping[str, str], labels: Messages, bank: Mapping[str, object]
    ) -> None:
        self.language: Language = language
        self.labels = labels
        self.bank = bank
        self.sources: dict[str, str] = dict(templates)
        self._environment = SandboxedEnvironment(
            loader=DictLoader(self.sources),
            undefined=StrictUndefined,
            autoescape=False,
            keep_trailing_newline=False,
            trim_blocks=True,
        )

    @classmethod
    def build(
        cls,
        language: Language,
        templates: Mapping[str, str],
        bank: Mapping[str, Mapping[str, object]],
        labels: Mapping[str, Mapping[str, object]],
        overrides: Mapping[str, str] = {},
    ) -> Kit:
        """`templates`: `zh/plan.j2` → text; `bank`: `zh` → questions; `labels`: `zh/labels` → words, for all languages;
        `overrides`: a task's name or file → the author's rules. UsageFault `prompt-override` names an override that is
        no task's or cannot be read as a template."""
        mine = {
            name.removeprefix(f"{language}/").removesuffix(".j2"): text
            for name, text in templates.items()
            if name.startswith(f"{language}/")
        }
        for key, text in overrides.items():
            task = _task_of(key)
            if task not in TASKS:
                raise UsageFault("prompt-override", where=f"prompts/{key}", detail=", ".join(TASKS))
            mine[task] = overridden(task, mine[task], text, language)
        kit = cls(language, mine, Messages(language, labels[f"{language}/labels"]), bank[language])
        for key in overrides:
            kit._check(_task_of(key), key)
        return kit

    def _check(self, task: str, key: str) -> None:
        try:
            self._environment.get_template(task)
        except TemplateError as error:
            raise UsageFault("prompt-override", where=f"prompts/{key}", detail=str(error)) from error

    def parts(self, task: str) -> TaskParts:
        return task_parts(task, self.sources[task], self.language)

    def digests(self) -> dict[str, str]:
        """Twelve digits for the rules of each task, as they are in force."""
        return {task: digest(self.parts(task).rules)[:12] for task in TASKS}

    def say(self, code: str, /, **values: object) -> str:
        """A label or short text of the kit, with its fields filled in."""
        return self.labels.say(code, **values)

    def sentences(self, parts: Iterable[str]) -> str:
        """Parts joined as sentences, the last without its full stop; one that ends with a mark of its own gets none."""
        stop = self.say("stop")
        text = ""
        for part in (part.strip() for part in parts):
            if not part.rstrip("。. "):
                continue
            marked = text.rstrip("”’」』\"'")[-1:] in set("？?！!…。.")
            text += (stop.lstrip("。.") if marked else stop) if text else ""
            text += part.rstrip("。. ")
        return text

    @property
    def none(self) -> str:
        """What stands in a section that has nothing in it."""
        return self.say("none")

    def render(self, name: str, **values: object) -> str:
        """A template filled in. An undefined placeholder is a bug in the house's templates, and a UsageFault where the
        author's override has it."""
        try:
            return self._environment.get_template(name).render(values).strip("\n")
        except TemplateError as error:
            raise UsageFault("prompt-override", where=f"prompts/{name}", detail=str(error)) from error
