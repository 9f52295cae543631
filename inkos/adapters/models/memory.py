"""What trying has taught about models, kept per endpoint and model; a cache: losing it costs one more try."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path

from filelock import FileLock

from inkos.adapters.disk import Files, make_folders, put_file
from inkos.config import Quirks
from inkos.gates.calibration import Calibration
from inkos.records import Record, dump

FILE = "models.json"


class Learned(Record):
    """`quirks`: what holds. `probe`: what `model test` found, by name of the check. `canary`: measures of the last time
    by prompt. `judge`: what `eval judge` found."""

    quirks: Quirks = Quirks()
    probe: dict[str, str] = {}
    canary: dict[str, dict[str, float]] = {}
    judge: Calibration | None = None
    at: float = 0.0


class Lessons(Record):
    schema_version: int = 1
    models: dict[str, Learned] = {}


def key_of(base_url: str, model: str) -> str:
    return f"{base_url.rstrip('/')} {model}"


class Memory:
    """Lessons of a workspace, in `folder`/models.json; with null they last as long as this object.

    Two processes may learn at once: each reads what stands there, adds its own, and replaces the file in one step."""

    def __init__(self, folder: Path | None = None, files: Files | None = None) -> None:
        self._folder, self._files = folder, files or Files()
        self._lessons: Lessons | None = None

    def of(self, base_url: str, model: str) -> Learned:
        return self._read().models.get(key_of(base_url, model), Learned())

    def learn(self, base_url: str, model: str, quirks: Quirks) -> None:
        """Add to what is known of a model; the newer word wins."""
        known = self.of(base_url, model)
        self.keep(base_url, model, known.model_copy(update={"quirks": quirks.over(known.quirks)}))

    def keep(self, base_url: str, model: str, learned: Learned) -> None:
        """Replace what is known of one model."""
        if self._folder is None:
            self._lessons = _with(self._read(), key_of(base_url, model), learned)
            return
        make_folders(self._files, self._folder)
        with FileLock(self._folder / "models.lock", timeout=30):
            self._lessons = None
            self._lessons = _with(self._read(), key_of(base_url, model), learned)
            put_file(self._files, self._folder / FILE, dump(self._lessons), self._folder / "models.new")

    def _read(self) -> Lessons:
        if self._lessons is None:
            self._lessons = Lessons()
            if self._folder is not None:
                # Unreadable or of another version: what it taught is learned again by one refusal each.
                with contextlib.suppress(OSError, ValueError):
                    self._lessons = Lessons.model_validate_json((self._folder / FILE).read_bytes())
        return self._lessons


def _with(lessons: Lessons, key: str, learned: Learned) -> Lessons:
    models: Mapping[str, Learned] = {**lessons.models, key: learned}
    return lessons.model_copy(update={"models": dict(models)})
