"""The verbs about what is true in a book: check, look, compare, replay, adopt; calls no model and words nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from inkos.actions.history import Later, stale_rows
from inkos.actions.reports import OfBook
from inkos.actions.table import Door, action
from inkos.config import BookConfig
from inkos.errors import InkosError, UsageFault
from inkos.kernel.adoption import difference, untold
from inkos.kernel.book import Book
from inkos.kernel.casebook import CaseResult, Tally, by_family, judged, read_cases, tally
from inkos.kernel.delta import Delta
from inkos.kernel.findings import Finding, Waiver
from inkos.kernel.invariants import check_state
from inkos.kernel.lookup import Change, Known, PromiseRow, compared, facts_about, known_by, promises, resolve
from inkos.kernel.reduce import apply
from inkos.kernel.replay import Replayed, refold
from inkos.kernel.rules import Rules
from inkos.kernel.story import Fact, StoryState
from inkos.kernel.views import fact_line
from inkos.ports import BookStore, FileProblem
from inkos.records import GENESIS, Record

# -- checking


class Checked(Record):
    """`replayed`: replaying every delta from genesis gave the state on disk. `findings` are those of the whole state
    and of every delta as it was judged again, from warnings on; each says its chapter in `values`. `stale`: chapters
    with marks, of operations left out since something before them changed, or of what rests on it."""

    book: str
    chapters: int
    replayed: bool
    findings: tuple[Finding, ...]
    problems: tuple[FileProblem, ...]
    stale: tuple[Later, ...] = ()

    @property
    def clean(self) -> bool:
        return self.replayed and not self.problems and not any(f.blocking for f in self.findings)


@action("state-check", OfBook, Checked, "reads")
async def check(door: Door, command: OfBook) -> Checked:
    """The whole state against its rules, every delta replayed from genesis, every file against its digest."""
    store = door.workspace.store(command.book)
    book = store.read(recent=0)
    rules = door.workspace.rules(book.config)
    deltas = told(store)
    waivers = [waiver for delta, _ in deltas for waiver in delta.waivers]
    whole = (_put(waivers, f) for f in check_state(book.state, rules, total_chapters=len(book.index.chapters)))
    again = _refolded(book, deltas, rules)
    return Checked(
        book=command.book,
        chapters=len(book.index.chapters),
        replayed=again.state == book.state,
        findings=tuple(f for f in (*whole, *again.findings) if f.severity != "info"),
        problems=tuple(store.problems(deep=True)),
        stale=stale_rows(book.index.chapters),
    )


def _put(waivers: Sequence[Waiver], finding: Finding) -> Finding:
    """What an author allowed in a chapter is allowed in the state that came of it."""
    for waiver in waivers:
        if waiver.code == finding.code and waiver.reason.strip() and waiver.place in ("*", finding.place[1]):
            return finding.model_copy(update={"severity": "info", "note": waiver.reason})
    return finding


def told(store: BookStore) -> list[tuple[Delta, str]]:
    """Every delta of a book in its place, the genesis first, what the author adopted after its chapter; with texts."""
    deltas = [(store.delta(GENESIS), ""), *((each, "") for each in store.author_deltas(GENESIS))]
    for entry in store.index().chapters:
        deltas.append((store.delta(entry.id), store.text(entry.id)))
        deltas += [(each, "") for each in store.author_deltas(entry.id)]
    return deltas


def _refolded(book: Book, deltas: Sequence[tuple[Delta, str]], rules: Rules) -> Replayed:
    state = book.state
    return refold(state.book_id, state.language, deltas[0][0], deltas[1:], rules, dict(book.bible))


class Replay(Record):
    """`stale`: positions of chapters of which the replay had to leave something out, with what it found there."""

    book: str
    chapters: int
    equal: bool
    stale: tuple[int, ...]
    findings: tuple[Finding, ...]


@action("state-replay", OfBook, Replay, "reads")
async def replay(door: Door, command: OfBook) -> Replay:
    """Fold every delta from nothing and compare with the state on disk."""
    store = door.workspace.store(command.book)
    book = store.read(recent=0)
    again = _refolded(book, told(store), door.workspace.rules(book.config))
    return Replay(
        book=command.book,
        chapters=len(book.index.chapters),
        equal=again.state == book.state,
        stale=tuple(again.stale),
        findings=tuple(f for f in again.findings if f.blocking),
    )


class CheckCases(Record):
    """`text` is the content of `file`: one labelled case a line. `book`: judge by its rules, else by all packs."""

    file: str
    text: str
    book: str = ""


class CasesChecked(Record):
    cases: tuple[CaseResult, ...]
    families: dict[str, Tally]
    total: Tally


@action("state-cases", CheckCases, CasesChecked, "reads")
async def check_cases(door: Door, command: CheckCases) -> CasesChecked:
    """Labelled cases: what the rules find in the contradictions, and in their clean twins."""
    rows = read_cases(command.text, command.file)
    if command.book:
        rules = door.workspace.rules(door.workspace.store(command.book).read(recent=0).config)
    else:
        config = BookConfig(id="cases", title="cases", language="en", genre="all")
        rules = Rules.build(door.workspace.packs("all"), config)
    results = judged(rows, rules)
    return CasesChecked(cases=tuple(results), families=by_family(results), total=tally(results))


# -- looking

Part = Literal["all", "facts", "hooks", "entities", "summaries", "truths", "clock"]
PARTS = get_args(Part)


class ShowState(Record):
    """`at`: after which position (null: now)."""

    book: str
    part: Part = "all"
    at: int | None = None


class Shown(Record):
    """`lines`: the part asked for, one row a line, with handles and names; `state` is the whole."""

    book: str
    at: int
    lines: tuple[str, ...]
    state: StoryState


@action("state-show", ShowState, Shown, "reads")
async def show(door: Door, command: ShowState) -> Shown:
    store = door.workspace.store(command.book)
    state, rules = _at(store, command.book, command.at), _rules(door, store)
    parts = PARTS[1:] if command.part == "all" else (command.part,)
    lines = [line for part in parts for line in _part_lines(state, part, rules)]
    return Shown(book=command.book, at=state.last_applied_chapter, lines=tuple(lines), state=state)


def _at(store: BookStore, book: str, position: int | None) -> StoryState:
    """The state after a position, from its snapshot; now without one."""
    if position is None:
        return store.read(recent=0).state
    chapters = store.index().chapters
    if not 0 <= position <= len(chapters):
        raise UsageFault("position-unknown", where=book, chapter=position, last=len(chapters))
    return store.snapshot(chapters[position - 1].id if position else GENESIS)


def _rules(door: Door, store: BookStore) -> Rules:
    return door.workspace.rules(store.config())


def _part_lines(state: StoryState, part: str, rules: Rules) -> list[str]:
    if part == "facts":
        return [fact_line(fact, state, rules) for fact in state.facts.values()]
    if part == "hooks":
        return [f"{h.handle} ({h.status}, {h.payoff_timing}) {h.core}" for h in state.hooks.values()]
    if part == "entities":
        return [f"{e.handle} {' / '.join((e.name, *e.aliases))} ({e.kind})" for e in state.entities.values()]
    if part == "summaries":
        return [f"{row.chapter} {row.title}: {row.text}" for row in state.summaries]
    if part == "truths":
        return [f"{t.handle} {t.question} — {t.truth}" for t in state.truths.values()]
    minute = "" if state.clock.minute is None else f" {state.clock.minute // 60:02d}:{state.clock.minute % 60:02d}"
    return [f"{state.clock.day}{minute} {state.clock.label}".rstrip()]


class DiffStates(Record):
    book: str
    before: int
    after: int


class Differences(Record):
    book: str
    before: int
    after: int
    changes: tuple[Change, ...]


@action("state-diff", DiffStates, Differences, "reads")
async def diff(door: Door, command: DiffStates) -> Differences:
    """What is true after one position and not after another."""
    store = door.workspace.store(command.book)
    one, other = _at(store, command.book, command.before), _at(store, command.book, command.after)
    changes = tuple(compared(one, other, _rules(door, store)))
    return Differences(book=command.book, before=command.before, after=command.after, changes=changes)


class AskFacts(Record):
    """`subject`: a name, alias or handle ("": everybody). `history`: with what has closed."""

    book: str
    subject: str = ""
    history: bool = False
    at: int | None = None


class FactRow(Record):
    """`line` bears handle and names; `until` null: open."""

    line: str
    since: int
    until: int | None
    quote: str
    source: str
    chapter: int | None
    fact: Fact


class Facts(Record):
    book: str
    at: int
    facts: tuple[FactRow, ...]


@action("state-facts", AskFacts, Facts, "reads")
async def facts(door: Door, command: AskFacts) -> Facts:
    """What is recorded, and with its history what was, each with its words."""
    store = door.workspace.store(command.book)
    state, rules = _at(store, command.book, command.at), _rules(door, store)
    last = state.last_applied_chapter
    closed: list[Fact] = []
    if command.history:
        closed = [fact for past in store.histories() if past.chapter <= last for fact in past.closed]
    who = _known(state, command.subject, command.book) if command.subject else ""
    rows = [
        FactRow(
            line=fact_line(fact, state, rules),
            since=fact.valid_from_chapter,
            until=fact.valid_until_chapter,
            quote=fact.evidence.quote or fact.evidence.reason,
            source=fact.evidence.source,
            chapter=fact.evidence.chapter,
            fact=fact,
        )
        for fact in facts_about(state, closed, who)
    ]
    return Facts(book=command.book, at=last, facts=tuple(rows))


def _known(state: StoryState, word: str, book: str) -> str:
    """The id of what a person calls by name or handle. UsageFault when nothing or more than one thing bears it."""
    found = resolve(state, word)
    if len(found) != 1:
        names = ", ".join(found) or "—"
        raise UsageFault("name-unknown" if not found else "name-shared", where=book, name=word, candidates=names)
    return found[0]


class Hooks(Record):
    book: str
    at: int
    chapters: int
    promises: tuple[PromiseRow, ...]


@action("state-hooks", OfBook, Hooks, "reads")
async def hooks(door: Door, command: OfBook) -> Hooks:
    """Promises with their windows: overdue and due first, what waits for what, what has ended last."""
    book = door.workspace.store(command.book).read(recent=0)
    rows = promises(book.state, book.next_position, book.config.chapters)
    return Hooks(
        book=command.book,
        at=book.state.last_applied_chapter,
        chapters=book.config.chapters,
        promises=tuple(rows),
    )


class AskKnowledge(Record):
    """`secret`: the handle, the question or the words of an author truth, or anything somebody knows."""

    book: str
    secret: str


class Knowledge(Record):
    book: str
    knowledge: Known


@action("state-who-knows", AskKnowledge, Knowledge, "reads")
async def who_knows(door: Door, command: AskKnowledge) -> Knowledge:
    state = door.workspace.store(command.book).read(recent=0).state
    found = known_by(state, command.secret)
    if found is None:
        raise UsageFault("secret-unknown", where=command.book, secret=command.secret)
    return Knowledge(book=command.book, knowledge=found)


class RulesExplained(Record):
    lines: tuple[str, ...]


@action("state-rules", OfBook, RulesExplained, "reads")
async def rules(door: Door, command: OfBook) -> RulesExplained:
    config = door.workspace.store(command.book).read(recent=0).config
    return RulesExplained(lines=tuple(door.workspace.rules(config).explain(config.language)))


# -- adopting


class AdoptState(Record):
    book: str
    reason: str


class Adoption(Record):
    """`changes`: what is true now and was not, and the other way round; `file` holds the author's delta."""

    book: str
    at: int
    changes: tuple[Change, ...]


