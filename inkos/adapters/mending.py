"""A damaged book made fit to be written again: conflicts decided, the revision and what follows from it put back."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Literal

from inkos.adapters.disk import digest_of
from inkos.adapters.file_set import PRIVATE, REVISION, Revision
from inkos.adapters.folder_store import FolderStore
from inkos.adapters.restore import restore
from inkos.errors import InkosError
from inkos.ports import FileSet
from inkos.records import dump

PENDING = f"{PRIVATE}/pending.json"


class FolderMender:
    """See inkos/ports.py Mender. What stood where something is written goes to the bin first."""

    def __init__(self, store: FolderStore) -> None:
        self._store = store

    def settle(self, keep: Literal["disk", "set"]) -> Sequence[str]:
        return self._store.settle("chapter repair", keep)

    def restore(self) -> Sequence[str]:
        return [*self._revision(), *restore(self._store, "chapter repair")]

    def _revision(self) -> list[str]:
        """A revision or commit record that cannot be understood stops every command; its own digests are lost with it,
        and what it recorded is judged file by file by what comes after."""
        sets, broken = self._store.sets, self._broken()
        if not broken:
            return []
        with self._store.lease.hold("chapter repair") as holder:
            if PENDING in broken:
                sets.keep_copy(0, PENDING, self._store.root / PENDING)
                (self._store.root / PENDING).unlink()
            base = 0
            with contextlib.suppress(InkosError):
                base = sets.recorded_base()
            if REVISION in broken:
                sets.keep_copy(base, REVISION, self._store.root / REVISION)
                sets.put(REVISION, dump(Revision(revision=base, token=holder.token)))
        return broken

    def _broken(self) -> list[str]:
        found = []
        for path, read in ((PENDING, self._store.sets.recorded_base), (REVISION, self._store.sets.revision_on_disk)):
            try:
                read()
            except InkosError as error:
                if error.code == "schema-newer":
                    raise
                found.append(path)
        return found

    def let_stand(self, paths: Sequence[str]) -> None:
        """The book counts these files as left by the program, whatever they hold; for files that are rebuilt next."""
        with self._store.hold("chapter repair"):
            old = {path: digest_of(self._store.root / path) for path in paths}
            revision = self._store.sets.revision().revision + 1
            for path, there in old.items():
                if there:
                    self._store.sets.keep_copy(revision, path, self._store.root / path)
            now = {path: (self._store.root / path).read_bytes() if there else None for path, there in old.items()}
            self._store.commit(FileSet(files=now, expect=old))
