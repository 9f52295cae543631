"""The verb that hands a run out: as a cassette, or as a report without prose; does not know what is in a reply."""

from __future__ import annotations

from inkos.actions.chapter_run import load_run
from inkos.actions.table import Door, action
from inkos.errors import InkosError
from inkos.ports import RunStore
from inkos.records import Record
from inkos.runs.record import RunRecord
from inkos.runs.tape import lines_of


class ExportRun(Record):
    """`prose`: with the words of the replies, so that it plays again; without, their shape only. `book` empty: a
    founding, which is the workspace's."""

    run: str
    book: str = ""
    prose: bool = False
    file: str = ""


class RunExported(Record):
    run: str
    file: str
    calls: int
    prose: bool


@action("run-export", ExportRun, RunExported, "reads")
async def export_run(door: Door, command: ExportRun) -> RunExported:
    """Write a run's recording. It holds no key and no request; with `prose` it holds the chapter."""
    record, runs = _find(door, command)
    lines = list(lines_of(record, runs, prose=command.prose))
    file = command.file or f"{record.id}.jsonl"
    door.workspace.write_file(file, "".join(f"{line}\n" for line in lines).encode())
    return RunExported(run=record.id, file=file, calls=len(lines) - 1, prose=command.prose)


def _find(door: Door, command: ExportRun) -> tuple[RunRecord, RunStore]:
    """A run of the book, or one of the workspace's."""
    if command.book:
        runs = door.workspace.runs(command.book)
        try:
            return load_run(runs, command.run), runs
        except InkosError as error:
            if error.code != "run-missing":
                raise
    runs = door.workspace.runs(None)
    return load_run(runs, command.run), runs
