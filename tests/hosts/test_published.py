"""What readers have: kept, locked, and changed by no command without an erratum."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from inkos.hosts.cli.main import app
from tests.hosts.chapters import book_of, rows
from tests.hosts.cli import files_of, inkos
from tests.hosts.conftest import Shelf

FRESH, READS = "fresh", "reads"  # on a copy of its own; on one that nothing has changed
# Every command, at its worst for a published chapter 1 or 2 of three: how it is tried, or why it need not be.
TABLE: dict[str, tuple[str, list[list[str]]] | str] = {
    "write redo": (FRESH, [["1"], ["2", "--plan", "kept"]]),
    "write next": (FRESH, [[]]),
    "settle": (FRESH, [["1"]]),
    "plan": (READS, [["1"]]),
    "draft": (READS, [["1"]]),
    "revise": (READS, [["1"]]),
    "audit": (READS, [["1"]]),
    "chapter delete": (FRESH, [["1"], ["@c0002"]]),
    "chapter move": (FRESH, [["1", "--to", "3"], ["3", "--to", "1"]]),
    "chapter insert": (FRESH, [["--after", "0", "--title", "X", "--file", "new.md"], ["--after", "1", "--title", "Y"]]),
    "chapter adopt": (FRESH, [["new.md", "--after", "0", "--settle", "none"]]),
    "chapter pick": (FRESH, [["1", "1"]]),
    "chapter keep": (FRESH, [["1"]]),
    "chapter undo": (FRESH, [[]]),
    "chapter unlock": (FRESH, [["1"]]),
    "chapter lock": (FRESH, [["1"]]),
    "chapter edit": (FRESH, [["1"]]),
    "chapter repair": (FRESH, [[]]),
    "chapter publish": (FRESH, [["1-2", "--on", "elsewhere"]]),
    "chapter errata": (FRESH, [[]]),
    "chapter takes": (READS, [["1"]]),
    "chapter diff": (READS, [["1"]]),
    "chapter ripple": (READS, [["1"]]),
    "chapter bin": (READS, [[]]),
    "entity rename": (FRESH, [["Ada", "Eda"]]),
    "review decide": (FRESH, [["1"]]),
    "review add": (FRESH, [["1", "--note", "x"]]),
    "review answer": (FRESH, [["1", "1"]]),
    "review list": (READS, [[]]),
    "review show": (READS, [[]]),
    "review complaints": (READS, [[]]),
    "state adopt": (FRESH, [[]]),
    "state check": (READS, [[]]),
    "state replay": (READS, [[]]),
    "outline extend": (FRESH, [[]]),
    "export": (FRESH, [["--format", "md"]]),
    "run resume": (READS, [["x"]]),
    "run cancel": (READS, [["x"]]),
    "book delete": "the whole book, which goes to the bin",
    "book restore": "the whole book; the one it replaces goes to the bin",
    "book rename": "the folder's name only",
    "demo": "another book",
    "init": "a new workspace",
    "book create": "another book",
    "setup": "asks; writes inkos.yaml only",
    **dict.fromkeys(
        ("status", "compose", "doctor", "schema", "find", "stats", "book list", "book show", "book backup", "run list",
         "run show", "run export", "state show", "state at", "state diff", "state facts", "state hooks",
         "state who-knows", "state rules", "config show", "config path", "model list", "model test", "model canary",
         "outline show", "outline check", "prompt list", "prompt show", "prompt diff", "style distance", "eval judge",
         "eval blocks", "batch report", "batch openings", "batch status", "batch logs"),
        "reads, or writes files of its own",
    ),
    **dict.fromkeys(
        ("config set", "model route", "prompt eject", "style learn"), "writes configuration or the author's own papers"
    ),
    **dict.fromkeys(
        ("batch run", "batch schedule", "batch worker", "batch pause", "batch resume", "batch cancel", "batch retry"),
        "works through the same actions as write next and chapter adopt",
    ),
}  # fmt: skip


def commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name))


def test_the_table_names_every_command() -> None:
    assert set(TABLE) == set(commands(typer.main.get_command(app)))


def canon(folder: Path) -> list[tuple[int, str, str, bytes]]:
    """What readers know of the published chapters: place, id, title, text."""
    return [
        (position, row["id"], row["title"], (book_of(folder) / row["file"]).read_bytes())
        for position, row in enumerate(rows(folder), 1)
        if row.get("published")
    ]


@pytest.fixture(scope="module")
def published(shelf: Shelf, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three chapters; the first two changed places before they were published."""
    folder = shelf.copy(3, tmp_path_factory.mktemp("published") / "ws")
    assert inkos(folder, "chapter", "move", "2", "--to", "1").code == 0
    ran = inkos(folder, "--json", "chapter", "publish", "1-2", "--on", "site", "--at", "2026-11-20")
    assert ran.code == 0 and ran.json["at"] == "2026-11-20", ran
    (folder / "new.md").write_text("# New\n\nIt was another morning, and nobody had eaten.\n", encoding="utf-8")
    return folder