@action("state-adopt", AdoptState, Adoption, "writes")
async def adopt(door: Door, command: AdoptState) -> Adoption:
    """Take what was edited in story/state/*.json as the author's own delta, after the last chapter."""
    if not command.reason.strip():
        raise UsageFault("reason-missing", where="--reason")
    store = door.workspace.store(command.book)
    with store.hold("state adopt"):
        edited = store.edited_state()
        if edited is None:
            raise UsageFault("state-unedited", where=command.book)
        before, after = edited
        book = store.read(recent=0)  # refuses what cannot stand
        rules = door.workspace.rules(book.config)
        strange = untold(before, after)
        if strange:
            raise InkosError("state-refused", where=command.book, place=strange[0], finding="kernel-015",
                             expected="—", actual="—")  # fmt: skip
        chapter = book.index.chapters[-1].id if book.index.chapters else GENESIS
        name = f"{chapter}.a{len(store.author_deltas(chapter)) + 1}"
        delta, minted = difference(before, after, chapter=name, reason=command.reason.strip(),
                                   minted=book.index.minted)  # fmt: skip
        delta = delta.model_copy(update={"rules_digest": rules.digest})
        done = apply(before, delta, "", rules)
        if done.state is None or done.history is None:
            first = next(f for f in done.findings if f.blocking)
            raise InkosError("state-refused", where=command.book, place=first.path, finding=first.code,
                             expected=first.expected, actual=first.actual)  # fmt: skip
        store.adopt(delta, done.state, done.history, minted)
    return Adoption(
        book=command.book, at=before.last_applied_chapter, changes=tuple(compared(before, done.state, rules))
    )
