"""The verb that counts false blocks: contradictions claimed where the settlement, not the text, was wrong; asks nobody.

A contradiction is claimed where the settler was asked to look again. It was taken back where that second look found
another cause than the text. What then still stopped the chapter was decided by a person: the text was changed (rightly
stopped), or it was allowed or its settlement corrected (stopped for nothing).
"""

from __future__ import annotations

import json
from typing import Any

from inkos.actions.chapter_run import load_run
from inkos.actions.table import Door, action
from inkos.cycle.chapter import ChapterState
from inkos.errors import InkosError
from inkos.ports import Reply, RunStore
from inkos.prompts.contracts import AgainReply, keys_of
from inkos.prompts.readers.ladder import read_object
from inkos.records import Record
from inkos.runs.record import RunRecord

RIGHT = frozenset({"revise", "text", "drop"})
FALSE = frozenset({"allow", "delta"})


class EvalBlocks(Record):
    book: str


class BlockRow(Record):
    """One chapter's run. `claimed`: contradictions; `withdrawn`: of these, taken back on the second look; `stopped`:
    times that the chapter waited for a person over blocking findings (`codes`); of these `false`, `right`, `open`."""

    run: str = ""
    chapter: str = ""
    claimed: int = 0
    withdrawn: int = 0
    stopped: int = 0
    false: int = 0
    right: int = 0
    open: int = 0
    codes: tuple[str, ...] = ()


class Blocks(Record):
    book: str
    rows: tuple[BlockRow, ...]
    total: BlockRow


@action("eval-blocks", EvalBlocks, Blocks, "reads")
async def eval_blocks(door: Door, command: EvalBlocks) -> Blocks:
    """False blocks of every chapter's run that is kept, from its record, its replies and the decisions on it."""
    runs = door.workspace.runs(command.book)
    records = [load_run(runs, run) for run in runs.list()]
    rows = tuple(row_of(runs, record) for record in records if record.kind == "chapter")
    numbers = ("claimed", "withdrawn", "stopped", "false", "right", "open")
    total = BlockRow.model_validate({name: sum(getattr(row, name) for row in rows) for name in numbers})
    return Blocks(book=command.book, rows=rows, total=total)


def row_of(runs: RunStore, record: RunRecord) -> BlockRow:
    """One run. Chapters that waited over an unreadable reply, and nothing else, were stopped by no finding."""
    looks = [want for want in record.wants if want.startswith("again.") and not want.endswith((".ask", ".wide"))]
    withdrawn = sum(_cause(runs, record, want) not in ("", "text") for want in looks)
    decided = [d for d in _decisions(runs, record) if d["blocking"]]
    ways = [str(d["way"]) for d in decided]
    waiting = _blocking_now(record)
    return BlockRow(
        run=record.id, chapter=record.chapter, claimed=len(looks), withdrawn=withdrawn,
        stopped=len(decided) + bool(waiting), false=sum(way in FALSE for way in ways),
        right=sum(way in RIGHT for way in ways), open=int(bool(waiting)),
        codes=tuple(code for d in decided for code in d["blocking"]) + waiting,
    )  # fmt: skip


def _cause(runs: RunStore, record: RunRecord, want: str) -> str:
    """The cause that the last reply to a second look gave; empty where none can be read."""
    for name in (f"{want}.wide.ask", f"{want}.ask", f"{want}.wide", want):
        known = record.wants.get(name)
        for attempt in reversed(known.attempts if known else ()):
            content = runs.get(record.id, attempt.artefact)
            if content is not None:
                found = read_object(Reply.model_validate_json(content).text, keys_of(AgainReply), complete=True)
                return str((found.object or {}).get("cause", ""))
    return ""


def _decisions(runs: RunStore, record: RunRecord) -> list[dict[str, Any]]:
    found, number = [], 1
    while (content := runs.get(record.id, f"decision-{number}.json")) is not None:
        try:
            said = json.loads(content)
            found.append({"way": said["way"], "blocking": list(said.get("blocking", ()))})
        except (ValueError, KeyError, TypeError) as fault:
            where = f"runs/{record.id}/decision-{number}.json"
            raise InkosError("file-damaged", where=where, detail=str(fault)[:200]) from fault
        number += 1
    return found


def _blocking_now(record: RunRecord) -> tuple[str, ...]:
    """Codes of what a chapter waits over now."""
    if record.status != "needs-review":
        return ()
    state = ChapterState.model_validate(record.machine)
    judged = state.version(state.best).assessment
    return tuple(f.code for f in judged.blocking) if judged else ()
