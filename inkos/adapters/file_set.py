"""Several files that change together or not at all, in one folder; knows neither books nor who holds the lock.

A set goes through five steps. A stop between any two leaves what the table says:

    step                                            after a stop here, the next holder of the lock
    1 stage      new contents in `.inkos/stage/`    throws the stage away: nothing happened
    2 record     `.inkos/pending.json`, atomically  finishes the set: it happened
    3 move       each staged file to its place      finishes the set
    4 forget     the record is removed              throws the rest of the stage away: it happened
    5 clean      the stage is removed               nothing to do

The record names the base revision, the fencing token, and each target with its old and new digest. Who finds a record
decides by digest alone: a target that is neither old nor new was saved by somebody else meanwhile, and is not written
over. Readers need no lock: they take a target that has not moved yet from the stage, and read again when the revision
moved under them. `story/revision.json` is itself a target of every set.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import Field, ValidationError

from inkos.adapters.disk import Files, digest_of, disk_fault, file_names, make_folders, parse_json, put_file, read_bytes
from inkos.adapters.names import inside
from inkos.errors import InkosError
from inkos.ports import FileSet
from inkos.records import Record, digest, dump

T = TypeVar("T")

PRIVATE = ".inkos"
REVISION = "story/revision.json"
SCHEMA_VERSION = 1
# A reader that meets commit after commit gives up after about ten seconds; an acceptance takes well under a second.
READ_TRIES = 60


class Revision(Record):
    """How often the folder changed, the fencing token of who changed it last, and the digests of watched files."""

    schema_version: int = SCHEMA_VERSION
    revision: int = 0
    token: int = 0
    digests: dict[str, str] = Field(default_factory=dict)


class Target(Record):
    """One file of a set: `old` and `new` are SHA-256 ("" = no file), `staged` its name in the stage."""

    path: str
    old: str
    new: str
    staged: str = ""


class Pending(Record):
    """The commit record."""

    schema_version: int = SCHEMA_VERSION
    base: int
    token: int
    targets: tuple[Target, ...]

    @property
    def revision(self) -> int:
        return self.base + 1


class View:
    """The files as they are at one revision: what is recorded counts as moved."""

    def __init__(self, root: Path, pending: Pending | None, revision: Revision) -> None:
        self._root = root
        self._targets = {target.path: target for target in pending.targets} if pending else {}
        self.revision = revision

    def read(self, path: str) -> bytes:
        """Raises `file-missing`, `file-unreadable`, `path-unsafe`."""
        place = inside(self._root, path)
        target = self._targets.get(path)
        if target is None:
            return read_bytes(place)
        if not target.new:
            raise InkosError("file-missing", where=str(place))
        staged = self._root / PRIVATE / "stage" / target.staged
        for candidate in (place, staged, place):  # the last look is for a move between the first two
            with contextlib.suppress(InkosError):
                content = read_bytes(candidate)
                if digest(content) == target.new:
                    return content
        return read_bytes(place)

    def read_if_there(self, path: str) -> bytes | None:
        try:
            return self.read(path)
        except InkosError as error:
            if error.code == "file-missing":
                return None
            raise

    def as_it_is(self, paths: Iterable[str]) -> set[str]:
        """The files that are there at this revision, of those found on disk."""
        found = set(paths)
        for path, target in self._targets.items():
            (found.add if target.new else found.discard)(path)
        return found

    def names(self, folder: str) -> list[str]:
        """Paths of the files directly in a folder, sorted."""
        place = self._root / folder
        found = {f"{folder}/{name}" for name in file_names(place)}
        for path, target in self._targets.items():
            if path.rpartition("/")[0] == folder:
                (found.add if target.new else found.discard)(path)
        return sorted(found)


class FileSets:
    """The sets of one folder. Reading never writes; `commit`, `recover`, `settle` are for the holder of the lock."""

    def __init__(self, root: Path, files: Files | None = None, *, watched: Sequence[str] = ()) -> None:
        self.root = root
        self.private = root / PRIVATE
        self._files = files or Files()
        self._watched = tuple(watched)

    # --- reading

    def at_one_revision(self, work: Callable[[View], T]) -> T:
        """What `work` reads, all of it from one revision; it is called again when the revision moved meanwhile."""
        for tried in range(READ_TRIES):
            before = self._stand()
            view = View(self.root, before[0], before[1])
            failed: InkosError | None = None
            try:
                result = work(view)
            except InkosError as error:
                failed = error
            if self._stand()[1].revision == view.revision.revision:
                if failed is not None:
                    raise failed
                return result
            time.sleep(min(0.005 * 1.2**tried, 0.5))
        raise InkosError("book-moving", where=str(self.root))

    def revision(self) -> Revision:
        return self._stand()[1]

    def _stand(self) -> tuple[Pending | None, Revision]:
        """The record that counts, and the revision with it. The revision file moves only while its record is there, so
        the two belong together when the record was the same before and after the revision was read."""
        for _ in range(READ_TRIES):
            pending = self._pending()
            on_disk = self.revision_on_disk()
            if self._pending() == pending:
                break
        if pending is None:
            return None, on_disk
        if on_disk.revision not in (pending.base, pending.revision) or pending.token < on_disk.token:
            return None, on_disk
        if on_disk.revision == pending.revision:
            return pending, on_disk
        # From here on the revision file may have moved, and its name in the stage may already be the next set's.
        content = View(self.root, pending, on_disk).read(REVISION)
        revision = _parse(Revision, content, self.root / REVISION)
        if revision.revision == pending.revision:
            return pending, revision
        return pending, on_disk.model_copy(update={"revision": pending.revision, "token": pending.token})

    def _pending(self) -> Pending | None:
        path = self.private / "pending.json"
        try:
            content = read_bytes(path)
        except InkosError as error:
            if error.code == "file-missing":
                return None
            raise
        return _parse(Pending, content, path)

    def revision_on_disk(self) -> Revision:
        path = self.root / REVISION
        try:
            return _parse(Revision, read_bytes(path), path)
        except InkosError as error:
            if error.code == "file-missing":
                return Revision()
            raise

    def conflicts(self) -> list[str]:
        """Targets of a recorded set that somebody saved meanwhile; none where the record does not count."""
        try:
            pending, now = self._pending(), self.revision_on_disk()
        except InkosError:
            return []
        if pending is None or now.revision not in (pending.base, pending.revision):
            return []
        return [target.path for target in self._sort(pending)[1]]

    def recorded_base(self) -> int:
        """The revision on which a recorded set was built; 0 when none is recorded."""
        pending = self._pending()
        return pending.base if pending else 0

    # --- writing, by the holder of the lock

    def put(self, path: str, content: bytes) -> None:
        """One file outside any set; only to put back what every set needs."""
        put_file(self._files, self.root / path, content, self.private / "put.new")

    def commit(
        self, files: FileSet, *, token: int, last: Sequence[str] = (), still_mine: Callable[[], None] = lambda: None
    ) -> int:
        """Write a set; the new revision. What `last` names is moved last, in that order. `still_mine` raises when the
        lock was lost; it is asked just before the record is written, which is the moment at which the set happens.

        Raises `file-changed` (an expectation does not hold; nothing was written), `disk-full`, `folder-read-only`.
        """
        if self._pending() is not None:
            self.recover(token)
        now = self.revision_on_disk()
        if now.token > token:
            raise InkosError("lease-lost", where=str(self.root))
        order = [path for path in files.files if path not in last] + [path for path in last if path in files.files]
        compared = self._compare(order, files)
        targets = [
            Target(path=path, old=old, new=new, staged=f"{number:04d}" if new else "")
            for number, (path, old, new) in enumerate(compared)
            if old != new
        ]
        digests = {path: value for path, value in now.digests.items() if path not in files.files}
        digests |= {path: new for path, _, new in compared if new and path.startswith(self._watched)}
        revised = Revision(revision=now.revision + 1, token=token, digests=dict(sorted(digests.items())))
        contents = {path: content for path, content in files.files.items() if content is not None}
        contents[REVISION] = dump(revised)
        place = max(len(targets) - sum(path in files.files for path in last), 0)
        old, new = digest_of(self.root / REVISION), digest(contents[REVISION])
        targets.insert(place, Target(path=REVISION, old=old, new=new, staged="revision"))
        pending = Pending(base=now.revision, token=token, targets=tuple(targets))
        try:
            self._stage(pending, contents)
            still_mine()
        except BaseException:
            with contextlib.suppress(OSError):
                self._files.remove_folder(self.private / "stage")
            raise
        self._record(pending)
        self._finish(pending)
        return pending.revision

    def _compare(self, order: Sequence[str], files: FileSet) -> list[tuple[str, str, str]]:
        """Path, digest now, digest to be; `file-changed` when an expectation does not hold."""
        compared = []
        for path in order:
            content = files.files[path]
            compared.append((path, digest_of(inside(self.root, path)), "" if content is None else digest(content)))
        now = {path: old for path, old, _ in compared}
        for path, expected in files.expect.items():
            if (now[path] if path in now else digest_of(inside(self.root, path))) != expected:
                raise InkosError("file-changed", where=str(self.root / path))
        return compared

    def _stage(self, pending: Pending, contents: Mapping[str, bytes]) -> None:
        stage = self.private / "stage"
        changed: list[Path] = []
        try:
            self._files.remove_folder(stage)
            changed += make_folders(self._files, stage)
            for target in pending.targets:
                if target.new:
                    changed += make_folders(self._files, (self.root / target.path).parent)
                    self._files.write(stage / target.staged, contents[target.path])
            for folder in dict.fromkeys([stage, *changed]):
                self._files.sync_folder(folder)
        except OSError as error:
            raise disk_fault(error, error.filename or stage, writing=True) from error

    def _record(self, pending: Pending) -> None:
        put_file(self._files, self.private / "pending.json", dump(pending), self.private / "pending.new")

    def recover(self, token: int) -> str:
        """Finish a recorded set, throw an unrecorded one away: `finished`, `discarded` or `` (there was nothing).

        Raises `set-conflict` when somebody saved a target meanwhile: both texts are kept until `settle` decides."""
        pending = self._pending()
        if pending is not None:
            now = self.revision_on_disk()
            if now.revision in (pending.base, pending.revision) and token >= pending.token >= now.token:
                self._finish(pending)
                return "finished"
        left = pending is not None or (self.private / "stage").exists()
        self._forget()
        return "discarded" if left else ""

    def _finish(self, pending: Pending) -> None:
        """Move what has not moved. Nothing is moved unless every target is old or new."""
        waiting, conflicts = self._sort(pending)
        if conflicts:
            first = conflicts[0]
            staged = str(self.private / "stage" / first.staged) if first.new else ""
            paths = [target.path for target in conflicts]
            raise InkosError("set-conflict", where=str(self.root / first.path), staged=staged, paths=paths)
        try:
            for target in waiting:
                if target.new:
                    self._files.rename(self.private / "stage" / target.staged, self.root / target.path)
                else:
                    self._files.remove(self.root / target.path)
            for folder in dict.fromkeys((self.root / target.path).parent for target in pending.targets):
                if folder.is_dir():
                    self._files.sync_folder(folder)
        except OSError as error:
            detail = error.strerror or type(error).__name__
            raise InkosError("set-unfinished", where=str(error.filename or self.root), detail=detail) from error
        self._forget()

    def _sort(self, pending: Pending) -> tuple[list[Target], list[Target]]:
        """The targets still to move, and those that are neither old nor new or whose new content is gone."""
        waiting: list[Target] = []
        conflicts: list[Target] = []
        for target in pending.targets:
            now = digest_of(inside(self.root, target.path))
            if now == target.new:
                continue
            staged = self.private / "stage" / target.staged
            usable = not target.new or digest_of(staged) == target.new
            # A file that is not there holds nobody's words: who moved it away lets the set go on.
            (waiting if now in (target.old, "") and usable else conflicts).append(target)
        return waiting, conflicts

    def _forget(self) -> None:
        try:
            self._files.remove(self.private / "pending.new")
            if (self.private / "pending.json").exists():
                self._files.remove(self.private / "pending.json")
                self._files.sync_folder(self.private)
            self._files.remove_folder(self.private / "stage")
        except OSError as error:
            detail = error.strerror or type(error).__name__
            raise InkosError("set-unfinished", where=str(error.filename or self.root), detail=detail) from error

    def settle(self, keep: Literal["disk", "set"]) -> list[str]:
        """Decide a conflict: `disk` leaves what somebody saved, `set` writes the set's version over it. The other text
        goes to `.inkos/bin/<revision>/`; the paths of those copies. The rest of the set is finished."""
        pending = self._pending()
        if pending is None:
            return []
        conflicts = {target.path for target in self._sort(pending)[1]}
        kept: list[str] = []
        targets: list[Target] = []
        for target in pending.targets:
            place, staged = self.root / target.path, self.private / "stage" / target.staged
            if target.path not in conflicts:
                targets.append(target)
                continue
            loser = place if keep == "set" else staged
            if (loser is place or target.new) and digest_of(loser):
                kept.append(self.keep_copy(pending.revision, target.path, loser))
            if keep == "set" and (not target.new or digest_of(staged) == target.new):
                targets.append(target.model_copy(update={"old": digest_of(place)}))
        decided = pending.model_copy(update={"targets": tuple(targets)})
        self._record(decided)
        self._finish(decided)
        return kept

    def keep_copy(self, revision: int, path: str, source: Path) -> str:
        """Puts a copy of `source` into the bin, as what stood at `path` when `revision` was made; the copy's path."""
        copy = self.private / "bin" / str(revision) / path
        make_folders(self._files, copy.parent)
        put_file(self._files, copy, read_bytes(source), copy.with_name(copy.name + ".new"))
        return str(copy)


R = TypeVar("R", bound=Record)


def _parse(model: type[R], content: bytes, path: Path) -> R:
    data = parse_json(content, path)
    version = data.get("schema_version") if isinstance(data, dict) else None
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise InkosError("schema-newer", where=str(path), found=version, known=SCHEMA_VERSION)
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        detail = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        raise InkosError("file-damaged", where=str(path), detail=detail) from error


def changed_since(digests: Mapping[str, str], root: Path, paths: Iterable[str]) -> list[str]:
    """Those of `paths` whose content is not the one with the given digest."""
    return [path for path in paths if path in digests and digest_of(inside(root, path)) != digests[path]]
