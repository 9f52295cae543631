"""The single steps, review and export as a person drives them."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from inkos.actions import Door
from inkos.actions.production import WriteNext, write_next
from inkos.adapters.offline import OfflineAuthor, PlannedFault
from inkos.hosts import wire
from inkos.ports import ModelPort, OnText, Reply
from inkos.prompts.request import Request
from tests.hosts.cli import files_of, inkos
from tests.hosts.conftest import Shelf


@pytest.fixture
def book(shelf: Shelf, tmp_path: Path) -> Path:
    return shelf.copy(0, tmp_path / "ws")


class Unwilling:
    """The offline author, but as a reviser it can settle nothing by patches."""

    def __init__(self, author: OfflineAuthor) -> None:
        self.author = author

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        if request.task != "revise":
            return await self.author.complete(request, on_text)
        left = [{"finding": finding.id, "why": "no"} for finding in request.papers.findings]
        return Reply(text=json.dumps({"patches": [], "not_by_patch": left}), model="unwilling")


def written(folder: Path, author: ModelPort, count: int = 1) -> str:
    """Write chapters with this author; where it stopped."""
    door = Door(wire.open_workspace(folder, {}, offline=author), lambda event: None, lambda: False)
    return asyncio.run(write_next(door, WriteNext(book="b", count=count))).stopped


def test_the_steps_one_by_one_make_the_chapter_that_write_next_makes(book: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    shutil.copytree(book, whole)
    stages = [inkos(book, "--json", step).json["stage"] for step in ("plan", "draft", "audit")]
    assert stages == ["draft", "assess", "commit"]
    ended = inkos(book, "--json", "write", "next")
    assert ended.code == 0 and ended.json["chapters"][0]["calls"] == 4
    assert inkos(whole, "write", "next").code == 0
    assert (book / "books/b/chapters/0001.md").read_bytes() == (whole / "books/b/chapters/0001.md").read_bytes()


def test_a_plan_from_the_outline_asks_no_planner(book: Path) -> None:
    ran = inkos(book, "--json", "plan", "--plan", "outline")
    assert ran.code == 0, ran.err
    assert ran.json["calls"] == 0 and ran.json["plan"]["beats"]
    assert inkos(book, "--json", "write", "next").json["chapters"][0]["calls"] == 3


def test_compose_shows_the_layers_and_asks_nobody(book: Path) -> None:
    ran = inkos(book, "--json", "compose")
    assert ran.code == 0 and len(ran.json["layers"]) == 7 and ran.json["characters"] > 1000
    assert inkos(book, "--json", "status").json["spend"]["calls"] == 0


def test_an_accepted_chapter_can_be_judged_again_and_nothing_of_it_changes(book: Path) -> None:
    assert inkos(book, "write", "next", "--count", "2").code == 0
    story = files_of(book / "books/b/story/state") | files_of(book / "books/b/chapters")
    ran = inkos(book, "--json", "audit", "1")
    assert ran.code == 0 and ran.json["stage"] == "judged" and ran.json["score"] > 0, ran
    assert files_of(book / "books/b/story/state") | files_of(book / "books/b/chapters") == story
    assert inkos(book, "state", "check").code == 0


def test_a_hand_edit_is_noticed_kept_and_settled_on_request(book: Path) -> None:
    """E08: the count changes everywhere, the file stays as the author left it."""
    assert inkos(book, "write", "next").code == 0
    path = book / "books/b/chapters/0001.md"
    paragraphs = path.read_text().split("\n\n")
    path.write_text("\n\n".join([*paragraphs[:2], "The bell rang twice.", *paragraphs[2:]]))
    edited = path.read_bytes()
    before = inkos(book, "--json", "status").json["chapters"][0]["words"] - 4
    status = inkos(book, "--json", "status").json
    assert [(row["position"], row["words"], row["accepted"]) for row in status["edited"]] == [(1, before + 4, before)]
    assert [problem["kind"] for problem in status["problems"]] == ["changed"]
    assert inkos(book, "state", "check").code == 1
    ran = inkos(book, "--json", "settle", "1")
    assert ran.code == 0 and ran.json["status"] in ("accepted", "flagged"), ran
    assert path.read_bytes() == edited
    after = inkos(book, "--json", "status").json
    assert after["problems"] == [] and after["chapters"][0]["words"] == before + 4
    assert inkos(book, "state", "check").code == 0


def test_a_file_that_is_not_in_the_index_is_named_by_status_and_left_alone(book: Path) -> None:
    """C06."""
    assert inkos(book, "write", "next").code == 0
    extra = book / "books/b/chapters/0000_prologue.md"
    extra.write_text("# Prologue\n\nBefore.\n")
    assert [p["kind"] for p in inkos(book, "--json", "status").json["problems"]] == ["extra"]
    assert inkos(book, "write", "next").code == 0
    assert extra.read_text() == "# Prologue\n\nBefore.\n"


@pytest.fixture
def waiting(book: Path) -> Path:
    """A book whose first chapter contradicts the state, and whose revision does not help."""
    author = OfflineAuthor(faults=(PlannedFault(position=1, kind="contradict"),))
    assert written(book, Unwilling(author)) == "needs-review"
    return book


def test_a_chapter_that_contradicts_waits_is_no_canon_and_stops_its_book(waiting: Path) -> None:
    status = inkos(waiting, "--json", "status").json
    assert status["chapters"] == [] and status["run"]["status"] == "needs-review"
    assert not list((waiting / "books/b").glob("chapters/*.md"))
    assert list((waiting / "books/b/story/chapters").glob("*/review/text.md"))
    again = inkos(waiting, "write", "next")
    assert again.code == 3
    listed = inkos(waiting, "--json", "review", "list", "--all-books").json["waiting"]
    assert [(row["book"], row["position"]) for row in listed] == [("b", 1)] and listed[0]["blocking"] >= 1
    shown = inkos(waiting, "review", "show")
    assert shown.code == 0 and "1." in shown.out and "«" in shown.out


def test_allowing_needs_a_reason_and_is_kept_with_the_chapter(waiting: Path) -> None:
    assert inkos(waiting, "review", "decide", "allow").code == 2
    ran = inkos(waiting, "--json", "review", "decide", "allow", "--reason", "a twin", "--by", "Ed")
    assert ran.code == 0 and ran.json["status"] in ("accepted", "flagged"), ran
    delta = (waiting / "books/b/story/chapters/c0001/delta.json").read_text()
    assert "a twin" in delta and "Ed" in delta
    assert inkos(waiting, "state", "check").code == 0
    assert inkos(waiting, "write", "next").code == 0


def test_the_authors_own_text_takes_the_place(waiting: Path) -> None:
    text = "Ada opened the shop. The street was wet. " * 50
    (waiting / "mine.md").write_text(f"# Mine\n\n{text}\n")
    ran = inkos(waiting, "--json", "review", "decide", "text", "--file", "mine.md")
    assert ran.json["stage"] in ("accepted", "review"), ran
    assert not (ran.json["stage"] == "accepted" and ran.code)


def test_dropping_gives_the_chapter_up_and_the_next_run_begins_anew(waiting: Path) -> None:
    ran = inkos(waiting, "--json", "review", "decide", "drop")
    assert ran.code == 0 and ran.json["stage"] == "dropped"
    ended = inkos(waiting, "--json", "write", "next")
    assert ended.code == 0 and ended.json["chapters"][0]["position"] == 1
    assert inkos(waiting, "state", "check").code == 0


def test_export_names_what_waits_and_includes_it_only_marked(waiting: Path) -> None:
    """H11: nothing accepted is refused; then three of five."""
    assert inkos(waiting, "export").code == 1
    ran = inkos(waiting, "--json", "export", "--format", "md", "--include", "drafts", "-o", "out.md")
    assert ran.code == 0 and ran.json["chapters"] == 1
    assert "draft" in (waiting / "out.md").read_text().lower()


def test_only_approved_chapters_keep_the_numbers_of_the_whole_book(book: Path) -> None:
    author = OfflineAuthor(faults=(PlannedFault(position=2, kind="worn", stubborn=True),))
    assert written(book, author, count=3) == "done"
    statuses = [c["status"] for c in inkos(book, "--json", "status").json["chapters"]]
    assert statuses == ["accepted", "flagged", "accepted"]
    ran = inkos(book, "--json", "export", "--format", "txt", "--approved", "-o", "out.txt")
    assert ran.json["chapters"] == 2 and [left["position"] for left in ran.json["left_out"]] == [2]
    text = (book / "out.txt").read_text()
    assert "Chapter 1" in text and "Chapter 3" in text and "Chapter 2" not in text


def test_a_budget_pauses_with_exit_4_and_goes_on_when_raised(book: Path) -> None:
    ran = inkos(book, "--json", "write", "next", "--budget", "2000")
    assert ran.code == 4 and ran.json["error"]["code"] == "budget-tokens"
    run = inkos(book, "--json", "run", "list").json["runs"][0]
    assert run["status"] == "waiting"
    assert inkos(book, "run", "resume", run["id"]).code == 0
    assert inkos(book, "state", "check").code == 0


def test_a_cancelled_run_leaves_the_book_ready(book: Path) -> None:
    assert inkos(book, "plan").code == 0
    run = inkos(book, "--json", "run", "list").json["runs"][0]["id"]
    assert inkos(book, "run", "cancel", run).code == 0
    assert inkos(book, "run", "resume", run).code == 1
    assert inkos(book, "--json", "write", "next").json["chapters"][0]["position"] == 1


def test_where_the_outline_ends_it_says_so_and_what_was_written_stays(book: Path) -> None:
    """D16."""
    outline = book / "books/b/outline.md"
    cut = outline.read_text().split("### ")
    outline.write_text("### ".join(cut[:3]))
    ran = inkos(book, "--json", "write", "next", "--count", "5")
    assert ran.code == 1 and ran.json["stopped"] == "outline-ends" and len(ran.json["chapters"]) == 2
    again = inkos(book, "write", "next")
    assert again.code == 1 and "outline.md" in again.err


def test_two_writers_at_once_make_one_chapter(book: Path) -> None:
    """D04: one works, the other says who holds the book."""
    store = wire.open_workspace(book, {}).store("b")
    with store.hold("a test"):
        ran = inkos(book, "write", "next")
    assert ran.code == 5 and "a test" in ran.err
    assert inkos(book, "write", "next").code == 0


def test_doctor_reaches_the_model_and_config_says_where_values_come_from(book: Path) -> None:
    assert inkos(book, "doctor").code == 0
    rows = {row["key"]: row for row in inkos(book, "--json", "config", "show").json["values"]}
    assert rows["routes.rehearsal.model"]["origin"].endswith("inkos.yaml")
    assert rows["book.length.target"]["origin"].endswith("book.yaml")
    assert rows["limits.attempts"]["origin"] == "default"
    over = inkos(book, "--json", "config", "show", env={"INKOS_LIMITS__ATTEMPTS": "7"}).json["values"]
    assert next(row for row in over if row["key"] == "limits.attempts")["value"] == "7"


def test_everything_a_writer_sees_is_chinese_in_a_chinese_locale(book: Path) -> None:
    ran = inkos(book, "status", env={"LANG": "zh_CN.UTF-8"})
    assert "下一章" in ran.out and "伏笔" in ran.out
    assert "没有" in inkos(book, "audit", "99", env={"INKOS_LANG": "zh"}).err


def test_a_demo_on_a_strangers_brief_is_labelled_rehearsal(tmp_path: Path) -> None:
    (tmp_path / "brief.md").write_text(
        "# The Weir\n\nMara Quill keeps the weir at Ottery. On the fourth of May the miller Tom Pascoe shuts the gate "
        "and the lower fields go dry. Mara owes him nine pounds. She has until the tenth to open it again. Her cousin "
        "Jory Quill carries letters to the magistrate, a day's walk. Nobody in Ottery wants to take a side.\n"
    )
    ran = inkos(tmp_path, "--json", "demo", "out", "--brief", "brief.md")
    assert ran.code == 0, ran.err
    assert ran.json["created"]["rehearsal"] is True and ran.json["created"]["title"] == "The Weir"
    assert len(ran.json["written"]["chapters"]) == 3
    assert ran.json["exported"]["epubcheck"] in ([0, 0], None)
    cast = next((tmp_path / "out/books").glob("*/bible/cast.md")).read_text()
    assert "Mara Quill" in cast and "Tom Pascoe" in cast
    assert inkos(tmp_path, "demo", "out").code == 2


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_demo_shows_a_refusal_a_revision_that_helps_one_that_does_not_and_a_length(
    language: str, tmp_path: Path
) -> None:
    ran = inkos(tmp_path, "--json", "demo", "out", "--language", language, env={"PATH": ""})  # without epubcheck
    assert ran.code == 0, ran.err
    first, second, third = ran.json["written"]["chapters"]
    assert (first["status"], first["exit"]) == ("flagged", "no-net-improvement")
    assert second["status"] == "accepted" and second["rounds"] == 1
    assert third["status"] == "accepted" and third["calls"] == 5
    book = next((tmp_path / "out/books").iterdir())
    told = [(book / f"story/chapters/c000{n}/assessment.json").read_text() for n in (1, 2, 3)]
    assert '"admitted": true' in told[0] or '"admitted": false' in told[0]
    assert '"continuity-' in told[1] or '"time-' in told[1] or '"knowledge-' in told[1]
    assert '"origin": "length"' in told[2]
    assert inkos(tmp_path / "out", "state", "check").code == 0


def test_what_waits_names_the_same_ways_on_to_every_other_command(waiting: Path) -> None:
    """No two commands point at each other: each that must wait names the decision, or giving the chapter up."""
    run = inkos(waiting, "--json", "status").json["run"]["id"]
    (waiting / "mine.md").write_text("# Mine\n\nThe boat was late.\n")
    refused = (["chapter", "insert", "--after", "0", "--file", "mine.md"], ["chapter", "adopt", "mine.md"],
               ["entity", "rename", "Ada", "Eda"])  # fmt: skip
    for command in refused:
        ran = inkos(waiting, *command)
        assert ran.code == 1 and "inkos review decide" in ran.err and f"inkos run cancel {run}" in ran.err, ran
    assert "inkos review show" in inkos(waiting, "write", "next").out
    assert "inkos review show" in inkos(waiting, "run", "resume", run).err
    assert inkos(waiting, "run", "cancel", run).code == 0
    assert inkos(waiting, *refused[2]).code == 0
