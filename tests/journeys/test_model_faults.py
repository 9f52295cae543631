"""A chapter through the whole program against a real HTTP service that fails as users have met it (cases A, B)."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from inkos.actions import Door
from inkos.actions.founding import CreateBook, create
from inkos.actions.production import WriteNext, Written, write_next
from inkos.actions.recordings import ExportRun, export_run
from inkos.adapters.cassette import Recording
from inkos.adapters.disk import Files
from inkos.adapters.offline import OfflineAuthor
from inkos.errors import InkosError, ModelFault
from inkos.hosts import wire
from inkos.runs.events import CallFailed, Event, FellBack, Noticed
from tests.adapters.model_server import DONE, Answer, ModelServer, chunk, refusal, stream
from tests.journeys.example_books import NOON
from tests.journeys.faulty_server import playing
from tests.runs.fakes import FakeClock

UNSYNCED = Files(durable=False)
CONFIG = """schema_version: 1
providers: {{far: {{base_url: "{url}", api_key_env: FAR_KEY}}, other: {{base_url: "{url}", api_key_env: FAR_KEY}}}}
routes:
  main: {{provider: far, model: m-1, temperature: 0.7, timeouts: {{first_event: 20, silence: 1, total: 60}}}}
{more}
roles: {{default: main{roles}}}
limits: {{attempts: {attempts}}}
"""
SECOND = '  second: {provider: other, model: m-2, timeouts: {first_event: 20, silence: 1, total: 60}}'


@pytest.fixture(scope="module")
def founded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A founded book (`ws`), the same with one chapter (`whole`), and the tape of that chapter."""
    folder = tmp_path_factory.mktemp("faults")
    wire.make_workspace(folder / "ws", wire.rehearsal_config("zh"))
    tape = Recording(OfflineAuthor())

    def door(where: Path) -> Door:
        workspace = wire.open_workspace(where, {}, offline=tape, clock=FakeClock(NOON), files=UNSYNCED)
        return Door(workspace, lambda event: None, lambda: False)

    command = CreateBook(name="b", brief=wire.demo_brief("zh"), language="zh", length=600, chapters=12)
    asyncio.run(create(door(folder / "ws"), command))
    shutil.copytree(folder / "ws", folder / "whole")
    tape.lines.clear()
    asyncio.run(write_next(door(folder / "whole"), WriteNext(book="b")))
    tape.save(folder / "tape.jsonl")
    return folder


class Desk:
    """One book, opened over a service; `events` and `slept` tell what happened on the way."""

    def __init__(self, founded: Path, tmp_path: Path, server: ModelServer, *, second: bool = False, attempts: int = 3,
                 auditor: str = "") -> None:  # fmt: skip
        self.folder = tmp_path / "ws"
        if not self.folder.exists():
            shutil.copytree(founded / "ws", self.folder)
        text = CONFIG.format(url=server.base_url, more=SECOND if second else "", attempts=attempts,
                             roles=f", auditor: {auditor}" if auditor else "")  # fmt: skip
        (self.folder / "inkos.yaml").write_text(text, encoding="utf-8")
        self.events: list[Event] = []
        self.clock = FakeClock(NOON)

    def write(self) -> Written:
        workspace = wire.open_workspace(
            self.folder, {"FAR_KEY": "key-of-these-tests"}, clock=self.clock, files=UNSYNCED
        )
        door = Door(workspace, self.events.append, lambda: False)
        return asyncio.run(write_next(door, WriteNext(book="b")))

    def chapter(self) -> bytes:
        return (self.folder / "books/b/chapters/0001.md").read_bytes()

    def kept(self, pattern: str) -> list[Path]:
        return sorted((self.folder / "books/b/runs").glob(f"*/{pattern}"))

    def everything(self) -> str:
        files = [p for p in (self.folder / "books/b").rglob("*") if p.is_file() and "runs" not in p.parts]
        return "".join(path.read_text(encoding="utf-8", errors="replace") for path in files)


def same(founded: Path, desk: Desk) -> bool:
    return desk.chapter() == (founded / "whole/books/b/chapters/0001.md").read_bytes()


