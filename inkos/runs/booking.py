"""What attempts have cost, booked: into the ledger, and where a run has one into its purse; makes no call."""

from __future__ import annotations

from collections.abc import Callable

from inkos.ports import Purse, Reply, RunStore, Usage
from inkos.prompts.request import TASK_ROLES
from inkos.runs.record import Attempt, RunRecord

Price = Callable[[Usage, str], float | None]


def enter(record: RunRecord, runs: RunStore, purse: Purse | None, role: str, task: str, attempt: Attempt) -> None:
    """One attempt of a run, into its ledger and its purse."""
    runs.append_ledger(ledger_line(record, role, task, attempt))
    if purse is not None:
        used = attempt.usage.input + attempt.usage.output
        purse.settle(f"{record.id}/{attempt.id}", used, attempt.money)


def ledger_line(record: RunRecord, role: str, task: str, attempt: Attempt) -> dict[str, object]:
    return {
        "run": record.id, "chapter": record.chapter, "attempt": f"{record.id}/{attempt.id}", "role": role, "task": task,
        "model": attempt.model, "at": attempt.at, "status": attempt.status, "money": attempt.money,
        **attempt.usage.model_dump(mode="json"),
    }  # fmt: skip


def priced(price: Price, reply: Reply, asked: str) -> float | None:
    """By the model that answered, or where that name has no price, by the one that was asked for."""
    known = price(reply.usage, reply.model) if reply.model else None
    return known if known is not None else price(reply.usage, asked)


def close(record: RunRecord, runs: RunStore, price: Price, purse: Purse | None) -> RunRecord:
    """The record of a run whose process has ended, every attempt booked: one still open either left a stored reply
    (booked as it says) or is unknown (booked at its estimate: a liability)."""
    wants = dict(record.wants)
    for want in record.wants.values():
        attempts = []
        for tried in want.attempts:
            if tried.status == "open":
                content = runs.get(record.id, tried.artefact)
                ended: dict[str, object] = {"status": "unknown"}
                if content is not None:
                    reply = Reply.model_validate_json(content)
                    ended = {"status": "replied", "usage": reply.usage, "money": priced(price, reply, tried.model)}
                tried = tried.model_copy(update=ended)
                enter(record, runs, purse, TASK_ROLES[want.task], want.task, tried)
            attempts.append(tried)
        wants[want.id] = want.model_copy(update={"attempts": tuple(attempts)})
    return record.model_copy(update={"wants": wants})
