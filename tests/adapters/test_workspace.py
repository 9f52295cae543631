"""Finding a workspace, choosing a book, and names that collide (cases J01, J02, D11)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from inkos.adapters.config_files import load_book, load_workspace
from inkos.adapters.disk import Files
from inkos.adapters.folder_store import FolderStore
from inkos.adapters.workspace import WorkspaceFolder, create_workspace, find_workspace
from inkos.config import WorkspaceConfig
from inkos.errors import UsageFault
from tests.adapters import stories


def create(workspace: WorkspaceFolder, name: str, title: str = "Salt") -> FolderStore:
    state, delta, history = stories.genesis()
    config = stories.config(title=title)
    return FolderStore(workspace.create_book(name, config, stories.FILES, delta, state, history, {}))


def test_a_workspace_is_made_once_and_found_from_anywhere_in_it(tmp_path: Path) -> None:
    root = tmp_path / "work"
    assert find_workspace(tmp_path) is None
    create_workspace(root, WorkspaceConfig(language="zh"))
    assert load_workspace(root, {})[0].language == "zh"
    inner = root / "books" / "deep" / "er"
    inner.mkdir(parents=True)
    assert find_workspace(inner) == root.resolve()
    assert ".inkos/" in (root / ".gitignore").read_text().splitlines()
    (root / "inkos.yaml").write_text("language: en\n# mine\n")
    with pytest.raises(UsageFault) as raised:
        create_workspace(root, WorkspaceConfig())
    assert raised.value.code == "workspace-exists"
    assert "# mine" in (root / "inkos.yaml").read_text()


def test_the_book_meant_is_the_one_named_the_one_stood_in_or_the_only_one(tmp_path: Path) -> None:
    workspace = WorkspaceFolder(create_workspace(tmp_path, WorkspaceConfig()), Files(durable=False))
    codes = []
    for book in (None, "salt", "../salt", "a/b"):
        with pytest.raises(UsageFault) as raised:
            workspace.resolve(book, tmp_path)
        codes.append(raised.value.code)
    assert codes == ["book-none", "book-missing", "name-unsafe", "name-unsafe"]
    create(workspace, "salt")
    assert workspace.resolve(None, tmp_path) == "salt"
    assert workspace.resolve("SALT", tmp_path) == "salt"
    create(workspace, "星尘")
    assert workspace.books() == ["salt", "星尘"]
    with pytest.raises(UsageFault) as raised:
        workspace.resolve(None, tmp_path)
    assert raised.value.code == "book-which" and "星尘" in str(raised.value.values["known"])
    assert workspace.resolve(None, workspace.path("星尘") / "bible") == "星尘"


def test_titles_that_no_folder_can_bear_are_kept_inside_the_book(tmp_path: Path) -> None:
    workspace = WorkspaceFolder(tmp_path, Files(durable=False))
    titles = ["Master: Why?", "CON", "星尘 ", "a/b\\c", "长" * 240, "A:B", "A?B", "Salt", "salt"]
    for title in titles:
        create(workspace, workspace.free_name(title), title)
    assert len(workspace.books()) == len(titles)
    assert sorted(load_book(workspace.path(book)).title for book in workspace.books()) == sorted(titles)
    assert len({book.casefold() for book in workspace.books()}) == len(titles)
    assert all(path.stat().st_size for path in tmp_path.rglob("*.md")), "no empty file named up to the colon"


def test_a_name_that_is_taken_is_refused_whatever_its_case(tmp_path: Path) -> None:
    workspace = WorkspaceFolder(tmp_path, Files(durable=False))
    first = create(workspace, "Salt")
    before = first.read()
    for name in ("Salt", "salt", "SALT"):
        with pytest.raises(UsageFault) as raised:
            create(workspace, name, "Another")
        assert raised.value.code == "book-exists"
    assert first.read() == before and workspace.books() == ["Salt"]


def test_a_book_made_again_under_an_old_name_knows_nothing_of_the_old_one(tmp_path: Path) -> None:
    workspace = WorkspaceFolder(tmp_path, Files(durable=False))
    old = create(workspace, "salt")
    with old.hold("write next"):
        book = old.read()
        old.accept(stories.accepted(book.index, book.state))
    shutil.rmtree(old.root)
    new = create(workspace, "salt", "Brine")
    assert new.read().config.title == "Brine" and new.read().next_position == 1
    assert list(new.histories()) == [] and not list((new.root / "story/snapshots").glob("c*"))


def test_what_is_no_book_is_not_listed(tmp_path: Path) -> None:
    workspace = WorkspaceFolder(tmp_path, Files(durable=False))
    assert workspace.books() == []
    create(workspace, "salt")
    (tmp_path / "books/notes").mkdir()
    (tmp_path / "books/.new-half").mkdir()
    (tmp_path / "books/.new-half/book.yaml").write_text("id: x\n")
    (tmp_path / "books/readme.md").write_text("x")
    assert workspace.books() == ["salt"]