def fenced(text: str) -> Answer:
    return stream(f"Sure, my verdict:\n```json\n{text}\n```\nTell me if you want more detail.", size=200)


def thinking(text: str) -> Answer:
    return stream(f"<think>THOUGHT that nobody may see</think>{text}", size=200)


def broken(text: str) -> Answer:
    return Answer([chunk({"content": text[:80]})])


def silent(text: str) -> Answer:
    return Answer([chunk({"content": text[:50]})], hang=True)


def nothing(text: str) -> Answer:
    return Answer([DONE])


def test_a01_a11_fences_greetings_and_thinking_around_every_reply_cost_no_second_call(
    founded: Path, tmp_path: Path
) -> None:
    always = {"plan": fenced, "settle": thinking, "audit": fenced, "draft": thinking}
    with playing(founded / "tape.jsonl", always=always) as (service, server):
        desk = Desk(founded, tmp_path, server)
        written = desk.write()
    assert same(founded, desk) and written.chapters[0].status == "accepted"
    assert sorted(service.tasks()) == ["audit", "draft", "plan", "settle"] and written.chapters[0].calls == 4
    assert "THOUGHT" not in desk.everything()


def noted(words: str) -> Callable[[str], str]:
    """The audit with these words, as they stand, in place of its first remark."""
    return lambda text: re.sub(r'"why": "[^"]*"', lambda found: f'"why": "{words}"', text, count=1)


LOSSLESS: dict[str, Callable[[str], str]] = {
    "A02": noted("the word `suddenly` stands ```nine``` times"),
    "A03": lambda text: f"```text\n雨还在下。\n他没有回头。\n```\n\n```json\n{text}\n```",
    "A05": noted('周行在门口喊了声"等等"，没有人应'),
    "A07": noted("第一行\n\t第二行"),
    "A17": lambda text: f"[{text}]",
}


@pytest.mark.parametrize("case", LOSSLESS)
def test_a02_to_a17_an_audit_that_is_nearly_json_is_read_at_the_first_try(
    founded: Path, tmp_path: Path, case: str
) -> None:
    faults = {"audit": [lambda text: stream(LOSSLESS[case](text))]}
    with playing(founded / "tape.jsonl", faults=faults) as (service, server):
        desk = Desk(founded, tmp_path, server)
        desk.write()
    assert sorted(service.tasks()) == ["audit", "draft", "plan", "settle"]
    assert same(founded, desk)


INCOMPLETE: dict[str, tuple[str, Callable[[str], str]]] = {
    "A16": ("audit", lambda text: text.replace('"verdict": "no",', "", 1)),
    "A18": ("settle", lambda text: text.replace('"type": "travel"', '"type": ""', 1)),
    "A19": ("audit", lambda text: '{"thinking": "a long plan", "answers": []}'),
}


@pytest.mark.parametrize("case", INCOMPLETE)
def test_a16_to_a19_what_is_missing_is_asked_for_once_and_the_whole_is_taken(
    founded: Path, tmp_path: Path, case: str
) -> None:
    task, spoil = INCOMPLETE[case]
    with playing(founded / "tape.jsonl", faults={task: [lambda text: stream(spoil(text))]}) as (service, server):
        sound = next(row["reply"]["text"] for row in service.rows.values() if row["task"] == task)
        service.always["other"] = lambda text: stream(sound)
        desk = Desk(founded, tmp_path, server)
        desk.write()
    assert sorted(service.tasks()) == ["audit", "draft", "other", "plan", "settle"]
    assert same(founded, desk)


