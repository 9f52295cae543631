"""What people get wrong: a message that names file or call, what was kept, how to go on; nothing half-written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.hosts.cli import BRIEF, OFFLINE, files_of, inkos, workspace
from tests.hosts.conftest import Shelf


@pytest.fixture(scope="module")
def written(shelf: Shelf) -> Path:
    return shelf.at(1)


@pytest.fixture
def book(shelf: Shelf, tmp_path: Path) -> Path:
    return shelf.copy(1, tmp_path / "ws")


def refused(ran: object, code: int, *words: str) -> None:
    """It ended with this code, said these words, and gave three lines: what, what was kept, what next."""
    assert ran.code == code, ran  # type: ignore[attr-defined]
    for word in words:
        assert word in ran.err, ran.err  # type: ignore[attr-defined]
    assert "Traceback" not in ran.err  # type: ignore[attr-defined]
    assert len([line for line in ran.err.splitlines() if line.strip()]) >= 3, ran.err  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "brief, word",
    [(None, "no file"), ("", "empty"), ("   \n", "empty"), ("too short", "200"), ("x" * 30_000, "20,000")],
)
def test_a_missing_empty_short_or_endless_brief_makes_no_book(tmp_path: Path, brief: str | None, word: str) -> None:
    folder = workspace(tmp_path / "ws")
    if brief is not None:
        (folder / "brief.md").write_text(brief)
    refused(inkos(folder, "book", "create", "b", "--brief", "brief.md"), 2, word, "brief.md")
    assert not list((folder / "books").iterdir())


@pytest.mark.parametrize("name", ["../x", "a/b", "..", "CON", "x" * 300, "a\\b", "-b", ""])
def test_a_name_that_is_no_folder_name_is_refused(tmp_path: Path, name: str) -> None:
    folder = workspace(tmp_path / "ws")
    before = files_of(tmp_path)
    ran = inkos(folder, "book", "create", "--brief", str(BRIEF / "en.md"), "--", name)
    assert ran.code in (0, 2)
    if ran.code == 0:
        assert name == ""  # no name: made from the title
        return
    assert files_of(tmp_path) == before


def test_an_unknown_language_and_genre_name_what_is_known(tmp_path: Path) -> None:
    folder = workspace(tmp_path / "ws")
    brief = str(BRIEF / "en.md")
    refused(inkos(folder, "book", "create", "b", "--brief", brief, "--language", "fr"), 2, "fr", "en, zh")
    refused(inkos(folder, "book", "create", "b", "--brief", brief, "--genre", "noir"), 2, "noir", "detective")
    assert not list((folder / "books").iterdir())


def test_an_unknown_key_names_the_nearest_known_one(tmp_path: Path) -> None:
    folder = workspace(tmp_path / "ws", OFFLINE.replace("roles:", "role:"))
    refused(inkos(folder, "status"), 2, "inkos.yaml", "roles")


def test_broken_yaml_names_file_and_line(tmp_path: Path) -> None:
    folder = workspace(tmp_path / "ws", "schema_version: 1\nproviders: {a: [\n")
    refused(inkos(folder, "book", "list"), 2, "inkos.yaml")


def test_a_key_in_the_file_is_refused_and_not_shown(tmp_path: Path) -> None:
    key = "sk-test-000111222333444555"
    folder = workspace(tmp_path / "ws", OFFLINE.replace("{protocol: offline}", f"{{protocol: openai, api_key: {key}}}"))
    ran = inkos(folder, "config", "show")
    assert ran.code == 2 and key not in ran.err + ran.out and "api_key_env" in ran.err


def test_no_provider_says_what_to_write(tmp_path: Path) -> None:
    folder = workspace(tmp_path / "ws", "schema_version: 1\n")
    refused(inkos(folder, "book", "create", "b", "--brief", str(BRIEF / "en.md")), 1, "inkos.yaml", "roles")
    assert not list((folder / "books").iterdir())


def test_an_unreachable_service_leaves_a_run_that_waits(tmp_path: Path) -> None:
    config = OFFLINE.replace("{protocol: offline}", '{base_url: "http://127.0.0.1:9/v1"}')
    folder = workspace(tmp_path / "ws", config + "limits: {attempts: 1}\n")
    refused(inkos(folder, "book", "create", "b", "--brief", str(BRIEF / "en.md")), 1, "reached")
    assert not list((folder / "books").iterdir())


def test_a_missing_key_names_the_variable(tmp_path: Path) -> None:
    config = OFFLINE.replace("{protocol: offline}", '{base_url: "http://127.0.0.1:9/v1", api_key_env: NO_SUCH_KEY}')
    folder = workspace(tmp_path / "ws", config)
    refused(inkos(folder, "book", "create", "b", "--brief", str(BRIEF / "en.md")), 1, "NO_SUCH_KEY")


@pytest.mark.parametrize("damage", ["", "{", '{"schema_version": 1}', "[]", "null", '{"schema_version": 99}'])
@pytest.mark.parametrize("file", ["index.json", "state/current_state.json", "state/manifest.json"])
def test_a_damaged_state_file_is_named_and_nothing_is_written(book: Path, file: str, damage: str) -> None:
    path = book / "books" / "b" / "story" / file
    path.write_text(damage)
    before = files_of(book / "books")
    ran = inkos(book, "write", "next")
    assert ran.code != 0 and "Traceback" not in ran.err and Path(file).name in ran.err
    assert files_of(book / "books") == before


def test_a_book_yaml_with_an_unknown_key_is_named(book: Path) -> None:
    path = book / "books" / "b" / "book.yaml"
    path.write_text(path.read_text() + "lenght: {target: 3}\n")
    refused(inkos(book, "write", "next"), 2, "book.yaml", "length")


def test_a_ban_that_is_no_pattern_is_told_before_anything_is_written(book: Path) -> None:
    path = book / "books" / "b" / "book.yaml"
    path.write_text(path.read_text().replace("style:\n", "style:\n  ban_patterns: ['(']\n"))
    refused(inkos(book, "write", "next"), 2, "(")


@pytest.mark.parametrize("arguments", [("audit", "x"), ("audit", "99"), ("audit", "0"), ("audit", "@c9999"),
                                       ("draft", "1"), ("run", "resume", "nope"), ("run", "show", "../../etc"),
                                       ("review", "show"), ("review", "decide", "7"),
                                       ("state", "show", "nothing"),
                                       ("state", "show", "facts", "--at", "99"), ("export", "--format", "mobi"),
                                       ("schema", "nothing"), ("write", "next", "--plan", "dice")])  # fmt: skip
def test_what_does_not_exist_is_refused_and_nothing_changes(written: Path, arguments: tuple[str, ...]) -> None:
    before = files_of(written / "books")
    ran = inkos(written, *arguments)
    assert ran.code in (1, 2) and "Traceback" not in ran.err, ran
    assert ran.err.strip()
    assert files_of(written / "books") == before


def test_every_failure_is_one_json_object_too(written: Path) -> None:
    ran = inkos(written, "--json", "audit", "99")
    assert ran.code == 2
    told = json.loads(ran.out)
    assert told["ok"] is False and told["error"]["exit"] == 2
    assert all(told["error"][part] for part in ("code", "what", "kept", "next"))


def test_a_title_of_240_characters_is_a_book_with_a_safe_folder(tmp_path: Path) -> None:
    """J01: the title is unchanged inside, the folder name is safe on every system."""
    folder = workspace(tmp_path / "ws")
    title = "灯" * 240
    made = inkos(folder, "--json", "book", "create", "--brief", str(BRIEF / "zh.md"), "--title", title, "--", "")
    assert made.code == 0, made.err
    assert made.json["title"] == title
    (only,) = (folder / "books").iterdir()
    assert len(only.name.encode()) <= 240
    assert inkos(folder, "--json", "status").json["title"] == title
    assert inkos(folder, "write", "next").code == 0
    assert inkos(folder, "export").code == 0


@pytest.mark.parametrize("titles", [("A:B", "A?B"), ("Salt", "salt"), ("CON", "con ")])
def test_titles_that_clean_to_one_name_are_two_books(tmp_path: Path, titles: tuple[str, str]) -> None:
    """J02."""
    folder = workspace(tmp_path / "ws")
    for title in titles:
        made = inkos(folder, "--json", "book", "create", "--brief", str(BRIEF / "en.md"), "--title", title, "--", "")
        assert made.code == 0, made.err
    names = [path.name for path in (folder / "books").iterdir()]
    assert len({name.casefold() for name in names}) == 2


def test_a_full_disk_while_a_book_is_created_is_named_and_leaves_no_half_book(tmp_path: Path) -> None:
    """J07, with a limit on the size of files in place of a full disk."""
    import resource
    import subprocess
    import sys

    folder = workspace(tmp_path / "ws")

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))

    done = subprocess.run(
        [sys.executable, "-c", "import signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
         "sys.argv[0] = 'inkos'; from inkos.hosts.cli.main import run; run()",
         "book", "create", "b", "--brief", str(BRIEF / "en.md")],
        cwd=folder, capture_output=True, text=True, preexec_fn=small, timeout=60,
    )  # fmt: skip
    assert done.returncode == 1
    assert "large" in done.stderr.lower() or "full" in done.stderr.lower() or "space" in done.stderr.lower()
    assert not [path for path in (folder / "books").iterdir() if not path.name.startswith(".")]
    assert inkos(folder, "book", "list").code == 0
