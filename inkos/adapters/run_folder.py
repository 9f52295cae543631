"""Run folders on disk: one total run.json each, artefacts, and the ledger; knows nothing of what a run does."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from inkos.adapters.disk import Files, disk_fault, make_folders, parse_json, put_file, read_bytes
from inkos.adapters.file_set import PRIVATE, FileSets
from inkos.adapters.names import check_artefact, inside
from inkos.errors import InkosError
from inkos.ports import FileProblem

# Every ledger line begins with these bytes, so that a whole record can be found behind the torn half of another.
_HEAD = '{"schema_version":1,'


class RunFolder:
    """The runs of one book (`runs/`), or of a workspace where there is no book yet (`.inkos/runs/`).
    `still_mine` raises when whoever writes here has lost the book meanwhile."""

    def __init__(
        self, root: Path, files: Files | None = None, still_mine: Callable[[], None] = lambda: None
    ) -> None:
        self._root = root
        self._still_mine = still_mine
        self._files = files or Files()
        self._swept: set[str] = set()

    def save(self, run_id: str, record: bytes) -> None:
        """Replace run.json in one step. Raises `disk-full`, `folder-read-only` …; the old record then stands.
        The first time, what a killed process left half written in the run's folder is removed."""
        self._put(run_id, "run.json", record)
        if run_id not in self._swept:
            self._swept.add(run_id)
            for left in self._folder(run_id).glob(".*.new"):
                self._files.remove(left)

    def load(self, run_id: str) -> bytes:
        """The run's run.json. Raises `run-missing`, `file-empty`, `file-damaged`, `file-unreadable`."""
        path = self._folder(run_id) / "run.json"
        try:
            content = self._recorded(run_id) or read_bytes(path)
        except InkosError as error:
            if error.code == "file-missing":
                raise InkosError("run-missing", where=str(path), run=run_id) from error
            raise
        parse_json(content, path)
        return content

    def list(self) -> Sequence[str]:
        """Ids of the runs that have a run.json, sorted by id (ids begin with their time, so by age)."""
        if not self._root.is_dir():
            return []
        try:
            with os.scandir(self._root) as listed:
                there = {item.name for item in listed if os.path.isfile(os.path.join(item.path, "run.json"))}
        except OSError as error:
            raise disk_fault(error, self._root, writing=False) from error
        return sorted(there | {path.split("/")[1] for path in self._recorded_paths()})

    def _recorded_paths(self) -> Iterable[str]:
        """The run.json of runs that are part of a recorded change of the book: they count as moved."""
        if not (self._root.parent / PRIVATE / "pending.json").exists():
            return []
        try:
            recorded = FileSets(self._root.parent).at_one_revision(lambda view: view.as_it_is(()))
        except InkosError:  # a damaged record is named by what reads the book
            return []
        return [path for path in recorded if path.startswith("runs/") and path.endswith("/run.json")]

    def _recorded(self, run_id: str) -> bytes | None:
        path = f"runs/{run_id}/run.json"
        if path not in self._recorded_paths():
            return None
        return FileSets(self._root.parent).at_one_revision(lambda view: view.read_if_there(path))

    def put(self, run_id: str, name: str, content: bytes) -> None:
        if name == "run.json":
            raise ValueError("run.json is written by save, after the artefacts")
        self._put(run_id, name, content)

    def get(self, run_id: str, name: str) -> bytes | None:
        path = self._folder(run_id) / check_artefact(name)
        try:
            return read_bytes(path)
        except InkosError as error:
            if error.code == "file-missing":
                return None
            raise

    def _folder(self, run_id: str) -> Path:
        return inside(self._root, check_artefact(run_id))

    def _put(self, run_id: str, name: str, content: bytes) -> None:
        self._still_mine()
        path = self._folder(run_id) / check_artefact(name)
        try:
            for folder in make_folders(self._files, path.parent):
                self._files.sync_folder(folder)
        except OSError as error:
            raise disk_fault(error, path, writing=True) from error
        put_file(self._files, path, content, path.with_name(f".{name}.new"))

    # --- the ledger: appended to, never rewritten

    @property
    def _ledger(self) -> Path:
        return self._root / "ledger.jsonl"

    def append_ledger(self, line: Mapping[str, object]) -> None:
        """One record, on a line of its own even when the line before was torn."""
        body = json.dumps({key: value for key, value in line.items() if key != "schema_version"}, ensure_ascii=False)
        record = _HEAD + body[1:] if len(body) > 2 else '{"schema_version":1}'
        self._still_mine()
        try:
            make_folders(self._files, self._root)
            torn = self._ledger.exists() and not self._ends_a_line()
            self._files.append(self._ledger, (("\n" if torn else "") + record + "\n").encode())
        except OSError as error:
            raise disk_fault(error, self._ledger, writing=True) from error

    def _ends_a_line(self) -> bool:
        with open(self._ledger, "rb") as stream:
            size = stream.seek(0, 2)
            if size == 0:
                return True
            stream.seek(size - 1)
            return stream.read(1) == b"\n"

    def ledger(self) -> Iterator[Mapping[str, object]]:
        """All whole records in order; `ledger_problems` tells of what is not."""
        for _number, record, _half in self._lines():
            if record is not None:
                yield record

    def ledger_problems(self) -> Sequence[FileProblem]:
        """One problem for each line that holds a torn record, whether or not a whole one was recovered behind it."""
        return [
            FileProblem(path="runs/ledger.jsonl", kind="damaged", detail=f"line {number}: {half[:80]}")
            for number, _record, half in self._lines()
            if half
        ]

    def _lines(self) -> Iterator[tuple[int, dict[str, object] | None, str]]:
        try:
            content = read_bytes(self._ledger)
        except InkosError as error:
            if error.code == "file-missing":
                return
            raise
        for number, raw in enumerate(content.split(b"\n"), 1):
            line = raw.decode("utf-8", errors="replace").strip()
            if line:
                yield (number, *_read_line(line))


def _read_line(line: str) -> tuple[dict[str, object] | None, str]:
    """The record that the line ends with, and the half record before it."""
    start = 0
    while start >= 0:
        try:
            value = json.loads(line[start:])
        except (json.JSONDecodeError, RecursionError):
            start = line.find(_HEAD, start + 1)
            continue
        if isinstance(value, dict):
            return value, line[:start]
        break
    return None, line
