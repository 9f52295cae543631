"""The verbs for what waits for a person: list it, show it with its ways out, decide it; judges nothing itself."""

from __future__ import annotations

from typing import Literal

from pydantic import ValidationError

from inkos.actions.chapter_run import ChapterOutcome, iso, open_run, outcome_of, produce, reopen, resume
from inkos.actions.table import Door, action
from inkos.cycle.chapter import GATE_SCORE, ChapterState, Decided
from inkos.errors import InkosError, UsageFault
from inkos.gates.numbering import number
from inkos.kernel.delta import Delta
from inkos.kernel.findings import Waiver
from inkos.kernel.papers import NumberedFinding
from inkos.ports import BookStore
from inkos.records import Record, dump
from inkos.runs.record import RunRecord
from inkos.text.split import heading_and_prose

Way = Literal["revise", "text", "delta", "allow", "again", "drop"]


class ListReviews(Record):
    """`book` empty: all books of the workspace."""

    book: str = ""


class Waiting(Record):
    book: str
    run: str
    position: int
    title: str
    score: float | None
    findings: int
    blocking: int
    reasons: tuple[str, ...] = ()


class Reviews(Record):
    waiting: tuple[Waiting, ...]


class ShowReview(Record):
    book: str


class Review(Record):
    """`ways` are the ways out that fit this chapter, in the order of their numbers."""

    book: str
    run: str
    position: int
    title: str
    text: str
    text_file: str
    score: float | None
    findings: tuple[NumberedFinding, ...]
    unreadable: tuple[str, ...]
    notes: tuple[str, ...]
    ways: tuple[Way, ...]


class Decide(Record):
    """`way` is a name, or its number as `review show` counts them. `file` is the content of the text or delta given.
    `codes`: the findings to allow, empty means all blocking ones, and the score where the gate holds the chapter for
    it. `kept`: the version as it was kept counts, whatever was edited in its review file since."""

    book: str
    way: str
    reason: str = ""
    by: str = ""
    file: str = ""
    codes: tuple[str, ...] = ()
    kept: bool = False


def _waiting(door: Door, book: str) -> tuple[RunRecord, ChapterState] | None:
    record = open_run(door.workspace.runs(book))
    if record is None or record.status != "needs-review":
        return None
    return record, ChapterState.model_validate(record.machine)


@action("review-list", ListReviews, Reviews, "reads")
async def list_reviews(door: Door, command: ListReviews) -> Reviews:
    rows = []
    for book in [command.book] if command.book else door.workspace.books():
        found = _waiting(door, book)
        if found is None:
            continue
        record, state = found
        judged = state.version(state.best).assessment
        rows.append(
            Waiting(
                book=book,
                run=record.id,
                position=state.position,
                title=state.plan.title if state.plan else "",
                score=judged.score if judged else None,
                findings=len(judged.findings) if judged else 0,
                blocking=len(judged.blocking) if judged else 0,
                reasons=state.reasons,
            )
        )
    return Reviews(waiting=tuple(rows))


def _require(door: Door, book: str) -> tuple[RunRecord, ChapterState]:
    found = _waiting(door, book)
    if found is None:
        raise InkosError("nothing-waits", where=book)
    return found


@action("review-show", ShowReview, Review, "reads")
async def show_review(door: Door, command: ShowReview) -> Review:
    record, state = _require(door, command.book)
    best = state.version(state.best)
    assert best.assessment is not None
    language = door.workspace.store(command.book).read().config.language
    return Review(
        book=command.book,
        run=record.id,
        position=state.position,
        title=state.plan.title if state.plan else state.entry.title,
        text=best.text,
        text_file=review_file(state),
        score=best.assessment.score,
        findings=number(best.assessment.findings, door.workspace.messages(language), every=True),
        unreadable=best.assessment.unreadable,
        notes=state.notes,
        ways=ways_out(state),
    )


