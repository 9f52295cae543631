"""A disk that stops: the Files double that ends the program before, within or after its n-th operation."""

from __future__ import annotations

from pathlib import Path

from inkos.adapters.disk import Files


class StoppedError(BaseException):
    """The power went; derives from BaseException, so that nobody catches it as a failure of the world."""


class StoppingFiles(Files):
    """Counts operations. At operation `stop_at` (from 1) it does half of it (`torn`) or nothing, and is dead."""

    def __init__(self, stop_at: int = 0, *, torn: bool = False) -> None:
        super().__init__(durable=False)
        self.stop_at = stop_at
        self.torn = torn
        self.count = 0
        self.written = 0
        self._dead = False

    def _step(self) -> bool:
        """Whether this operation is to be done by half before the stop."""
        if self._dead:
            raise StoppedError
        self.count += 1
        if self.count != self.stop_at:
            return False
        self._dead = True
        if not self.torn:
            raise StoppedError
        return True

    def make_folder(self, path: Path) -> None:
        half = self._step()
        super().make_folder(path)
        if half:
            raise StoppedError

    def write(self, path: Path, content: bytes) -> None:
        half = self._step()
        self.written += len(content)
        super().write(path, content[: len(content) // 2] if half else content)
        if half:
            raise StoppedError

    def append(self, path: Path, content: bytes) -> None:
        half = self._step()
        super().append(path, content[: len(content) // 2] if half else content)
        if half:
            raise StoppedError

    def rename(self, source: Path, target: Path) -> None:
        half = self._step()
        super().rename(source, target)
        if half:
            raise StoppedError

    def remove(self, path: Path) -> None:
        half = self._step()
        super().remove(path)
        if half:
            raise StoppedError

    def remove_folder(self, path: Path) -> None:
        half = self._step()
        if half and path.is_dir():
            for item in sorted(path.iterdir())[:1]:
                if item.is_file():
                    item.unlink()
        if half:
            raise StoppedError
        super().remove_folder(path)

    def sync_folder(self, path: Path) -> None:
        if self._step():
            raise StoppedError
