"""The state commands as a person uses them: cases, looking back, comparing, and taking what was edited by hand."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.data import ROOT
from tests.hosts.cli import Ran, files_of, inkos, workspace

BOOK = "lantern-street"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = workspace(tmp_path / "ws")
    shutil.copytree(ROOT / "books" / BOOK, made / "books" / BOOK)
    return made


def state(folder: Path, *arguments: str) -> Ran:
    return inkos(folder, "state", *arguments)


def edit(folder: Path, file: str, old: str, new: str) -> bytes:
    place = folder / "books" / BOOK / "story/state" / file
    before = place.read_text(encoding="utf-8")
    assert re.search(old, before), old
    place.write_text(re.sub(old, new, before, count=1), encoding="utf-8")
    return before.encode()


CASE = {
    "chapter": 4,
    "facts": [{"subject": "Ada", "predicate": "status", "object": "dead", "valid_from": 2}],
    "observations": [{"subject": "Ada", "predicate": "acts", "object": "speaks", "mode": "narrated"}],
}


def test_labelled_cases_need_no_book_and_the_figures_make_the_exit_code(tmp_path: Path) -> None:
    dream = [{**CASE["observations"][0], "mode": "dream"}]  # type: ignore[index]
    bad = {**CASE, "id": "bad", "family": "death", "label": "contradiction"}
    good = {**CASE, "id": "good", "family": "death", "label": "ok", "observations": dream}
    file = tmp_path / "cases.jsonl"
    file.write_text("\n".join(map(json.dumps, (bad, good))) + "\n", encoding="utf-8")
    ran = inkos(tmp_path, "state", "check", "--cases", str(file))
    assert ran.code == 0, ran.err
    assert "death: found 1 of 1, wrongly flagged 0 of 1" in ran.out and "continuity-002" in ran.out
    file.write_text(json.dumps({**good, "label": "contradiction"}) + "\n" + json.dumps({**bad, "label": "ok"}) + "\n")
    ran = inkos(tmp_path, "state", "check", "--cases", str(file))
    assert ran.code == 1 and re.search(r"MISSED +good", ran.out) and re.search(r"WRONGLY FLAGGED +bad", ran.out)


@pytest.mark.parametrize("line", ["{", "[]", "3", '{"label": "perhaps"}'])
def test_a_line_that_is_no_case_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps({**CASE, "label": "ok"}) + "\n" + line + "\n", encoding="utf-8")
    ran = inkos(tmp_path, "state", "check", "--cases", str(file))
    assert ran.code == 2 and "Line 2" in ran.err


def test_looking_back_comparing_and_asking_write_nothing(folder: Path) -> None:
    before = files_of(folder)
    assert "Ada Pell · location · Lantern Street" in state(folder, "at", "0").out
    assert "Ada Pell · location · Customs House" in state(folder, "at", "2").out
    diff = state(folder, "diff", "0", "2").out
    assert re.search(r"\+ f\d+ Ada Pell · location · Customs House", diff)
    assert "- f2 Ada Pell · location · Lantern Street" in diff
    history = state(folder, "facts", "--subject", "Ada Pell", "--history").out
    assert re.search(r"f2 Ada Pell · location · Lantern Street  0–1  bible/cast.md «Ada Pell lives", history)
    assert "genesis." not in history and "c000" not in history
    assert "Piet" not in state(folder, "facts", "--subject", "clock").out
    assert "h1 [" in state(folder, "hooks").out
    assert "Tobias Finch  from the start" in state(folder, "who-knows", "s1").out
    assert state(folder, "replay").out.startswith("Equal")
    assert files_of(folder) == before


def test_predicates_and_layers_are_words_of_the_reader_and_names_for_scripts(folder: Path) -> None:
    zh = {"INKOS_LANG": "zh"}
    assert "Ada Pell · 所在 · Lantern Street" in inkos(folder, "state", "at", "0", env=zh).out
    assert " · 所在 · " in inkos(folder, "state", "diff", "0", "2", env=zh).out
    assert " · location · " in str(inkos(folder, "--json", "state", "facts", env=zh).json)
    assert "现况" in inkos(folder, "compose", env=zh).out


def test_a_chapter_edited_by_hand_is_told_with_its_way_out(folder: Path) -> None:
    place = folder / "books" / BOOK / "chapters/0002.md"
    place.write_text(place.read_text("utf-8") + "\nThe tide clock stopped.\n", encoding="utf-8")
    ran = state(folder, "check")
    assert ran.code == 1 and "inkos settle" in ran.out, ran


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("at", "9"), 2),
        (("at", "-1"), 2),
        (("diff", "0", "x"), 2),
        (("facts", "--subject", "Nobody At All"), 2),
        (("who-knows", "what the cat saw"), 2),
        (("adopt",), 2),
        (("adopt", "--reason", "why not"), 2),
    ],
)
def test_what_cannot_be_asked_is_said(folder: Path, arguments: tuple[str, ...], code: int) -> None:
    ran = state(folder, *arguments)
    assert ran.code == code and ran.err.strip() and "Traceback" not in ran.err


def test_an_edit_is_adopted_with_a_reason_and_replays(folder: Path) -> None:
    edit(folder, "current_state.json", r'("predicate":"location","object":")genesis\.l\d+(".*\n)', r"\1genesis.l1\2")
    edit(folder, "hooks.json", r'"payoff_timing":"endgame"', '"payoff_timing":"immediate"')
    unadopted = inkos(folder, "compose")
    assert unadopted.code == 1 and "state adopt" in unadopted.err
    assert inkos(folder, "status").code == 0
    ran = state(folder, "adopt", "--reason", "She never moved")
    assert ran.code == 0, ran.err
    assert "+ f" in ran.out and "- f" in ran.out and "immediate" in ran.out
    assert state(folder, "replay").out.startswith("Equal")
    assert state(folder, "check").code == 0, state(folder, "check").out
    assert "She never moved" in state(folder, "facts", "--history").out
    assert (folder / "books" / BOOK / "story/chapters/c0003/author-1.json").exists()
    again = state(folder, "adopt", "--reason", "once more")
    assert again.code == 2 and inkos(folder, "compose").code == 0


def test_what_the_author_adopted_stands_under_the_next_chapter(folder: Path) -> None:
    edit(folder, "hooks.json", r'"payoff_timing":"endgame"', '"payoff_timing":"immediate"')
    assert state(folder, "adopt", "--reason", "sooner").code == 0
    written = inkos(folder, "write", "next")
    assert written.code == 0, written.err
    assert state(folder, "replay").out.startswith("Equal")
    assert "immediate" in state(folder, "at", "3").out and "immediate" not in state(folder, "at", "2").out
    check = state(folder, "check")
    assert check.code == 0, check.out


def test_an_edit_that_cannot_stand_is_refused_with_its_place_and_kept(folder: Path) -> None:
    edit(folder, "current_state.json", r'"subject":"genesis\.p1"', '"subject":"nobody"')
    before = files_of(folder)
    for arguments in (("status",), ("compose",), ("state", "check"), ("state", "adopt", "--reason", "so")):
        ran = inkos(folder, *arguments)
        assert ran.code == 1 and "kernel-006" in ran.err and "facts." in ran.err, (arguments, ran)
    assert files_of(folder) == before


def test_a_file_laid_out_otherwise_is_no_edit(folder: Path) -> None:
    place = folder / "books" / BOOK / "story/state/hooks.json"
    place.write_text(json.dumps(json.loads(place.read_text("utf-8")), indent=1), encoding="utf-8")
    assert inkos(folder, "compose").code == 0