TRIED = [
    (name, told[0], arguments) for name, told in TABLE.items() if not isinstance(told, str) for arguments in told[1]
]


@pytest.mark.parametrize(("name", "how", "arguments"), TRIED, ids=[f"{n} {' '.join(a)}" for n, _, a in TRIED])
def test_no_command_changes_a_published_chapter(
    published: Path, tmp_path: Path, name: str, how: str, arguments: list[str]
) -> None:
    folder = published
    if how == FRESH:


        folder = Path(shutil.copytree(published, tmp_path / "ws"))
    before, whole = canon(folder), {} if how == FRESH else files_of(book_of(folder) / "chapters")
    assert len(before) == 2
    ran = inkos(folder, *name.split(), *arguments, env={"VISUAL": "sed -i s/e/E/g"})
    assert canon(folder) == before, (name, ran)
    assert "Traceback" not in ran.err, ran
    assert how == FRESH or files_of(book_of(folder) / "chapters") == whole


def test_a_file_edited_by_hand_is_not_settled_without_an_erratum(published: Path, tmp_path: Path) -> None:


    folder = Path(shutil.copytree(published, tmp_path / "ws"))
    file = book_of(folder) / rows(folder)[0]["file"]
    file.write_text(file.read_text().replace("the ", "that ", 1))
    kept = rows(folder)[0]
    assert inkos(folder, "settle", "1").code != 0 and rows(folder)[0] == kept
    told = inkos(folder, "--json", "status").json["stock"]
    assert [(each["site"], each["published"], each["ready"], each["differs"]) for each in told] == [("site", 2, 1, [1])]


def test_an_erratum_changes_it_and_says_where(published: Path, tmp_path: Path) -> None:


    folder = Path(shutil.copytree(published, tmp_path / "ws"))
    old, title = rows(folder)[0], rows(folder)[0]["title"]
    text = (book_of(folder) / old["file"]).read_text()
    assert inkos(folder, "write", "redo", "1", "--erratum", "the day was wrong").code == 0
    new = rows(folder)[0]
    assert new["errata"][0]["reason"] == "the day was wrong" and new["published"] == old["published"]
    page = (book_of(folder) / "errata.md").read_text()
    assert f"## site\n\n### 1 · {new['title']}\n\n> the day was wrong\n" in page and "\n− " in page and "\n+ " in page
    kept = book_of(folder) / "story/published/site" / f"{old['id']}.md"
    assert kept.read_text() == text and title in text
    assert inkos(folder, "chapter", "publish", "1", "--on", "site").code == 0, "the correction stands there now"
    assert not (book_of(folder) / "errata.md").exists()
    assert inkos(folder, "--json", "chapter", "errata").json["chapters"] == []


def test_what_was_published_by_mistake_is_withdrawn(published: Path, tmp_path: Path) -> None:


    folder = Path(shutil.copytree(published, tmp_path / "ws"))
    refused = inkos(folder, "--json", "chapter", "unlock", "1")
    assert refused.json["error"]["code"] == "chapter-published" and "--withdraw" in refused.json["error"]["next"]
    assert inkos(folder, "chapter", "publish", "1-2", "--on", "site", "--withdraw").code == 0
    assert "published" not in rows(folder)[0] and "locked" not in rows(folder)[0]
    assert inkos(folder, "chapter", "delete", "1").code == 0
    again = inkos(folder, "--json", "chapter", "publish", "1", "--on", "site", "--withdraw")
    assert again.json["error"]["code"] == "not-published"


@pytest.mark.parametrize(
    "arguments", [["1-9", "--on", "s"], ["2-1", "--on", "s"], ["1", "--on", "../x"], ["1", "--on", "s", "--at", "soon"]]
)
def test_what_cannot_be_published_is_refused_in_words(published: Path, arguments: list[str]) -> None:
    before = files_of(published)
    ran = inkos(published, "chapter", "publish", *arguments)
    assert ran.code == 2 and ran.err.count("\n") >= 2 and files_of(published) == before
