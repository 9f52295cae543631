"""The example books: played again from their cassettes they come out the same, over the port and over real HTTP."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from inkos.actions import ACTIONS, Door
from inkos.adapters.cassette import Replaying
from inkos.hosts import wire
from tests.data import ROOT
from tests.hosts.cli import Ran, files_of, inkos, workspace
from tests.journeys.cassette_server import CassetteServer, serving
from tests.journeys.example_books import BOOKS, CHAPTERS, EXAMPLES, make

OUTSIDE = (".inkos/", "runs/", "exports/", "cassette.jsonl", "brief.md")
TIMES = ("story/index.json",)  # carries the time of acceptance


def kept(folder: Path) -> dict[str, bytes]:
    return {path: content for path, content in files_of(folder).items() if not path.startswith(OUTSIDE)}


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_an_example_book_comes_out_of_its_cassette_byte_for_byte(name: str, tmp_path: Path) -> None:
    made = make(name, tmp_path / "ws", Replaying(BOOKS / name / "cassette.jsonl"))
    assert kept(made) == kept(BOOKS / name), "prompts or papers have changed; run: make books"


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_an_example_book_is_clean_and_complete(name: str, tmp_path: Path) -> None:
    """Read where it lies: reading writes nothing."""
    before = files_of(BOOKS / name)
    workspace_of_examples = wire.open_workspace(ROOT, {})
    door = Door(workspace_of_examples, lambda event: None, lambda: False)
    check = ACTIONS["state-check"]
    result = asyncio.run(check.run(door, check.command(book=name)))
    assert result.clean, result  # type: ignore[attr-defined]
    assert result.chapters == CHAPTERS  # type: ignore[attr-defined]
    assert files_of(BOOKS / name) == before


def http_workspace(folder: Path, server: CassetteServer, language: str) -> Path:
    return workspace(
        folder,
        f'schema_version: 1\nlanguage: {language}\nproviders: {{tape: {{base_url: "{server.url}"}}}}\n'
        "routes: {tape: {provider: tape, model: tape}}\nroles: {default: tape}\n",
    )


def found(folder: Path, name: str) -> Ran:
    language, genre, form, chapters, length = EXAMPLES[name]
    brief = str(BOOKS / name / "brief.md")
    return inkos(folder, "--json", "book", "create", name, "--brief", brief, "--language", language, "--genre", genre,
                 "--form", form, "--chapters", str(chapters), "--length", str(length))  # fmt: skip


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_the_whole_job_over_real_http_gives_the_same_manuscript(name: str, tmp_path: Path) -> None:
    with serving(BOOKS / name / "cassette.jsonl") as server:
        folder = http_workspace(tmp_path / "ws", server, EXAMPLES[name][0])
        made = found(folder, name)
        assert made.code == 0, (made.err, server.unknown)
        written = inkos(folder, "--json", "write", "next", "--count", str(CHAPTERS))
        assert written.code == 0, (written.err, server.unknown)
        assert all(chapter["calls"] == 4 for chapter in written.json["chapters"])
        assert not [key for key, times in server.asked.items() if times > 1]
    book = folder / "books" / name
    mine, theirs = kept(book), kept(BOOKS / name)
    assert mine.keys() == theirs.keys()
    chapters = [path for path in theirs if path.startswith(("chapters/", "story/state/", "story/chapters/"))]
    assert {p: mine[p] for p in chapters if "entry.json" not in p} == {
        p: theirs[p] for p in chapters if "entry.json" not in p
    }
    spent = inkos(folder, "--json", "status").json["spend"]
    assert spent["calls"] == 4 * CHAPTERS and spent["money"] is None
