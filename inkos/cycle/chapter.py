"""What happens next in one chapter, as a machine; does not know who calls models, keeps files or waits for people.

    plan ─▶ draft ─▶ (length) ─▶ assess ─▶ (again) ─▶ gate ─▶ commit ─▶ accepted
                                   ▲                   │ revise / rewrite
                                   └───────────────────┘
    gate ─▶ hold ─▶ review ─▶ (a person's decision) ─▶ revise │ assess │ commit │ dropped

The only loop runs through the gate, and the gate decides by quality (inkos/gates/verdict.py); rounds are a fuse.
Every move is `advance(state, outcomes, desk) -> (state, wants)`; the state is total, so whoever holds it can go on.
An outcome that the present stage does not ask for changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from pydantic import model_validator

from inkos.cycle.ask import Asked, base_of
from inkos.gates.bias import LATELY, to_ask
from inkos.gates.calibration import Calibration
from inkos.gates.check import HouseLists
from inkos.kernel.book import Book
from inkos.kernel.delta import Delta
from inkos.kernel.findings import Finding, Waiver
from inkos.kernel.papers import Audit, OutlineEntry, Plan, SecondLook, Version
from inkos.kernel.rules import Rules
from inkos.messages import Messages
from inkos.prompts.context import Context
from inkos.prompts.kit import Kit
from inkos.records import Record

Stage = Literal[
    "plan", "draft", "length", "assess", "again", "revise", "commit", "hold", "review", "accepted", "judged", "dropped"
]
FINAL: frozenset[str] = frozenset({"accepted", "judged", "dropped"})
GATE_SCORE = "gate-score"  # the code under which a waiver allows a score that the gate holds a chapter for


class ChapterState(Record):
    """Where one chapter stands, whole. `current` is the number of the version under judgement, `best` of the best
    admitted one. `settled`, `audited`, `looks` are what has come for the current version. `calls` holds the questions
    that are half answered, by want id without suffix. `notes` is what readers and gates did, in order. `stuck` is why
    the chapter cannot go on by itself (a fault kind); `tries` counts how often a person sent it on, so that a question
    which failed is asked anew under another id. `place` says what becomes of it: the `next` chapter, an accepted one
    told `again`, or one to `insert` at its position; `file` is where its text is to stand, `erratum` why a locked one
    changes. `take` of `takes`: the number of this sample of one plan, and of the last that is wanted;
    `drawn`: those that came before it."""

    schema_version: int = 1
    chapter: str
    position: int
    purpose: Literal["write", "judge", "settle"] = "write"
    stage: Stage = "plan"
    entry: OutlineEntry
    next_entry: OutlineEntry | None = None
    target: int
    asked: int = 0
    steer: str = ""
    plan_from: Literal["model", "outline"] = "model"
    plan: Plan | None = None
    partial: str = ""
    versions: tuple[Version, ...] = ()
    current: int = 0
    best: int = 0
    rounds_used: int = 0
    rounds_allowed: int = 1
    settled: Delta | None = None
    audited: Audit | None = None
    looks: dict[str, SecondLook] = {}
    disputed: tuple[Finding, ...] = ()
    done: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    calls: dict[str, Asked] = {}
    waivers: tuple[Waiver, ...] = ()
    status: Literal["", "accepted", "flagged", "needs-review"] = ""
    exit: str = ""
    reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    stuck: str = ""
    tries: int = 0
    place: Literal["next", "again", "insert"] = "next"
    file: str = ""
    erratum: str = ""
    take: int = 0
    takes: int = 0
    drawn: tuple[int, ...] = ()

    @model_validator(mode="after")
    def _whole(self) -> ChapterState:
        """Of a state that was read from a file: it names its versions, and has what its stage stands on."""
        if not (0 <= self.current <= len(self.versions) and 0 <= self.best <= len(self.versions)):
            raise ValueError("current, best: no such version")
        if self.stage in ("commit", "hold", "review") and not (self.best and self.version(self.best).assessment):
            raise ValueError("best: nothing was judged")
        if self.plan is None and self.stage not in ("plan", "dropped"):
            raise ValueError("plan: missing")
        return self

    @property
    def to_ask(self) -> int:
        """The length that plan and draft are asked for; judged is by `target`."""
        return self.asked or self.target

    def version(self, number: int) -> Version:
        return self.versions[number - 1]

    def with_version(self, version: Version) -> ChapterState:
        """The state with a version added, or replaced where its number is known."""
        kept = tuple(v for v in self.versions if v.number != version.number)
        return self.but(versions=tuple(sorted((*kept, version), key=lambda v: v.number)))

    def but(self, **changes: object) -> ChapterState:
        return self.model_copy(update=changes)

    def noted(self, *notes: str) -> ChapterState:
        return self.but(notes=(*self.notes, *(n for n in notes if n)))

    def finished(self, base: str) -> ChapterState:
        """The question `base` has ended: it is not asked again."""
        return self.but(done=(*self.done, base), calls={k: v for k, v in self.calls.items() if k != base})


class Desk(NamedTuple):
    """What the machine reads and never changes: the book at one revision, its prompts, rules, words and context. `seen`
    tells which of some sampled runs of words stand in an earlier chapter; null: only the last chapters are compared.
    `judge`: what was measured of the one who audits, where it was."""

    book: Book
    kit: Kit
    rules: Rules
    messages: Messages
    lists: HouseLists
    context: Context
    seen: Callable[[frozenset[int]], frozenset[int]] | None = None
    judge: Calibration | None = None


class Decided(Record):
    """A person's word on a chapter that waits for review (design/chapter.md): the text is wrong (`revise`, or `text`
    with the author's own), the extraction is wrong (`delta`), allow it with a reason (`allow`), have it judged
    again where a reply could not be read (`again`), or give it up (`drop`)."""

    kind: Literal["decided"] = "decided"
    want: str = "review"
    choice: Literal["revise", "text", "delta", "allow", "again", "drop"]
    text: str = ""
    delta: Delta | None = None
    waivers: tuple[Waiver, ...] = ()
    by: str = ""


def start(
    desk: Desk,
    chapter: str,
    entry: OutlineEntry,
    next_entry: OutlineEntry | None,
    *,
    target: int | None = None,
    steer: str = "",
    plan_from: Literal["model", "outline"] = "model",
) -> ChapterState:
    """A new chapter, from its outline entry. `target` in the book's counting unit; `steer` is the author's word.
    What is asked of the writer is corrected by how far its last drafts ran over or under."""
    wanted = target or desk.book.config.length.target
    return ChapterState(
        chapter=chapter,
        position=desk.book.state.last_applied_chapter + 1,
        entry=entry,
        next_entry=next_entry,
        target=wanted,
        asked=to_ask(wanted, [(entry.asked, entry.drafted) for entry in desk.book.index.chapters[-LATELY:]]),
        steer=steer,
        plan_from=plan_from,
        rounds_allowed=desk.book.config.gate.rounds,
    )


def given(
    desk: Desk, chapter: str, entry: OutlineEntry, text: str, plan: Plan, purpose: Literal["judge", "settle"]
) -> ChapterState:
    """A text that is there already, to be judged only, or to be settled again and committed as it stands."""
    return ChapterState(
        chapter=chapter,
        position=desk.book.state.last_applied_chapter + 1,
        purpose=purpose,
        stage="assess",
        entry=entry,
        target=plan.goal or plan.target,
        plan=plan,
        place="again" if purpose == "settle" else "next",
        versions=(Version(number=1, origin="given", text=text),),
        current=1,
        best=1,
        rounds_allowed=0,
        done=("audit.1",) if purpose == "settle" else (),
    )


def unstuck(state: ChapterState) -> ChapterState:
    """A person sends a stuck chapter on: the question that failed is asked anew."""
    return state.but(stuck="", tries=state.tries + 1, calls={}) if state.stuck else state


def open_calls(state: ChapterState) -> tuple[str, ...]:
    """The questions that this stage still asks, by base id."""
    new = len(state.versions) + 1
    again = f"t{state.tries}" if state.tries else ""
    asked: tuple[str, ...] = ()
    if state.stuck:
        return ()
    if state.stage == "plan":
        asked = (f"plan.1{again}",)
    elif state.stage == "draft":
        asked = (f"more.{new}{again}",) if f"draft.{new}{again}" in state.done else (f"draft.{new}{again}",)
    elif state.stage == "length":
        asked = (f"length.{state.current}",)
    elif state.stage == "assess":
        asked = (f"settle.{state.current}{again}", f"audit.{state.current}{again}")
    elif state.stage == "again":
        asked = tuple(f"again.{state.current}-{k}" for k in range(1, len(state.disputed) + 1))
    elif state.stage == "revise":
        asked = (f"revise.{state.best}-{state.rounds_used + 1}{again}",)
    return tuple(base for base in asked if base not in state.done)


def standing(state: ChapterState, want_id: str) -> tuple[str, Asked] | None:
    """The open question that a want id belongs to, or null when the present stage does not ask it."""
    base = base_of(want_id)
    return (base, state.calls.get(base, Asked())) if base in open_calls(state) else None


def blocking_rules(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Contradictions of the state: what the settler is asked about once more before prose is touched."""
    return tuple(f for f in findings if f.blocking and f.by == "rules")
