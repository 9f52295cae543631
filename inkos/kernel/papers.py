"""The papers that one chapter hands from step to step; knows neither who wrote them nor how they are rendered."""

from __future__ import annotations

from typing import Literal

from inkos.config import StyleConfig
from inkos.kernel.delta import Delta
from inkos.kernel.findings import Finding, Quote
from inkos.records import Record

Outcome = Literal["no", "yes_but", "no_and", "yes"]
EndKind = Literal["danger", "half_reveal", "choice", "arrival", "countermove", "countdown", "result"]


class OutlineBeat(Record):
    """`key` is `<entry key>#<n>`; `handle` o1, o2 … within its entry."""

    key: str
    handle: str
    text: str


class OutlineEntry(Record):
    """One chapter of the outline. `key` is its `{#key}` or its heading path; it stays when chapters move. `pov` and
    `person`: in the author's words, where this chapter is told by another than the book is."""

    key: str
    volume: str = ""
    title: str
    beats: tuple[OutlineBeat, ...] = ()
    function: str = ""
    required: str = ""
    end_kind: str = ""
    pov: str = ""
    person: str = ""


class Volume(Record):
    title: str
    goal: str = ""
    loss: str = ""


class Outline(Record):
    """`outline.md` as read: volumes and detailed entries, in order."""

    volumes: tuple[Volume, ...] = ()
    entries: tuple[OutlineEntry, ...] = ()
    last_image: str = ""


class CastMember(Record):
    """`who` is an entity id, or the plain name of somebody new."""

    who: str
    wants: str = ""
    unsaid: str = ""


class Beat(Record):
    """`outline` are keys of outline beats; `words` is this beat's share of the target in the book's unit."""

    handle: str
    outline: tuple[str, ...] = ()
    link: Literal["so", "but"] | None = None
    wants: str
    against: str = ""
    outcome: Outcome = "yes_but"
    cost: str = ""
    thing: str = ""
    words: int = 0


class PlannedPromise(Record):
    """`hook` is a hook's id, or the wording of a new one (`do` = plant)."""

    hook: str
    do: Literal["advance", "resolve", "plant"]
    how: str = ""


class PlanTime(Record):
    day: int = 0
    label: str = ""


class Plan(Record):
    """The plan of one chapter. People, places are entity ids, or plain names of new ones. `target` is the length asked
    for, in the book's counting unit; `goal` the length wanted, where asking was corrected for the writer's bias."""

    title: str
    outline_key: str = ""
    pov: str
    cast: tuple[CastMember, ...] = ()
    places: tuple[str, ...] = ()
    starts: PlanTime = PlanTime()
    ends: PlanTime = PlanTime()
    change: str = ""
    knows: tuple[str, ...] = ()
    believes: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    beats: tuple[Beat, ...]
    promises: tuple[PlannedPromise, ...] = ()
    keep: str = ""
    avoid: tuple[str, ...] = ()
    end: str = ""
    end_kind: EndKind = "result"
    open: tuple[str, ...] = ()
    target: int
    goal: int = 0


class Question(Record):
    """One audit question. `trouble_if`: which answer is a finding (craft.md: − yes, + no). `control`: the answer that
    code knows already; a wrong one voids the audit. `contradiction`: the answer needs two quotes to count."""

    id: str
    dimension: str
    text: str
    trouble_if: Literal["yes", "no"] | None = None
    contradiction: bool = False
    control: Literal["yes", "no", "cannot_judge"] | None = None


class Answer(Record):
    id: str
    verdict: Literal["yes", "no", "cannot_judge"]
    quotes: tuple[Quote, ...] = ()
    why: str = ""


class Score(Record):
    """0–20 each (design/prompts.md §5.5); the sum is the chapter's score, 0–100."""

    change: float
    people: float
    cause: float
    prose: float
    end: float

    @property
    def total(self) -> float:
        return self.change + self.people + self.cause + self.prose + self.end


class Audit(Record):
    """`void`: a control question was answered wrongly, so nothing of it counts. `score` null: could not judge."""

    questions: tuple[Question, ...] = ()
    answers: tuple[Answer, ...] = ()
    beside: tuple[Finding, ...] = ()
    score: Score | None = None
    void: bool = False


class Patch(Record):
    """`old` is a stretch of the text that stands there once, `new` what replaces it (empty: deletion)."""

    finding: str
    also: tuple[str, ...] = ()
    old: str
    new: str


class NotByPatch(Record):
    finding: str
    why: str = ""


class PatchSet(Record):
    patches: tuple[Patch, ...] = ()
    not_by_patch: tuple[NotByPatch, ...] = ()


class SecondLook(Record):
    """The settler's answer when one of its entries cannot stand beside a known fact."""

    cause: Literal["text", "event", "mode", "who", "slip"]
    quote: str
    fix: Delta | None = None


class NumberedFinding(Record):
    """A finding as the reviser gets it: `F1`, what is wrong in the book's language, and what would settle it."""

    id: str
    wrong: str
    settle: str
    finding: Finding


class Assessment(Record):
    """Three instruments on one text. `delta` and `audit` are null where that reply could not be read; `audit_void` and
    a null score are "could not judge", neither pass nor fail. `length` is in the book's counting unit."""

    length: int
    findings: tuple[Finding, ...] = ()
    delta: Delta | None = None
    audit: Audit | None = None
    unreadable: tuple[str, ...] = ()  # roles whose reply could not be read

    @property
    def score(self) -> float | None:
        usable = self.audit is not None and not self.audit.void and self.audit.score is not None
        return self.audit.score.total if usable and self.audit and self.audit.score else None

    @property
    def blocking(self) -> tuple[Finding, ...]:
        return tuple(f for f in self.findings if f.blocking)


class Version(Record):
    """One text of the chapter with what was found in it. `number` counts from 1 within the run."""

    number: int
    origin: Literal["draft", "revision", "length", "rewrite", "given"]
    text: str
    assessment: Assessment | None = None
    admitted: bool = True
    why: str = ""


class Founded(Record):
    """What a founding gives: the author's files (path inside the book → text), delta 0, and the book's extra rules.
    `style` is what the brief asks for; `suggestions` are wants and bans that it does not have."""

    title: str
    files: dict[str, str]
    genesis: Delta
    predicates: dict[str, dict[str, object]] = {}
    style: StyleConfig = StyleConfig()
    suggestions: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


class ReplyFault(Record):
    """One thing in a reply that does not fit its contract; the re-ask names it. `code` is one of the codes of
    design/prompts.md §4–5 (`reply-json`, `reply-key`, `reply-quote`, `count`, `early`, `old`, `missing` …), `where` up
    to five places (`facts[2]`), `keys` the top-level keys to be sent again (empty: all), `values` fill the texts."""

    code: str
    where: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    values: dict[str, str] = {}