def test_a08_a_reply_cut_at_its_cap_is_asked_for_again_with_more_room_and_never_repaired(
    founded: Path, tmp_path: Path
) -> None:
    cut = [lambda text: stream(text[: len(text) // 2], finish="length")]
    with playing(founded / "tape.jsonl", faults={"settle": cut}) as (service, server):
        desk = Desk(founded, tmp_path, server)
        desk.write()
    caps = [body["max_tokens"] for task, body in service.asked if task == "settle"]
    assert same(founded, desk) and len(caps) == 2 and caps[1] > caps[0]


def test_a13_a_draft_that_is_only_thinking_is_asked_for_once_more_and_then_told_with_the_reply_kept(
    founded: Path, tmp_path: Path
) -> None:
    def unclosed(text: str) -> Answer:
        return stream("<think>雨还在下，他把信折好。")

    with playing(founded / "tape.jsonl", always={"draft": unclosed, "other": unclosed}) as (service, server):
        desk = Desk(founded, tmp_path, server)
        with pytest.raises(InkosError) as caught:
            desk.write()
    assert service.tasks() == ["plan", "draft", "other"] and caught.value.code == "model-unreadable"
    assert not (desk.folder / "books/b/chapters/0001.md").exists()
    assert any("雨还在下" in path.read_text(encoding="utf-8") for path in desk.kept("draft*.json"))


@pytest.mark.parametrize("fault", [broken, silent])
def test_b03_b04_a_draft_that_breaks_off_is_kept_aside_and_written_once_from_a_whole_reply(
    founded: Path, tmp_path: Path, fault: object
) -> None:
    with playing(founded / "tape.jsonl", faults={"draft": [fault]}) as (service, server):
        desk = Desk(founded, tmp_path, server)
        desk.write()
    assert same(founded, desk) and service.tasks().count("draft") == 2
    (partial,) = desk.kept("*.partial.txt")
    assert 0 < len(partial.read_text(encoding="utf-8")) <= 80


def test_b06_empty_successes_are_tried_again_after_growing_pauses_up_to_the_cap(founded: Path, tmp_path: Path) -> None:
    with playing(founded / "tape.jsonl", faults={"plan": [nothing] * 3}) as (service, server):
        desk = Desk(founded, tmp_path, server, attempts=4)
        written = desk.write()
    pauses = [e.again_in for e in desk.events if isinstance(e, CallFailed)]
    assert same(founded, desk) and len(pauses) == 3 and written.chapters[0].calls == 4
    assert pauses[0] is not None and pauses[2] is not None and 1 <= pauses[0] < pauses[2] and sum(desk.clock.slept) >= 7
    with playing(founded / "tape.jsonl", always={"plan": nothing}) as (service, server):
        desk = Desk(founded, tmp_path / "again", server, attempts=3)
        with pytest.raises(ModelFault) as caught:
            desk.write()
    assert caught.value.kind == "empty" and service.tasks() == ["plan"] * 3


def test_b08_four_jobs_that_are_told_to_wait_come_back_not_before_and_not_together(
    founded: Path, tmp_path: Path
) -> None:
    def wait(text: str) -> Answer:
        return refusal(429, {"error": {"message": "slow down"}}, Retry_After="3")

    pauses = []
    for number in range(4):
        with playing(founded / "tape.jsonl", faults={"plan": [wait]}) as (service, server):
            desk = Desk(founded, tmp_path / str(number), server)
            desk.write()
        pauses += [e.again_in for e in desk.events if isinstance(e, CallFailed)]
        assert service.tasks().count("plan") == 2 and sum(desk.clock.slept) >= 3
    assert all(pause is not None and 3 <= pause < 6 for pause in pauses) and len(set(pauses)) == 4


def test_b09_a_service_that_says_next_year_pauses_the_run_with_its_reason(founded: Path, tmp_path: Path) -> None:
    def later(text: str) -> Answer:
        return refusal(429, {"error": {"message": "monthly limit"}}, Retry_After="Sun, 28 Nov 2027 08:00:00 GMT")

    with playing(founded / "tape.jsonl", faults={"plan": [later]}) as (service, server):
        desk = Desk(founded, tmp_path, server)
        with pytest.raises(ModelFault) as caught:
            desk.write()
        assert caught.value.kind == "rate" and "monthly limit" in caught.value.detail and not desk.clock.slept
        desk.clock.time += 2 * 3600
        desk.write()
    assert same(founded, desk) and service.tasks().count("plan") == 2


def test_b10_a_refused_parameter_costs_one_call_in_the_run_and_is_told_once(founded: Path, tmp_path: Path) -> None:
    def fixed(text: str) -> Answer:
        return refusal(400, {"error": {"message": "invalid temperature: only 1 is allowed for this model"}})

    with playing(founded / "tape.jsonl", faults={"plan": [fixed]}) as (service, server):
        desk = Desk(founded, tmp_path, server)
        desk.write()
    assert same(founded, desk) and [("temperature" in body) for _, body in service.asked] == [True, *[False] * 4]
    assert [e.values["what"] for e in desk.events if isinstance(e, Noticed)] == ["temperature unsent"]
    assert (desk.folder / ".inkos/models.json").exists()


def test_b18_a_filtered_audit_keeps_the_draft_for_a_person_and_another_model_would_do(
    founded: Path, tmp_path: Path
) -> None:
    def filtered(text: str) -> Answer:
        return refusal(400, {"error": {"message": "content filter"}})

    with playing(founded / "tape.jsonl", always={"audit": filtered}) as (service, server):
        desk = Desk(founded, tmp_path, server)
        written = desk.write()
    (chapter,) = written.chapters
    assert written.stopped == "needs-review" and chapter.status == "needs-review" and chapter.score is None
    assert service.tasks().count("audit") <= 2 and desk.kept("draft*.json")
    with playing(founded / "tape.jsonl", faults={"audit": [filtered]}) as (service, server):
        desk = Desk(founded, tmp_path / "two", server, second=True, auditor="main")
        written = desk.write()
    assert written.chapters[0].status == "accepted" and same(founded, desk)
    assert [body["model"] for task, body in service.asked if task == "audit"] == ["m-1", "m-2"]
    (fell,) = [e for e in desk.events if isinstance(e, FellBack)]
    assert (fell.route, fell.other, fell.fault) == ("main", "second", "filtered")


def test_with_two_models_the_second_audits_and_the_writer_is_never_replaced(founded: Path, tmp_path: Path) -> None:
    def down(text: str) -> Answer:
        return refusal(500, {"error": {"message": "worker died"}})

    with playing(founded / "tape.jsonl", always={"draft": down}) as (service, server):
        desk = Desk(founded, tmp_path, server, second=True)
        with pytest.raises(ModelFault):
            desk.write()
        assert {body["model"] for task, body in service.asked if task == "draft"} == {"m-1"}
        service.always.clear()
        desk.write()
    assert same(founded, desk)
    assert [body["model"] for task, body in service.asked if task == "audit"] == ["m-2"]


def test_a_run_against_a_service_that_failed_on_the_way_is_recorded_and_played_again_without_it(
    founded: Path, tmp_path: Path
) -> None:
    faults = {"draft": [broken], "settle": [nothing], "audit": [fenced]}
    with playing(founded / "tape.jsonl", faults=faults) as (service, server):
        desk = Desk(founded, tmp_path, server)
        desk.write()
        paid = len(service.asked)
    again = tmp_path / "again"
    shutil.copytree(founded / "ws", again)
    here = wire.open_workspace(desk.folder, {}, clock=FakeClock(NOON), files=UNSYNCED)
    (run,) = here.runs("b").list()
    exported = ExportRun(run=run, book="b", prose=True, file=str(again / "run.jsonl"))
    told = asyncio.run(export_run(Door(here, lambda event: None, lambda: False), exported))
    assert told.calls == paid  # the attempts that failed are told too
    tape = (again / "run.jsonl").read_text(encoding="utf-8")
    assert "key-of-these-tests" not in tape and '"fault": "incomplete"' in tape
    (again / "inkos.yaml").write_text(
        "providers: {tape: {protocol: cassette, base_url: run.jsonl}}\n"
        "routes: {tape: {provider: tape, model: m-1}}\nroles: {default: tape}\n", encoding="utf-8"
    )  # fmt: skip
    there = wire.open_workspace(again, {}, clock=FakeClock(NOON), files=UNSYNCED)
    asyncio.run(write_next(Door(there, lambda event: None, lambda: False), WriteNext(book="b")))
    for path in ("chapters/0001.md", "story/state/current_state.json"):
        assert (again / "books/b" / path).read_bytes() == (desk.folder / "books/b" / path).read_bytes()
