"""A spent budget is no dead end (F10): paused with amount, reason and choices, the same after a restart."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from inkos.actions import ACTIONS, Door
from inkos.adapters.offline import OfflineAuthor, PlannedFault
from inkos.errors import BudgetSpent, ModelFault
from inkos.hosts import wire
from inkos.ports import ModelPort, OnText, Reply
from inkos.prompts.request import Request
from tests.hosts.cli import inkos
from tests.hosts.conftest import Shelf

PRICED = """schema_version: 1
language: en
providers: {offline: {protocol: offline}}
routes:
  rehearsal: {provider: offline, model: offline-author}
  cheap: {provider: offline, model: cheap-author}
roles: {default: rehearsal}
prices:
  offline-author: {input: 10, output: 40}
  cheap-author: {input: 0.1, output: 0.4}
"""


@pytest.fixture
def folder(shelf: Shelf, tmp_path: Path) -> Path:
    made = shelf.copy(0, tmp_path / "ws")
    (made / "inkos.yaml").write_text(PRICED)
    return made


class Watched:
    """The offline author with a mistake to be revised, and who counts what is asked; `spoil` may answer instead."""

    def __init__(self, spoil: Callable[[Request, int], Reply | None] = lambda request, count: None) -> None:
        self.author = OfflineAuthor(faults=(PlannedFault(position=1, kind="contradict"),))
        self.spoil, self.asked = spoil, [""][:0]

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        self.asked.append(request.task)
        return self.spoil(request, len(self.asked)) or await self.author.complete(request, on_text)


class NoWait:
    def now(self) -> float:
        return self.time

    def __init__(self) -> None:
        self.time = 1_767_268_800.0

    async def sleep(self, seconds: float) -> None:
        self.time += seconds


def perform(folder: Path, model: ModelPort, name: str, **values: object) -> Any:
    """One command in a process of its own, as far as what it knows goes."""
    door = Door(wire.open_workspace(folder, {}, offline=model, clock=NoWait()), lambda event: None, lambda: False)
    return asyncio.run(ACTIONS[name].run(door, ACTIONS[name].command.model_validate({"book": "b", **values})))


def spent_in_revision(folder: Path) -> tuple[Watched, str, int]:
    """A chapter whose token limit ends it after its first version was judged, before the revision."""
    model = Watched()
    for tokens in range(20_000, 90_000, 1500):
        try:
            perform(folder, model, "write-next", tokens=tokens)
        except BudgetSpent as spent:
            run = perform(folder, model, "status").run
            if run.stage == "revise":
                assert spent.values["limit"] == tokens and spent.values["spent"]
                return model, run.id, tokens
    raise AssertionError("no limit falls between the judgement and the revision")


def test_f10_a_chapter_whose_limit_falls_into_its_revision_is_paused_with_its_best_version(folder: Path) -> None:
    model, _, _ = spent_in_revision(folder)
    assert model.asked.count("draft") == 1 and "revise" not in model.asked
    shown = inkos(folder, "status")
    assert "--budget" in shown.out and "--accept-best" in shown.out and "run cancel" in shown.out, shown
    again = inkos(folder, "write", "next", "--budget", "1000")
    assert again.code == 4 and "run resume" in again.err


def test_f10_raising_the_limit_goes_on_and_the_raise_holds_after_a_restart(folder: Path) -> None:
    model, run, tokens = spent_in_revision(folder)
    with pytest.raises(BudgetSpent):
        perform(folder, model, "run-resume", run=run, tokens=tokens + 10)
    kept = json.loads((folder / f"books/b/runs/{run}/run.json").read_text())
    assert kept["limits"]["tokens"] == tokens + 10 and kept["paused"]["code"] == "budget-tokens"
    done = perform(folder, model, "run-resume", run=run, tokens=1_000_000)
    assert done.stage == "accepted" and model.asked.count("draft") == 1


def test_f10_the_best_version_is_taken_as_it_stands_and_what_blocks_waits_for_a_person(folder: Path) -> None:
    model, run, _ = spent_in_revision(folder)
    before = len(model.asked)
    done = perform(folder, model, "run-resume", run=run, accept_best=True)
    assert len(model.asked) == before, "nothing more was paid"
    assert done.status == "needs-review", "the contradiction is not canon without a person's word"
    decided = perform(folder, model, "review-decide", way="allow", reason="a twin")
    assert decided.stage == "accepted"


def test_nothing_judged_cannot_be_accepted_and_says_so(folder: Path) -> None:
    ran = inkos(folder, "--json", "write", "next", "--budget", "12000")
    assert ran.code == 4
    run = inkos(folder, "--json", "status").json["run"]["id"]
    refused = inkos(folder, "--json", "run", "resume", run, "--accept-best")
    assert refused.code == 1 and refused.json["error"]["code"] == "nothing-judged"
    assert inkos(folder, "run", "cancel", run).code == 0
    assert inkos(folder, "write", "next").code == 0, "given up, the chapter begins anew"


def test_money_spent_goes_on_with_a_cheaper_route_that_stays_with_the_run(folder: Path) -> None:
    (folder / "inkos.yaml").write_text(PRICED + "limits: {money: 0.35}\n")
    ran = inkos(folder, "--json", "write", "next")
    assert ran.code == 4 and ran.json["error"]["code"] == "budget-money", ran
    run = inkos(folder, "--json", "status").json["run"]["id"]
    assert inkos(folder, "run", "resume", run, "--route", "writer=nobody").code == 2
    assert inkos(folder, "run", "resume", run, "--route", "cheap").code == 2
    done = inkos(folder, "--json", "run", "resume", run, "--route", "default=cheap")
    assert done.code == 0, done
    shown = inkos(folder, "--json", "run", "show", run).json["run"]
    assert shown["roles"]["writer"] == "cheap" and shown["paused"] is None


def test_the_budget_of_a_book_counts_all_its_runs(folder: Path) -> None:
    assert inkos(folder, "write", "next").code == 0
    spent = inkos(folder, "--json", "status").json["spend"]
    book = folder / "books/b/book.yaml"
    book.write_text(book.read_text() + f"\nbudget: {{tokens: {spent['input'] + spent['output'] + 9000}}}\n")
    ran = inkos(folder, "--json", "write", "next")
    assert ran.code == 4 and ran.json["error"]["code"] == "budget-book-tokens", ran
    book.write_text(book.read_text().replace("budget:", "budget: {tokens: 9000000}\n#"))
    assert inkos(folder, "write", "next").code == 0


@pytest.mark.parametrize("kind", ["empty", "server"])
def test_the_same_failure_again_and_again_stops_after_a_small_bound(folder: Path, kind: Any) -> None:
    def spoil(request: Request, count: int) -> Reply | None:
        if request.task == "draft" and working:
            raise ModelFault(kind, detail="nothing")
        return None

    working, model = [True], Watched(spoil)
    for _ in range(30):
        try:
            perform(folder, model, "write-next")
        except BudgetSpent as stopped:
            assert stopped.code == "no-progress" and stopped.values["fault"] == kind
            break
        except ModelFault:
            continue
    tries = model.asked.count("draft")
    assert tries == 9, "three rounds of three tries"
    with pytest.raises(BudgetSpent):
        perform(folder, model, "write-next")
    assert model.asked.count("draft") == tries, "nothing more is sent by itself"
    with pytest.raises(ModelFault):
        perform(folder, model, "run-resume", run=perform(folder, model, "status").run.id)
    assert model.asked.count("draft") == tries + 3, "a person may try again"
    working.clear()
    assert perform(folder, model, "run-resume", run=perform(folder, model, "status").run.id).stage == "accepted"


def test_a_reply_that_nobody_can_read_is_not_bought_for_ever(folder: Path) -> None:
    model = Watched(lambda request, count: Reply(text="{nonsense", model="m") if request.task == "plan" else None)
    for _ in range(12):
        try:
            perform(folder, model, "write-next")
        except BudgetSpent as stopped:
            assert stopped.values["fault"] == "unreadable" and stopped.values["count"] == 3
            break
        except ModelFault:
            continue
    assert model.asked.count("plan") <= 8
