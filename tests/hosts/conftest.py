"""Books that many tests begin with: founded and written once, handed out as they lie or as a copy."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.hosts.cli import BRIEF, inkos, workspace


class Shelf:
    """Workspaces with the book `b` of the demo brief and so many accepted chapters, each made when first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def at(self, chapters: int, language: str = "en") -> Path:
        """The one of all tests: to be read, never changed."""
        made = self.folder / f"{language}-{chapters}"
        if made.exists():
            return made
        if chapters == 0:
            workspace(made)
            ran = inkos(made, "book", "create", "b", "--brief", str(BRIEF / f"{language}.md"), "--length", "900")
        else:
            shutil.copytree(self.at(chapters - 1, language), made)
            ran = inkos(made, "write", "next")
        assert ran.code == 0, ran
        return made

    def copy(self, chapters: int, target: Path, language: str = "en") -> Path:
        """One of the test's own, at `target`, which must not be there yet."""
        return Path(shutil.copytree(self.at(chapters, language), target))


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    return Shelf(tmp_path_factory.mktemp("shelf"))
