"""What happens next while a book is founded, as a machine; does not know who calls models or who keeps the files.

    found ─▶ (one re-ask) ─▶ outline ─▶ (one re-ask) ─▶ done
      └──────────────────────────┴──── given up ──────▶ failed

`advance(state, outcomes, desk) -> (state, wants)`. The state is total and can be saved as JSON at any moment; an
outcome that the present stage does not ask for changes nothing. Nothing of the book exists outside the state until
somebody commits `state.founded`. What still does not fit after the re-ask, but can stand, goes on as a finding shown
to the author."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from inkos.config import BookConfig
from inkos.cycle.ask import Asked, hear, want
from inkos.cycle.bible import papers
from inkos.cycle.founding import Draft, draft_of, found_fault, outline_fault
from inkos.cycle.genesis import in_windows
from inkos.cycle.named import names_of, with_names
from inkos.cycle.wants import Failed, Outcome, Replied, Want
from inkos.kernel.papers import Founded
from inkos.kernel.rules import Rules
from inkos.messages import Messages
from inkos.prompts.contracts import FoundReply, OutlineReply
from inkos.prompts.kit import Kit
from inkos.prompts.readers import Read, read_found, read_outline
from inkos.prompts.render import found_request, outline_request
from inkos.prompts.request import Request
from inkos.records import Record

Stage = Literal["found", "outline", "done", "failed"]


class FoundationState(Record):
    """Where a founding stands, whole. `config` is the book's as the command gave it (title, chapters, length, genre …);
    `title_fixed`: its title is the author's and stays. `call` is the question that is half answered. `fault` is why it
    failed (a kind of errors.FaultKind), `detail` what the service said. `notes` is what readers did, in order."""

    schema_version: int = 1
    stage: Stage = "found"
    brief: str
    config: BookConfig
    title_fixed: bool = False
    taken_names: tuple[str, ...] = ()
    call: Asked = Asked()
    found: FoundReply | None = None
    founded: Founded | None = None
    fault: str = ""
    detail: str = ""
    notes: tuple[str, ...] = ()

    def but(self, **changes: object) -> FoundationState:
        return self.model_copy(update=changes)


class FoundingDesk(NamedTuple):
    """What the machine reads and never changes: prompts, words of the author's files, packs of predicate rules."""

    kit: Kit
    words: Messages
    packs: Sequence[Mapping[str, Any]]


def start(
    brief: str, config: BookConfig, *, title_fixed: bool = False, taken_names: Sequence[str] = ()
) -> FoundationState:
    """A new founding. `taken_names` are names that new people must not bear."""
    return FoundationState(brief=brief, config=config, title_fixed=title_fixed, taken_names=tuple(taken_names))


def advance(
    state: FoundationState, outcomes: Iterable[Outcome], desk: FoundingDesk
) -> tuple[FoundationState, tuple[Want, ...]]:
    """Fold the outcomes in, in order, and say what is wanted next."""
    for outcome in outcomes:
        state = absorb(state, outcome, desk)
    return state, wants(state, desk)


def wants(state: FoundationState, desk: FoundingDesk) -> tuple[Want, ...]:
    if state.stage not in ("found", "outline"):
        return ()
    return (want(desk.kit, _base(state), state.call, _request(state, desk)),)


def _base(state: FoundationState) -> str:
    return f"{state.stage}.1"


def _request(state: FoundationState, desk: FoundingDesk) -> Request:
    config = state.config
    shared: dict[str, Any] = {
        "title": config.title,
        "brief": state.brief,
        "chapters": config.chapters,
        "length": config.length.target,
    }
    if state.found is None:
        return found_request(desk.kit, **shared, taken_names=state.taken_names)
    kinds = {"person", "place"} | {kind for kind, there in _kinds(state.found) if there}
    return outline_request(
        desk.kit,
        **shared,
        found=state.found.model_dump(mode="json", by_alias=True),
        papers=papers(state.found, desk.words),
        registry=_rules(state, desk).registry_lines(config.language, kinds),
        form=config.form,
    )


def _kinds(found: FoundReply) -> tuple[tuple[str, bool], ...]:
    return (("item", bool(found.items)), ("group", bool(found.groups)))


def _rules(state: FoundationState, desk: FoundingDesk) -> Rules:
    return Rules.build(desk.packs, state.config)


def absorb(state: FoundationState, outcome: Outcome, desk: FoundingDesk) -> FoundationState:
    """One outcome. What the present stage does not ask for changes nothing."""
    expected = [wanted.id for wanted in wants(state, desk)]
    if not isinstance(outcome, Replied | Failed) or outcome.want not in expected:
        return state
    if state.stage == "found":
        return _take_found(state, outcome, desk)
    return _take_outline(state, outcome, desk)


def _take_found(state: FoundationState, outcome: Replied | Failed, desk: FoundingDesk) -> FoundationState:
    def read(text: str) -> Read[FoundReply]:
        got = read_found(text)
        if got.value is None:
            return got
        found = with_names(got.value, names_of(got.value))
        fault = None if state.call.fault is not None else found_fault(found, state.config, state.brief)
        return Read(found if fault is None else None, got.notes, fault)

    heard = hear(outcome, state.call, read)
    if isinstance(heard, Asked):
        return state.but(call=heard)
    state = state.but(call=Asked(), notes=(*state.notes, *(f"found: {note}" for note in heard.notes)))
    if heard.value is None:
        return _give_up(state, heard.given_up, outcome)
    found, moved = in_windows(heard.value, state.brief, state.config.language)
    return state.but(stage="outline", found=found, notes=(*state.notes, *moved))


def _take_outline(state: FoundationState, outcome: Replied | Failed, desk: FoundingDesk) -> FoundationState:
    found = state.found
    assert found is not None

    def read(text: str) -> Read[Draft]:
        got = read_outline(text, chapters=state.config.chapters, rules=_rules(state, desk))
        if got.value is None:
            return Read(None, got.notes, got.fault)
        reply = with_names(got.value, names_of(found, got.value))
        draft = _draft(state, reply, desk)
        fault = outline_fault(found, reply, draft, state.config, state.brief)
        if fault is not None and (state.call.fault is None or not reply.chapters):
            return Read(None, got.notes, fault)
        return Read(draft, got.notes, None)

    heard = hear(outcome, state.call, read)
    if isinstance(heard, Asked):
        return state.but(call=heard)
    state = state.but(call=Asked(), notes=(*state.notes, *(f"outline: {note}" for note in heard.notes)))
    if heard.value is None:
        return _give_up(state, heard.given_up, outcome)
    return state.but(stage="done", founded=heard.value.founded)


def _draft(state: FoundationState, reply: OutlineReply, desk: FoundingDesk) -> Draft:
    assert state.found is not None
    return draft_of(
        state.found,
        reply,
        config=state.config,
        brief=state.brief,
        words=desk.words,
        packs=desk.packs,
        title_fixed=state.title_fixed,
    )


def _give_up(state: FoundationState, why: str, outcome: Replied | Failed) -> FoundationState:
    """No half of a book: what was read stays in the state for diagnosis, and nothing is to be written."""
    detail = outcome.detail if isinstance(outcome, Failed) else ""
    return state.but(stage="failed", fault=why, detail=detail)
