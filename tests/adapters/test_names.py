"""Safe names for any title, and paths that cannot leave their folder (cases J01, J02)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkos.adapters.names import MAX_BYTES, check_name, folder_name, inside, is_safe_name, key_of
from inkos.errors import UsageFault

TITLES = ["Master: Why?", "CON", "星尘 ", "a/b\\c", "长" * 240, "", "...", "con.txt", "LPT1", "com¹", "-rf", "~",
          "..", "a\tb\nc", "‮evil", "é", "e\u0301", "Salt.", "𠀀" * 100, "\ud800x", "nul", ".git", "👩‍👩‍👧"]  # fmt: skip


@pytest.mark.parametrize("title", TITLES)
def test_every_title_has_a_name_that_every_system_takes(tmp_path: Path, title: str) -> None:
    name = folder_name(title)
    assert is_safe_name(name)
    folder = tmp_path / name
    folder.mkdir()
    assert [item.name for item in tmp_path.iterdir()] == [name]


@given(st.text(max_size=300), st.lists(st.text(max_size=30), max_size=5))
def test_any_title_gets_a_safe_name_that_is_not_taken(title: str, others: list[str]) -> None:
    taken = [folder_name(other) for other in others] + [folder_name(title)]
    name = folder_name(title, taken)
    assert is_safe_name(name)
    assert len(name.encode()) <= MAX_BYTES
    assert key_of(name) not in {key_of(other) for other in taken}


@given(st.text(min_size=1, max_size=80))
def test_a_safe_name_is_kept_as_it_is(name: str) -> None:
    if is_safe_name(name) and " " not in name and not name.endswith("-"):
        assert folder_name(name) == name


def test_a_name_says_what_the_title_says() -> None:
    assert folder_name("Lantern Street") == "Lantern-Street"
    assert folder_name("Master: Why?") == "Master-Why"
    assert folder_name("星尘 ") == "星尘"
    assert folder_name("a/b\\c") == "a-b-c"
    assert folder_name("长" * 240) == "长" * 40


def test_titles_that_clean_up_alike_and_names_that_differ_in_case_get_folders_of_their_own() -> None:
    first = folder_name("A:B")
    assert folder_name("A?B", [first]) == f"{first}-2"
    assert folder_name("salt", ["Salt", "SALT-2"]) == "salt-3"
    assert folder_name("e\u0301", ["é"]) == "é-2"


TYPED = ["", "..", "a/b", "a\\b", " a", "a ", "a.", ".a", "CON", "a:b", "-a", "长" * 41, "a\0"]


@pytest.mark.parametrize("name", TYPED)
def test_a_name_that_a_person_typed_is_refused_with_one_that_would_do(name: str) -> None:
    with pytest.raises(UsageFault) as raised:
        check_name(name)
    assert raised.value.code == "name-unsafe"
    assert is_safe_name(str(raised.value.values["suggestion"]))


BAD_PATHS = ["", "/", "/etc/passwd", "..", "../x", "a/../../x", "a/..", "./a", "a//b", "a/", "C:/x", "C:x", "a\\..\\x",
             "a\0b", "nul", "a/con.txt", "a./b", "a /b", "x:stream", "\\\\host\\share", "\ud800",
             "长" * 86]  # fmt: skip


@pytest.mark.parametrize("path", BAD_PATHS)
def test_a_path_cannot_leave_its_folder(tmp_path: Path, path: str) -> None:
    with pytest.raises(UsageFault) as raised:
        inside(tmp_path, path)
    assert raised.value.code == "path-unsafe"


@given(st.text(max_size=60))
def test_whatever_a_path_says_the_result_lies_inside(path: str) -> None:
    root = Path(__file__).parent
    try:
        found = inside(root, path)
    except UsageFault:
        return
    assert found.resolve().is_relative_to(root.resolve()) and found != root


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_a_link_out_of_the_folder_is_refused_and_one_inside_is_not(tmp_path: Path) -> None:
    root = tmp_path / "book"
    (root / "bible").mkdir(parents=True)
    (tmp_path / "secret").mkdir()
    (root / "out").symlink_to(tmp_path / "secret")
    (root / "in").symlink_to(root / "bible")
    with pytest.raises(UsageFault):
        inside(root, "out/key.txt")
    with pytest.raises(UsageFault):
        inside(root, "out")
    assert inside(root, "in/cast.md") == root / "in/cast.md"
    link = tmp_path / "linked-book"
    link.symlink_to(root)
    assert inside(link, "bible/cast.md") == link / "bible/cast.md"


def test_ordinary_paths_of_a_book_are_fine(tmp_path: Path) -> None:
    for path in ("bible/人物.md", "chapters/0012a.md", "story/chapters/c0001/plan.json", "prompts/draft.zh.md"):
        assert inside(tmp_path, path) == tmp_path / path
