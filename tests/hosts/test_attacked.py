"""What an adversarial tester broke once: runs, reviews and decisions, each by commands as a person types them."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from inkos.actions import Door
from inkos.actions.production import WriteNext, write_next
from inkos.adapters.offline import OfflineAuthor
from inkos.hosts import wire
from inkos.ports import OnText, Reply
from inkos.prompts.request import Request
from tests.data import ROOT
from tests.hosts.cli import BRIEF, inkos
from tests.hosts.conftest import Shelf


@pytest.fixture
def ws(shelf: Shelf, tmp_path: Path) -> Path:
    return shelf.copy(1, tmp_path / "ws")


def configured(folder: Path, lines: str) -> Path:
    """The book with more lines in its book.yaml."""
    path = folder / "books/b/book.yaml"
    path.write_text(path.read_text() + lines)
    return folder


@pytest.fixture
def held(ws: Path) -> Path:
    """Chapter 2 waits for a person, for its score alone."""
    configured(ws, "gate: {pass_score: 100, on_low_score: hold}\n")
    assert inkos(ws, "write", "next").code == 3
    return ws


# ── runs ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_judging_an_accepted_chapter_hides_no_run_in_production(ws: Path) -> None:
    assert inkos(ws, "draft").code == 0
    run = inkos(ws, "--json", "status").json["run"]["id"]
    assert inkos(ws, "audit", "1").code == 0
    assert inkos(ws, "--json", "status").json["run"]["id"] == run
    went = inkos(ws, "--json", "write", "next").json["chapters"]
    assert [(chapter["run"], chapter["position"]) for chapter in went] == [(run, 2)]


def test_judging_an_accepted_chapter_hides_none_that_waits_for_review(held: Path) -> None:
    assert inkos(held, "audit", "1").code == 0
    assert [row["position"] for row in inkos(held, "--json", "review", "list").json["waiting"]] == [2]
    assert inkos(held, "write", "next").code == 3


@pytest.mark.parametrize("change", [
    {"notes": 10**30}, {"disputed": "zzz"}, {"current": 10**30}, {"best": 7}, {"plan": None}, {"versions": 3},
])  # fmt: skip
def test_a_run_record_that_says_what_cannot_be_is_named_and_can_be_given_up(held: Path, change: dict[str, Any]) -> None:
    path = next((held / "books/b/runs").glob("00002-*/run.json"))
    record = json.loads(path.read_text())
    path.write_text(json.dumps({**record, "machine": {**record["machine"], **change}}))
    run = path.parent.name
    for command in (("status",), ("review", "list"), ("review", "show"), ("run", "list"), ("write", "next")):
        ran = inkos(held, *command)
        assert ran.code == 1 and f"{run}/run.json" in ran.err and "run cancel" in ran.err, ran
    assert inkos(held, "run", "cancel", run).code == 0
    assert inkos(held, "write", "next").code == 3 and inkos(held, "state", "check").code == 0


def test_lines_of_the_ledger_that_are_none_of_ours_count_for_nothing(ws: Path) -> None:
    before = inkos(ws, "--json", "status").json["spend"]
    ledger = ws / "books/b/runs/ledger.jsonl"
    odd = ['{"schema_version":1}', '{"attempt":7}', '{"attempt":"x","input":1e999,"at":1e300}']
    ledger.write_text(ledger.read_text() + "\n".join(odd) + "\n")
    (ws / "books/b/runs/zz-cfoo").mkdir()
    shutil.copy(next((ws / "books/b/runs").glob("00001-*/run.json")), ws / "books/b/runs/zz-cfoo/run.json")
    after = inkos(ws, "--json", "status").json["spend"]
    assert {**after, "money": 0} == {**before, "money": 0}
    for command in (("stats", "--by", "day"), ("write", "next")):
        ran = inkos(ws, *command)
        assert ran.code == 0, ran


# ── review ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_chapter_held_for_its_score_can_be_allowed_and_says_why(held: Path) -> None:
    ran = inkos(held, "--json", "review", "decide", "allow", "--reason", "quiet on purpose", "--by", "Ed")
    assert ran.code == 0 and ran.json["status"] == "flagged", ran
    delta = (held / "books/b/story/chapters/c0002/delta.json").read_text()
    assert "gate-score" in delta and "quiet on purpose" in delta
    assert inkos(held, "state", "check").code == 0
    assert inkos(held, "write", "next").code == 3, "the next chapter is held on its own"


def test_a_code_that_nothing_was_found_under_cannot_be_allowed(held: Path) -> None:
    ran = inkos(held, "review", "decide", "allow", "--reason", "x", "--code", "length-099")
    assert ran.code == 2 and "length-099" in ran.err and "gate-score" in ran.err


def test_an_edit_of_the_text_that_waits_is_taken_or_refused_never_lost(held: Path) -> None:
    path = held / "books/b/story/chapters/c0002/review/text.md"
    path.write_text(path.read_text() + "\nThe tide clock stopped at nine.\n")
    for way in (("allow", "--reason", "x"), ("revise",), ("drop",), ("text", "--file", "inkos.yaml")):
        ran = inkos(held, "review", "decide", *way)
        assert ran.code == 2 and "review/text.md" in ran.err and "--kept" in ran.err, ran
    ran = inkos(held, "--json", "review", "decide", "text")
    assert ran.json["stage"] == "review", ran
    assert inkos(held, "review", "decide", "allow", "--reason", "mine").code == 0
    assert "tide clock" in (held / "books/b/chapters/0002.md").read_text()


def test_an_edit_of_the_text_that_waits_can_be_left_out_by_a_word(held: Path) -> None:
    path = held / "books/b/story/chapters/c0002/review/text.md"
    path.write_text(path.read_text() + "\nThe tide clock stopped at nine.\n")
    assert inkos(held, "review", "decide", "allow", "--reason", "x", "--kept").code == 0
    assert "tide clock" not in (held / "books/b/chapters/0002.md").read_text()


@pytest.mark.parametrize(("content", "word"), [(None, "--file"), ("{", "JSON"), ("{}", "chapter")])
def test_a_settlement_of_ones_own_that_does_not_fit_is_told(held: Path, content: str | None, word: str) -> None:
    (held / "d.json").write_text(content or "")
    ran = inkos(held, "review", "decide", "delta", *(("--file", "d.json") if content else ()))
    assert ran.code == 2 and word in ran.err and "pydantic.dev" not in ran.err, ran


# ── single steps ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_step_never_says_accepted_before_the_chapter_is_canon(ws: Path) -> None:
    planned = inkos(ws, "plan")
    assert "Drafting" not in planned.err, "a step tells no other"
    said = [planned.out, *(inkos(ws, step).out for step in ("draft", "audit", "settle", "revise"))]
    assert not any("accepted, score" in out for out in said), said
    assert "write next" in said[-1]
    assert not (ws / "books/b/chapters/0002.md").exists()
    assert "accepted, score" in inkos(ws, "write", "next").out


# ── before anything is paid ──────────────────────────────────────────────────────────────────────────────────────────


def unpaid(folder: Path, *words: str) -> None:
    """`write next` is refused in these words, and nobody was asked."""
    before = inkos(folder, "--json", "run", "list").json["runs"]
    ran = inkos(folder, "write", "next")
    assert ran.code in (1, 2) and all(word in ran.err for word in words), ran
    assert inkos(folder, "--json", "run", "list").json["runs"] == before


@pytest.mark.parametrize("how", ["link", "folder"])
def test_what_stands_where_the_next_chapter_goes_is_told_before_it_is_written(ws: Path, how: str) -> None:
    place = ws / "books/b/chapters/0002.md"
    if how == "link":
        place.symlink_to("/nonexistent/0002.md")
        unpaid(ws, "chapters/0002.md")
        place.unlink()
    else:
        place.mkdir()
        unpaid(ws, "chapters/0002.md")
        place.rmdir()
    assert inkos(ws, "write", "next").code == 0


def test_a_file_of_ones_own_is_kept_and_told_before_the_next_chapter(ws: Path) -> None:
    place = ws / "books/b/chapters/0002.md"
    place.write_text("# Mine\n\nNot of this program.\n")
    ran = inkos(ws, "write", "next")
    told, asked = ran.err.find("chapter adopt chapters/0002.md"), ran.err.find("plan done")
    assert ran.code == 0 and 0 <= told < asked, ran
    assert place.read_text().startswith("# Mine")
    assert inkos(ws, "chapter", "adopt", "chapters/0002.md").code == 0


def test_runs_that_lead_out_of_the_book_are_refused_before_anything_is_written(ws: Path, tmp_path: Path) -> None:
    runs, outside = ws / "books/b/runs", tmp_path / "outside"
    runs.rename(outside)
    runs.symlink_to(outside)
    before = sorted(outside.rglob("*"))
    ran = inkos(ws, "write", "next")
    assert ran.code == 2 and "runs" in ran.err and sorted(outside.rglob("*")) == before, ran


def test_a_role_without_a_way_to_its_model_is_told_before_another_is_paid(ws: Path) -> None:
    configured(ws, "roles: {writer: nosuch}\n")
    ran = inkos(ws, "write", "next")
    assert ran.code == 2 and "nosuch" in ran.err and "plan done" not in ran.err, ran


@pytest.mark.parametrize(("old", "new"), [("language: en", "language: zh"), ("id: b", "id: other")])
def test_a_book_yaml_of_another_book_is_refused(ws: Path, old: str, new: str) -> None:
    path = ws / "books/b/book.yaml"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    unpaid(ws, "book.yaml", new.split(": ")[1])


def test_an_outline_key_that_stands_twice_names_its_line(ws: Path) -> None:
    path = ws / "books/b/outline.md"
    text = path.read_text()
    assert "{#c2}" in text and "{#c3}" in text
    path.write_text(text.replace("{#c3}", "{#c2}"))
    line = next(number for number, words in enumerate(text.splitlines(), 1) if "{#c3}" in words)
    unpaid(ws, "outline.md", "{#c2}", str(line))


def test_a_consumed_entry_whose_key_was_taken_off_is_not_written_again(ws: Path) -> None:
    path = ws / "books/b/outline.md"
    path.write_text(path.read_text().replace(" {#c1}", ""))
    unpaid(ws, "outline.md", "{#c1}")


def test_a_last_chapter_edited_by_hand_is_told_first_and_settled_later(ws: Path) -> None:
    path = ws / "books/b/chapters/0001.md"
    path.write_text(path.read_text() + "\nThe tide clock stopped at nine.\n")
    ran = inkos(ws, "write", "next")
    told, asked = ran.err.find("inkos settle 1"), ran.err.find("plan done")
    assert ran.code == 0 and 0 <= told < asked, ran
    assert inkos(ws, "settle", "1").code == 0
    assert inkos(ws, "state", "check").code == 0


# ── settings ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("file", "line", "word"), [
    ("books/b/book.yaml", "roles: {wizard: rehearsal}", "roles.wizard"),
    ("inkos.yaml", "fallbacks: {writr: [r]}", "writer"),
    ("books/b/book.yaml", "genre: noir", "book.yaml"), ("books/b/book.yaml", "events: {swim: {sets: 7}}", "book.yaml"),
    ("books/b/book.yaml", "predicates: {wet: {licensed_by: [swim]}}", "book.yaml"),
])  # fmt: skip
def test_a_setting_of_no_meaning_names_its_file(ws: Path, file: str, line: str, word: str) -> None:
    path = ws / file
    path.write_text(path.read_text() + line + "\n")
    for command in (("compose",), ("write", "next")):
        ran = inkos(ws, *command)
        assert ran.code == 2 and word in ran.err and "Traceback" not in ran.err, ran


@pytest.mark.parametrize("file", ["inkos.yaml", "books/b/book.yaml"])
def test_a_version_of_settings_that_never_was_is_refused(ws: Path, file: str) -> None:
    path = ws / file
    path.write_text(path.read_text().replace("schema_version: 1", "schema_version: 0"))
    ran = inkos(ws, "status")
    assert ran.code == 2 and "schema_version" in ran.err and Path(file).name in ran.err, ran


@pytest.mark.parametrize("address", ["file:///etc/passwd", "http://[::1", "http://127.0.0.1:99999/v1", "localhost:99"])
def test_an_address_that_cannot_be_called_is_refused_when_it_is_read(ws: Path, address: str) -> None:
    path = ws / "inkos.yaml"
    path.write_text(path.read_text().replace("{protocol: offline}", f"{{base_url: '{address}'}}"))
    for command in (("status",), ("model", "list")):
        ran = inkos(ws, *command)
        assert ran.code == 2 and "providers.offline.base_url" in ran.err, ran


# ── files, folders, places ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_folder_in_place_of_a_file_is_called_a_folder(ws: Path) -> None:
    ran = inkos(ws, "book", "create", "q", "--brief", str(ws / "books"))
    assert ran.code == 2 and "folder" in ran.err, ran


def test_an_export_to_standard_output_is_refused(ws: Path) -> None:
    ran = inkos(ws, "export", "-o", "-", "--format", "md")
    assert ran.code == 2 and "--output" in ran.err and not (ws / "-").exists(), ran


def test_outside_any_workspace_it_says_how_one_is_made(tmp_path: Path) -> None:
    for command in (("status",), ("write", "next"), ("book", "create", "b", "--brief", str(BRIEF / "en.md"))):
        ran = inkos(tmp_path, *command)
        assert ran.code == 2 and "inkos init" in ran.err, ran
    assert not list(tmp_path.iterdir())


def test_doctor_says_when_the_workspace_cannot_be_written(ws: Path) -> None:
    small = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);" \
            "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0));"  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-B", "-c", f"{small} import sys; sys.argv[1:] = ['--json', 'doctor'];"
         "from inkos.hosts.cli.main import run; run()"],
        cwd=ws, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    rows = {row["name"]: row for row in json.loads(done.stdout)["checks"]}
    assert rows["workspace"]["state"] == "bad" and "large" in rows["workspace"]["detail"], done
    good = {row["name"]: row["state"] for row in inkos(ws, "--json", "doctor").json["checks"]}
    assert good["workspace"] == "good"


# ── what status says ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_status_of_a_chapter_that_waits_leads_to_review(held: Path) -> None:
    said = inkos(held, "status").out
    assert "inkos review show" in said and "Go on: inkos write next" not in said


def test_a_founding_that_was_stopped_is_listed_with_its_ways(ws: Path) -> None:
    config = ws / "inkos.yaml"
    text = config.read_text()
    config.write_text(text + "limits: {tokens: 10}\n")
    for _ in range(2):
        assert inkos(ws, "book", "create", "q", "--brief", str(BRIEF / "en.md")).code == 4
    config.write_text(text)
    listed = inkos(ws, "--json", "book", "list").json["foundings"]
    assert [(row["book"], row["run"]) for row in listed] == [("q", "00002-founding")]
    assert "inkos run cancel 00002-founding" in inkos(ws, "book", "list").out
    made = inkos(ws, "--json", "book", "create", "q", "--brief", str(BRIEF / "en.md"))
    assert made.code == 0 and made.json["run"] == "00002-founding"
    assert inkos(ws, "--json", "book", "list").json["foundings"] == []


# ── replies ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class Halving:
    """The offline author, whose JSON names half a surrogate pair inside its longer texts."""

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        reply = await OfflineAuthor().complete(request, on_text)
        if request.reply != "json":
            return reply
        return reply.model_copy(update={"text": re.sub(r'"(change|title|summary)": *"', r'\g<0>\\ud83d', reply.text)})


def test_half_a_surrogate_pair_in_any_reply_ends_in_a_chapter_that_can_be_read(ws: Path) -> None:
    door = Door(wire.open_workspace(ws, {}, offline=Halving()), lambda event: None, lambda: False)
    done = asyncio.run(write_next(door, WriteNext(book="b")))  # type: ignore[arg-type,var-annotated]
    assert done.stopped in ("done", "needs-review")
    told = inkos(ws, "--json", "status")
    assert told.code == 0 and inkos(ws, "state", "check").code == 0
    assert "\ufffd" in str(told.json["chapters"][-1:]) + inkos(ws, "review", "list").out, told
