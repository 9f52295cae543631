"""A run as a recording: each request's digest with its reply, prose masked unless asked for; knows no file, no key."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator

from inkos.ports import Reply, RunStore
from inkos.runs.record import Attempt, RunRecord, WantRecord

DETAIL = 160  # characters of a service's own message: enough to name the fault, too little for an echoed page
_KEY = re.compile(r'"[A-Za-z_][\w-]{0,40}"(?=\s*:)')


def lines_of(record: RunRecord, runs: RunStore, *, prose: bool) -> Iterator[str]:
    """JSON lines: one about the run, then one for each attempt in the order of asking. With `prose` it is a cassette
    that plays the run again; without, every letter and figure of a reply is masked and its shape stays. Faults are
    told, requests are digests only: neither a key nor a page of the book can stand in them."""
    head = record.model_dump(mode="json", exclude={"machine", "wants", "artefacts", "note"})
    yield _line({"inkos_run": head, "prose": prose})
    tried = [(attempt, want) for want in record.wants.values() for attempt in want.attempts]
    for attempt, want in sorted(tried, key=lambda pair: pair[0].at):
        yield _line(_row(record, runs, attempt, want, prose))


def _line(row: dict[str, object]) -> str:
    return json.dumps(row, ensure_ascii=False, sort_keys=True)


def _row(record: RunRecord, runs: RunStore, attempt: Attempt, want: WantRecord, prose: bool) -> dict[str, object]:
    row: dict[str, object] = {
        "want": want.id, "task": want.task, "request": attempt.asked or want.digest, "characters": want.characters,
        "attempt": attempt.id, "at": attempt.at, "status": attempt.status, "model": attempt.model,
    }  # fmt: skip
    if attempt.fault is not None:
        row |= {"fault": attempt.fault, "detail": attempt.detail[:DETAIL]}
    content = runs.get(record.id, attempt.artefact) if attempt.status != "failed" else None
    if content is not None:
        reply = Reply.model_validate_json(content)
        if not prose:
            reply = reply.model_copy(update={"text": masked(reply.text), "reasoning": masked(reply.reasoning)})
        row["reply"] = reply.model_dump(mode="json")
    return row


def masked(text: str) -> str:
    """Every letter and figure replaced by one of its kind; marks, spaces, line ends and the keys of JSON stay."""
    kept: list[str] = []
    at = 0
    for key in _KEY.finditer(text):
        kept += [_mask(text[at : key.start()]), key.group()]
        at = key.end()
    return "".join([*kept, _mask(text[at:])])


def _mask(text: str) -> str:
    return "".join(_masked(character) for character in text)


def _masked(character: str) -> str:
    kind = unicodedata.category(character)
    if kind[0] == "N":
        return "0"
    if kind[0] not in "LM":
        return character
    return "字" if unicodedata.east_asian_width(character) in "WF" else "x"
