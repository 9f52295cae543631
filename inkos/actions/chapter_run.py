"""One chapter's run between the machine and the book: open, begin, resume, drive, commit; chooses nothing."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from inkos.actions.complaint_file import to_explain
from inkos.actions.recall import asking
from inkos.actions.retell import tell_anew
from inkos.actions.style import lists_of
from inkos.actions.table import Door
from inkos.actions.telling import state_before
from inkos.actions.told_before import told_before
from inkos.config import ROLES, BookLimits, Role, RunLimits
from inkos.cycle.acceptance import accept, next_file, papers_of
from inkos.cycle.chapter import ChapterState, Desk, given, start, unstuck
from inkos.cycle.moves import begin as begin_state
from inkos.cycle.outline_plan import plan_from_text
from inkos.cycle.wants import CommitWant
from inkos.errors import Cancelled, InkosError, ModelFault
from inkos.gates.calibration import percentile_of
from inkos.kernel.book import Book
from inkos.kernel.findings import Finding
from inkos.kernel.outline import next_entry
from inkos.kernel.papers import OutlineEntry, Plan
from inkos.ports import Accepted, BookStore, FileSet, RunStore
from inkos.prompts.context import compose
from inkos.records import Record, digest, dump
from inkos.runs.budget import Elsewhere
from inkos.runs.drive import drive
from inkos.runs.job import Job, Machine, Until
from inkos.runs.ledger import add_up, latest
from inkos.runs.machines import ChapterMachine
from inkos.runs.record import OPEN, RunRecord
from inkos.text.count import count
from inkos.text.split import heading_and_prose

_RUN = re.compile(r"(\d{1,9})-(?:c(\d{1,9})|\w+)")  # a run's id; a folder of another name is none of ours

# Whom a run asks, by its purpose.
ASKED: dict[str, tuple[Role, ...]] = {
    "write": ("planner", "writer", "settler", "auditor", "reviser"), "judge": ("settler", "auditor"),
    "settle": ("settler",),
}  # fmt: skip


@dataclass(frozen=True)
class Bench:
    """One book, open for production at one revision."""

    name: str
    book: Book
    store: BookStore
    runs: RunStore
    desk: Desk
    entry: OutlineEntry | None
    following: OutlineEntry | None


class ChapterOutcome(Record):
    """What came of one chapter's run, as hosts show it. `stage` is where it stands; `file` is set once it is canon.
    `percentile`: the share of its judge's scores below `score`, in per cent, where the judge was measured.
    `text_digest`: of the text that all this is said of."""

    book: str
    run: str
    chapter: str
    position: int
    title: str = ""
    stage: str
    status: str = ""
    exit: str = ""
    score: float | None = None
    percentile: int | None = None
    text_digest: str = ""
    words: int = 0
    target: int = 0
    rounds: int = 0
    calls: int = 0
    tokens: int = 0
    money: float | None = None
    file: str = ""
    findings: tuple[Finding, ...] = ()
    reasons: tuple[str, ...] = ()
    plan: Plan | None = None


def open_bench(
    door: Door, name: str, store: BookStore, book: Book | None = None, last: Bench | None = None
) -> Bench:
    """Read the book and lay out what the machine reads. `book`: another view of it, such as that before a chapter;
    `last`: the bench of the chapter before, whose rules and prompts hold as long as book.yaml and prompts/ do."""
    book = book or store.read()
    workspace = door.workspace
    same = last is not None and last.book.config == book.config and last.book.prompts == book.prompts
    kit = last.desk.kit if last and same else workspace.kit(book.config.language, book.prompts)
    rules = last.desk.rules if last and same else workspace.rules(book.config)
    entry, following = next_entry(book.outline, [c.outline_key for c in book.index.chapters])
    position = len(book.index.chapters) + 1
    context = compose(kit, book, entry, rules, asking(workspace.recall(name), store, position))
    language = book.config.language
    desk = Desk(book, kit, rules, workspace.messages(language), lists_of(workspace, name, language), context,
                told_before(workspace.shingles(name), store, language, position),
                workspace.calibration(book.config.roles))  # fmt: skip
    return Bench(name, book, store, workspace.runs(name), desk, entry, following)


def open_run(runs: RunStore) -> RunRecord | None:
    """The chapter run that has not ended, if there is one: at most the newest of a book can be open. One that only
    judges holds nobody up."""
    for run_id in reversed(list(runs.list())):
        record = load_run(runs, run_id)
        if record.kind == "chapter" and record.machine.get("purpose") != "judge":
            return record if record.status in OPEN else None
    return None


def load_run(runs: RunStore, run_id: str) -> RunRecord:
    """A run's record. InkosError when it is damaged; of one that is open, its machine's state too."""
    try:
        record = RunRecord.model_validate_json(runs.load(run_id))
        if record.kind == "chapter" and record.status in OPEN:
            ChapterState.model_validate(record.machine)
        return record
    except ValueError as fault:
        raise InkosError("run-damaged", where=f"runs/{run_id}/run.json", detail=str(fault)[:300]) from fault


def seen_by(door: Door, store: BookStore, state: ChapterState) -> Book:
    """The book as a chapter in work sees it: one that is told again or inserted stands before the later ones."""
    book = store.read()
    if (state.purpose == "write" and state.place == "next") or state.position > len(book.index.chapters):
        return book
    return before(door, store, book, state.position)


def reopen(door: Door, name: str, store: BookStore, record: RunRecord) -> Bench:
    """The bench that a run needs to go on, whatever its purpose."""
    state = ChapterState.model_validate(record.machine)
    return open_bench(door, name, store, seen_by(door, store, state))


def begin(
    bench: Bench, *, target: int | None = None, steer: str = "", plan_from: str = "model", rounds: int | None = None
) -> RunRecord:
    """A new run for the next chapter. Its id and the chapter's are never given twice, dropped runs included. `rounds`
    of revision, where not as many as the book allows."""
    assert bench.entry is not None
    chapter = next_chapter_id(bench)
    steer = "\n".join(line for line in (steer, *to_explain(bench.store, len(bench.book.index.chapters))) if line)
    state = start(
        bench.desk, chapter, bench.entry, bench.following, target=target, steer=steer,
        plan_from="outline" if plan_from == "outline" else "model",
    )  # fmt: skip
    if rounds is not None:
        state = state.but(rounds_allowed=rounds)
    return new_record(bench, begin_state(state, bench.desk))


def routed(record: RunRecord, routes: Mapping[str, str]) -> RunRecord:
    """The run with other routes from here on: role, or `default` for all roles that are not named → route."""
    roles = {**record.roles, **routes}
    if "default" in routes:
        roles = {**dict.fromkeys(ROLES, routes["default"]), **routes}
    return record.model_copy(update={"roles": roles})


def next_chapter_id(bench: Bench) -> str:
    used = [int(named[2]) for run in bench.runs.list() if (named := _RUN.fullmatch(run)) and named[2]]
    return f"c{max([bench.book.index.minted.get('chapter', 0), *used]) + 1:04d}"


def run_name(runs: RunStore, what: str) -> str:
    """The name of a new run: numbered on, whatever it is about."""
    number = max([int(named[1]) for run in runs.list() if (named := _RUN.fullmatch(run))], default=0) + 1
    return f"{number:05d}-{what}"


def new_record(bench: Bench, state: ChapterState) -> RunRecord:
    return RunRecord(
        id=run_name(bench.runs, state.chapter),
        kind="chapter",
        book=bench.name,
        chapter=state.chapter,
        stage=state.stage,
        base_revision=bench.book.revision,
        started=0,
        updated=0,
        machine=state.model_dump(mode="json"),
    )


def resume(bench: Bench, record: RunRecord) -> ChapterMachine:
    """The machine as the record holds it, over the book as it is now."""
    state = ChapterState.model_validate(record.machine)
    if state.position != bench.book.state.last_applied_chapter + 1:
        raise InkosError("run-overtaken", where=f"{bench.name}: {record.id}", chapter=state.position, run=record.id)
    return ChapterMachine(unstuck(state), bench.desk)


async def produce(
    door: Door, bench: Bench, record: RunRecord, *, until: Until | None = None, tokens: int | None = None,
    insist: bool = False,
) -> tuple[ChapterMachine, RunRecord]:  # fmt: skip
    """Drive a chapter's run as far as it goes. Raises what stopped it; the run is then saved and can be resumed.
    `insist`: a person said go on, after the same question had come to nothing."""
    workspace = door.workspace
    if not record.started:
        record = record.model_copy(update={"started": workspace.clock.now()})
    config = bench.book.config
    job = Job(
        machine=resume(bench, record),
        record=record,
        runs=bench.runs,
        models=workspace.models({**config.roles, **record.roles}),
        clock=workspace.clock,
        limiter=workspace.limiter,
        purse=workspace.purse,
        price=workspace.price,
        limits=limits(workspace.config.limits, config.limits, record.limits, tokens),
        book=config.budget,
        elsewhere=elsewhere(bench.runs, record.id, config.budget) if config.budget else None,
        insist=insist,
        commit=lambda machine, want, run: commit(bench, machine, want, run, iso(workspace.clock.now())),
        emit=door.emit,
        stopped=door.stopped,
        share=random.random(),  # books that are written side by side must not come back to a service all at once
    )
    if not record.wants:  # a route or a key that is missing is told before the first call is paid, not at its own
        for role in ASKED[str(record.machine.get("purpose"))]:
            job.models.model(role)
    machine = await drive(job, until) if until else await drive(job)
    assert isinstance(machine, ChapterMachine)
    if machine.state.stuck:
        detail = "; ".join(machine.state.notes[-2:])
        raise ModelFault(machine.state.stuck, where=f"{bench.name}: {record.id}", detail=detail)  # type: ignore[arg-type]
    if door.stopped() and machine.status == "running":
        raise Cancelled
    return machine, job.record


def limits(
    workspace: RunLimits, book: RunLimits | None, run: RunLimits | None, tokens: int | None
) -> RunLimits:
    """The nearest wins, value by value: flag, what a person chose for the run, book, workspace."""
    chosen = workspace.model_dump()
    for nearer in (book, run):
        if nearer is not None:
            chosen.update({k: v for k, v in nearer.model_dump(exclude_unset=True).items() if v is not None})
    if tokens is not None:
        chosen["tokens"] = tokens
    return RunLimits.model_validate(chosen)


def elsewhere(runs: RunStore, run_id: str, book: BookLimits) -> Elsewhere:
    """What the other runs of the book have spent, by its ledger; their working time, where there is a limit of it."""
    spent = add_up(row for row in latest(runs.ledger()) if row.get("run") != run_id)
    seconds = 0.0
    if book.seconds is not None:
        seconds = sum(load_run(runs, other).working_seconds for other in runs.list() if other != run_id)
    return Elsewhere(spent.tokens, spent.money, seconds)


def iso(seconds: float) -> str:
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def commit(bench: Bench, machine: Machine, want: CommitWant, run: tuple[str, bytes], at: str) -> int:
    """Make canon, or keep for review: one set with the run record that holds afterwards."""
    assert isinstance(machine, ChapterMachine)
    state = machine.state
    if want.id == "hold":
        best = state.version(state.best)
        folder = f"story/chapters/{state.chapter}/review"
        title = state.plan.title if state.plan else state.entry.title
        files = {f"{folder}/text.md": f"# {title}\n\n{best.text}\n".encode(), f"runs/{run[0]}/run.json": run[1]}
        files |= {f"{folder}/{name}": content for name, content in papers_of(state, machine.desk).items()}
        return bench.store.commit(FileSet(files=dict(files)))
    if state.place != "next" or state.purpose == "settle":
        return tell_anew(bench.name, bench.store, machine.desk, state, run, at)
    known = [row.file for row in bench.store.index().chapters]
    file = next_file(known, bench.store.names("chapters"))
    made = accept(state, machine.desk, run[0], at, file)
    return bench.store.accept(
        Accepted(entry=made.entry, text=made.text, delta=made.delta, state=made.state, history=made.history,
                 index=made.index, run=run,
                 papers={f"story/chapters/{state.chapter}/{k}": v for k, v in made.papers.items()})
    )  # fmt: skip


def outcome_of(
    bench: Bench, machine: ChapterMachine, record: RunRecord, earlier: Sequence[RunRecord] = ()
) -> ChapterOutcome:
    """`earlier`: runs that led to this one and count with it."""
    paid = [record, *earlier]
    money = [each.money for each in paid]
    state = machine.state
    number = state.best or state.current
    shown = state.version(number) if number else None
    judged = shown.assessment if shown else None
    rows = bench.store.index().chapters
    row = next((row for row in rows if row.id == state.chapter and state.stage == "accepted"), None)
    score = judged.score if judged else None
    return ChapterOutcome(
        book=bench.name,
        run=record.id,
        chapter=state.chapter,
        position=state.position,
        title=state.plan.title if state.plan else state.entry.title,
        stage=state.stage,
        status="" if state.stage == "commit" else state.status,  # judged to pass is not accepted yet
        exit=state.exit,
        score=row.score if row and score is None else score,  # settled only: the score it was given before holds
        percentile=percentile_of(bench.desk.judge, judged.score if judged else None),
        text_digest=digest(shown.text) if shown else "",
        words=judged.length if judged else 0,
        target=state.target,
        rounds=state.rounds_used,
        calls=sum(1 for each in paid for a in each.attempts() if a.status == "replied"),
        tokens=sum(each.tokens for each in paid),
        money=None if None in money else sum(each for each in money if each is not None),
        file=row.file if row else "",
        findings=judged.findings if judged else (),
        reasons=state.reasons,
        plan=state.plan,
    )


def before(door: Door, store: BookStore, book: Book, position: int) -> Book:
    """The book as it stood before chapter `position`: its snapshot, its index, its recent texts."""
    chapters = book.index.chapters[: position - 1]
    state = state_before(store, book, position, door.workspace.rules(book.config))
    recent = tuple(store.text(entry.id) for entry in chapters[-10:])
    index = book.index.model_copy(update={"chapters": chapters})
    return book.model_copy(update={"state": state, "index": index, "recent": recent})


def given_chapter(
    door: Door, name: str, store: BookStore, book: Book, position: int, purpose: Literal["judge", "settle"]
) -> tuple[Bench, ChapterState]:
    """An accepted chapter as it stands in its file, on the book before it, ready to be judged or settled again."""
    entry = book.index.chapters[position - 1]
    earlier = open_bench(door, name, store, before(door, store, book, position))
    title, _ = heading_and_prose((store.file(entry.file) or b"").decode(errors="replace"))
    paper = store.chapter_file(entry.id, "plan.json")
    text = store.text(entry.id)
    plan = plan_from_text(earlier.desk.book, entry.title, text, book.config.length.target)
    if paper is not None:
        try:
            plan = Plan.model_validate_json(paper)
        except ValueError as fault:
            raise InkosError("file-damaged", where=f"story/chapters/{entry.id}/plan.json", detail=str(fault)) from fault
    plan = plan.model_copy(update={"title": title or entry.title})
    if purpose == "settle":  # the text stands as it is: its length is nobody's fault
        own = count(text, book.config.language, punctuation=book.config.length.count_punctuation)
        plan = plan.model_copy(update={"target": max(own, 1)})
    outline = next((e for e in book.outline.entries if e.key == entry.outline_key), None)
    outline = outline or OutlineEntry(key=entry.outline_key, title=entry.title)
    return earlier, given(earlier.desk, entry.id, outline, text, plan, purpose)


async def judge_existing(door: Door, bench: Bench, store: BookStore, position: int) -> ChapterOutcome:
    """Judge an accepted chapter as it stands; nothing of the book changes."""
    earlier, state = given_chapter(door, bench.name, store, bench.book, position, "judge")
    begun = _judging(earlier.runs, state) or new_record(earlier, state)
    machine, record = await produce(door, earlier, begun)
    outcome = outcome_of(earlier, machine, record)
    store.commit(FileSet(files={f"story/chapters/{record.chapter}/audit.json": dump(outcome)}))
    return outcome


def _judging(runs: RunStore, wanted: ChapterState) -> RunRecord | None:
    """The newest run, where it judges this very text and was stopped: its replies are paid for."""
    newest = runs.list()[-1:]
    record = load_run(runs, newest[0]) if newest else None
    if record is None or record.kind != "chapter" or record.status not in OPEN:
        return None
    state = ChapterState.model_validate(record.machine)
    same = [(s.purpose, s.chapter, s.position, s.plan, s.version(1).text) for s in (state, wanted) if s.versions]
    return record if same[1:] == same[:1] else None
