"""One chapter's run between the machine and the book: open, begin, resume, drive, commit; chooses nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from inkos.actions.table import Door
from inkos.config import RunLimits
from inkos.cycle.acceptance import accept, papers_of
from inkos.cycle.chapter import ChapterState, Desk, given, start, unstuck
from inkos.cycle.moves import begin as begin_state
from inkos.cycle.wants import CommitWant
from inkos.errors import Cancelled, InkosError, ModelFault
from inkos.kernel.book import Book
from inkos.kernel.findings import Finding
from inkos.kernel.outline import next_entry
from inkos.kernel.papers import OutlineEntry, Plan
from inkos.ports import Accepted, BookStore, FileSet, RunStore
from inkos.prompts.context import compose
from inkos.records import Record, dump
from inkos.runs.drive import Job, Machine, Until, drive
from inkos.runs.machines import ChapterMachine
from inkos.runs.record import OPEN, RunRecord


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
    file: str = ""  # where the chapter's text stands already, when an accepted one is settled again


class ChapterOutcome(Record):
    """What came of one chapter's run, as hosts show it. `stage` is where it stands; `file` is set once it is canon."""

    book: str
    run: str
    chapter: str
    position: int
    title: str = ""
    stage: str
    status: str = ""
    exit: str = ""
    score: float | None = None
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


def open_bench(door: Door, name: str, store: BookStore, book: Book | None = None) -> Bench:
    """Read the book and lay out what the machine reads. `book`: another view of it, such as that before a chapter."""
    book = book or store.read()
    workspace = door.workspace
    kit = workspace.kit(book.config.language, book.prompts)
    rules = workspace.rules(book.config)
    entry, following = next_entry(book.outline, [c.outline_key for c in book.index.chapters])
    context = compose(kit, book, entry, rules)
    language = book.config.language
    desk = Desk(book, kit, rules, workspace.messages(language), workspace.house_lists(language), context)
    return Bench(name, book, store, workspace.runs(name), desk, entry, following)


def open_run(runs: RunStore) -> RunRecord | None:
    """The chapter run that has not ended, if there is one: at most the newest of a book can be open."""
    for run_id in reversed(list(runs.list())):
        record = load_run(runs, run_id)
        if record.kind == "chapter":
            return record if record.status in OPEN else None
    return None


def load_run(runs: RunStore, run_id: str) -> RunRecord:
    """A run's record. InkosError when it is damaged."""
    try:
        return RunRecord.model_validate_json(runs.load(run_id))
    except ValueError as fault:
        raise InkosError("run-damaged", where=f"runs/{run_id}/run.json", detail=str(fault)[:300]) from fault


def begin(
    bench: Bench, *, target: int | None = None, steer: str = "", plan_from: str = "model"
) -> RunRecord:
    """A new run for the next chapter. Its id and the chapter's are never given twice, dropped runs included."""
    assert bench.entry is not None
    chapter = next_chapter_id(bench)
    state = start(
        bench.desk, chapter, bench.entry, bench.following, target=target, steer=steer,
        plan_from="outline" if plan_from == "outline" else "model",
    )  # fmt: skip
    return new_record(bench, begin_state(state, bench.desk))


def next_chapter_id(bench: Bench) -> str:
    used = [int(run.rsplit("-c", 1)[1]) for run in bench.runs.list() if "-c" in run]
    return f"c{max([bench.book.index.minted.get('chapter', 0), *used]) + 1:04d}"