@action("review-decide", Decide, ChapterOutcome, "writes")
async def decide(door: Door, command: Decide) -> ChapterOutcome:
    """Carry out a person's decision; the chapter goes on from there, to canon or back to review."""
    store = door.workspace.store(command.book)
    with store.hold("review decide"):
        record, state = _require(door, command.book)
        bench = reopen(door, command.book, store, record)
        decision = _decision(command, state, _edited(store, state))
        machine = resume(bench, record).advance(decision)
        _noted(door, command, record, state, decision)
        record = record.model_copy(update={"machine": machine.dump(), "stage": machine.stage})
        if machine.stage == "dropped":
            record = record.model_copy(update={"status": "cancelled", "revision": record.revision + 1})
            bench.runs.save(record.id, dump(record))
            return outcome_of(bench, machine, record)
        done, record = await produce(door, bench, record)
        return outcome_of(bench, done, record)


def _noted(door: Door, command: Decide, record: RunRecord, state: ChapterState, decision: Decided) -> None:
    """Who decided what, when and why, and over what: kept with the run, one file for each decision."""
    judged = state.version(state.best).assessment
    runs, number = door.workspace.runs(command.book), 1
    while runs.get(record.id, f"decision-{number}.json") is not None:
        number += 1
    said = {"by": command.by, "at": iso(door.workspace.clock.now()), "way": decision.choice,
            "reason": command.reason, "codes": list(command.codes),
            "blocking": [f.code for f in judged.blocking] if judged else []}  # fmt: skip
    runs.put(record.id, f"decision-{number}.json", dump(said))


def review_file(state: ChapterState) -> str:
    """Where the text that waits is kept for a person to read, and to edit."""
    return f"story/chapters/{state.chapter}/review/text.md"


def _edited(store: BookStore, state: ChapterState) -> str:
    """What the review file says where it was edited since it was kept; empty where it was not."""
    content = store.file(review_file(state))
    _, prose = heading_and_prose((content or b"").decode(errors="replace"))
    return "" if prose.strip() == state.version(state.best).text.strip() else prose.strip()


def ways_out(state: ChapterState) -> tuple[Way, ...]:
    """The ways that fit a waiting chapter, in the order of their numbers."""
    judged = state.version(state.best).assessment
    if judged is None or judged.unreadable:
        return ("again", "text", "drop")
    return ("revise", "text", "delta", "allow", "drop")


def _decision(command: Decide, state: ChapterState, edited: str) -> Decided:
    ways = ways_out(state)
    numbered = dict(zip("12345", ways, strict=False))
    way = numbered.get(command.way, command.way)
    if way not in ways:
        raise UsageFault("choice", where="WAY", given=command.way, allowed=", ".join(ways))
    given = heading_and_prose(command.file)[1].strip() if command.file else ""
    if way == "text" and not command.file and not command.kept:
        given = edited
    if edited and not command.kept and not (way == "text" and given == edited):
        raise UsageFault("review-edited", where=review_file(state), way=way)
    if way == "allow":
        return _allowed(command, state)
    if way == "text":
        if not given:
            raise UsageFault("text-missing", where=review_file(state))
        return Decided(choice="text", text=given, by=command.by)
    if way == "delta":
        return Decided(choice="delta", delta=_delta(command.file), by=command.by)
    return Decided.model_validate({"choice": way, "by": command.by})


def _delta(content: str) -> Delta:
    if not content:
        raise UsageFault("delta-missing", where="--file")
    try:
        return Delta.model_validate_json(content)
    except ValidationError as fault:
        first = fault.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise UsageFault("delta-unreadable", where="--file", detail=f"{place}: {first['msg']}".strip(": ")) from fault


def _allowed(command: Decide, state: ChapterState) -> Decided:
    if not command.reason.strip():
        raise UsageFault("reason-missing", where="--reason")
    judged = state.version(state.best).assessment
    assert judged is not None
    places = [f.place for f in judged.blocking]
    if {"low-score", "unscored"} & set(state.reasons):
        places.append((GATE_SCORE, "*"))
    known = dict.fromkeys(code for code, _ in places)
    unknown = next((code for code in command.codes if code not in known), None)
    if unknown is not None:
        raise UsageFault("choice", where="--code", given=unknown, allowed=", ".join(known))
    chosen = [(code, place) for code, place in places if not command.codes or code in command.codes]
    waivers = tuple(Waiver(code=code, place=place, reason=command.reason, by=command.by) for code, place in chosen)
    return Decided(choice="allow", waivers=waivers, by=command.by)