def new_record(bench: Bench, state: ChapterState) -> RunRecord:
    number = max([int(run.split("-", 1)[0]) for run in bench.runs.list()], default=0) + 1
    return RunRecord(
        id=f"{number:05d}-{state.chapter}",
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
        raise InkosError("run-overtaken", where=f"{bench.name}: {record.id}", chapter=state.position)
    return ChapterMachine(unstuck(state), bench.desk)


async def produce(
    door: Door, bench: Bench, record: RunRecord, *, until: Until | None = None, tokens: int | None = None
) -> tuple[ChapterMachine, RunRecord]:
    """Drive a chapter's run as far as it goes. Raises what stopped it; the run is then saved and can be resumed."""
    workspace = door.workspace
    if not record.started:
        record = record.model_copy(update={"started": workspace.clock.now()})
    config = bench.book.config
    job = Job(
        machine=resume(bench, record),
        record=record,
        runs=bench.runs,
        models=workspace.models(config.roles),
        clock=workspace.clock,
        price=workspace.price,
        limits=limits(workspace.config.limits, config.limits, tokens),
        commit=lambda machine, want, run: commit(bench, machine, want, run, iso(workspace.clock.now())),
        emit=door.emit,
        stopped=door.stopped,
    )
    machine = await drive(job, until) if until else await drive(job)
    assert isinstance(machine, ChapterMachine)
    if machine.state.stuck:
        detail = "; ".join(machine.state.notes[-2:])
        raise ModelFault(machine.state.stuck, where=f"{bench.name}: {record.id}", detail=detail)  # type: ignore[arg-type]
    if door.stopped() and machine.status == "running":
        raise Cancelled
    return machine, job.record


def limits(workspace: RunLimits, book: RunLimits | None, tokens: int | None) -> RunLimits:
    """The nearest wins, value by value: flag, book, workspace."""
    chosen = workspace.model_dump()
    if book is not None:
        chosen.update({k: v for k, v in book.model_dump(exclude_unset=True).items() if v is not None})
    if tokens is not None:
        chosen["tokens"] = tokens
    return RunLimits.model_validate(chosen)


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
    made = accept(state, machine.desk, run[0], at, bench.file)
    return bench.store.accept(
        Accepted(entry=made.entry, text=made.text, delta=made.delta, state=made.state, history=made.history,
                 index=made.index, run=run,
                 papers={f"story/chapters/{state.chapter}/{k}": v for k, v in made.papers.items()})
    )  # fmt: skip


def outcome_of(bench: Bench, machine: ChapterMachine, record: RunRecord) -> ChapterOutcome:
    state = machine.state
    number = state.best or state.current
    shown = state.version(number) if number else None
    judged = shown.assessment if shown else None
    return ChapterOutcome(
        book=bench.name,
        run=record.id,
        chapter=state.chapter,
        position=state.position,
        title=state.plan.title if state.plan else state.entry.title,
        stage=state.stage,
        status=state.status,
        exit=state.exit,
        score=judged.score if judged else None,
        words=judged.length if judged else 0,
        target=state.target,
        rounds=state.rounds_used,
        calls=sum(1 for a in record.attempts() if a.status == "replied"),
        tokens=record.tokens,
        money=record.money,
        file=f"chapters/{state.position:04d}.md" if state.stage == "accepted" else "",
        findings=judged.findings if judged else (),
        reasons=state.reasons,
        plan=state.plan,
    )


def before(store: BookStore, book: Book, position: int) -> Book:
    """The book as it stood before chapter `position`: its snapshot, its index, its recent texts."""
    chapters = book.index.chapters[: position - 1]
    state = store.snapshot(chapters[-1].id if chapters else "genesis")
    recent = tuple(store.text(entry.id) for entry in chapters[-10:])
    index = book.index.model_copy(update={"chapters": chapters})
    return book.model_copy(update={"state": state, "index": index, "recent": recent})


def _given(door: Door, bench: Bench, store: BookStore, position: int, purpose: str) -> tuple[Bench, RunRecord]:
    entry = bench.book.index.chapters[position - 1]
    earlier = open_bench(door, bench.name, store, before(store, bench.book, position))
    prose = store.text(entry.id)
    paper = store.chapter_file(entry.id, "plan.json")
    if paper is None:
        raise InkosError("plan-missing", where=f"story/chapters/{entry.id}/plan.json", chapter=position)
    plan = Plan.model_validate_json(paper).model_copy(update={"title": entry.title})
    outline = next((e for e in bench.book.outline.entries if e.key == entry.outline_key), None)
    outline = outline or OutlineEntry(key=entry.outline_key, title=entry.title)
    state = given(earlier.desk, entry.id, outline, prose, plan, "settle" if purpose == "settle" else "judge")
    return earlier, new_record(earlier, state)


async def judge_existing(door: Door, bench: Bench, store: BookStore, position: int) -> ChapterOutcome:
    """Judge an accepted chapter as it stands; nothing of the book changes."""
    earlier, record = _given(door, bench, store, position, "judge")
    machine, record = await produce(door, earlier, record)
    outcome = outcome_of(earlier, machine, record)
    store.commit(FileSet(files={f"story/chapters/{record.chapter}/audit.json": dump(outcome)}))
    return outcome


async def settle_existing(door: Door, bench: Bench, store: BookStore) -> ChapterOutcome:
    """Settle the last chapter again from its file as it stands now, edited by hand or not."""
    earlier, record = _given(door, bench, store, len(bench.book.index.chapters), "settle")
    earlier = replace(earlier, file=bench.book.index.chapters[-1].file)
    machine, record = await produce(door, earlier, record)
    return outcome_of(earlier, machine, record)
