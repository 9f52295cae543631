"""More entries for an outline that runs out, as a machine; decides nothing about the file and writes none.

    ask ─▶ (one re-ask) ─▶ done
     └───────────────────▶ failed

Nothing is kept of entries that tell a scene of the outline again: what still does after the re-ask fails as a whole,
since each entry rests on the one before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from inkos.cycle.ask import Asked, hear, want
from inkos.cycle.wants import Committed, Failed, ModelWant, Outcome
from inkos.kernel.book import Book
from inkos.kernel.outline import free_keys
from inkos.kernel.papers import Outline, OutlineBeat, OutlineEntry, ReplyFault
from inkos.prompts.context import Context
from inkos.prompts.contracts import ExtendReply
from inkos.prompts.kit import Kit
from inkos.prompts.readers import Read, read_extension
from inkos.prompts.readers.found import extension_faults
from inkos.prompts.readers.words import is_nothing
from inkos.prompts.relevance import features
from inkos.prompts.render import extend_request
from inkos.records import Record

ALIKE = 0.85  # of the words of either of two beats stand in the other: one scene


class ExtensionState(Record):
    """`amount`: entries asked for, at most. `base`: the digest of what they go on from. `entries` are there once the
    stage is `done`."""

    schema_version: int = 1
    stage: Literal["ask", "done", "failed"] = "ask"
    amount: int
    base: str = ""
    call: Asked = Asked()
    entries: tuple[OutlineEntry, ...] = ()
    fault: str = ""
    detail: str = ""
    notes: tuple[str, ...] = ()


class ExtensionDesk(NamedTuple):
    """What the machine reads and never changes."""

    kit: Kit
    book: Book
    context: Context


def wants(state: ExtensionState, desk: ExtensionDesk) -> tuple[ModelWant, ...]:
    if state.stage != "ask":
        return ()
    return (want(desk.kit, "extend.1", state.call, extend_request(desk.kit, desk.book, desk.context, state.amount)),)


def absorb(state: ExtensionState, outcome: Outcome, desk: ExtensionDesk) -> ExtensionState:
    """One outcome. What is not asked for changes nothing."""
    if isinstance(outcome, Committed) or outcome.want not in [wanted.id for wanted in wants(state, desk)]:
        return state
    outline = desk.book.outline

    found: ReplyFault | None = None

    def read(text: str) -> Read[ExtendReply]:
        nonlocal found
        got = read_extension(text)
        if got.value is None:
            found = got.fault
            return got
        reply = got.value.model_copy(update={"chapters": got.value.chapters[: state.amount]})
        found = fault = extension_fault(reply, outline)
        counted = state.call.fault is not None and fault is not None and fault.code == "count" and bool(reply.chapters)
        return Read(reply, got.notes, None) if fault is None or counted else Read(None, got.notes, fault)

    heard = hear(outcome, state.call, read)
    if isinstance(heard, Asked):
        return state.model_copy(update={"call": heard})
    if heard.value is None:
        detail = outcome.detail if isinstance(outcome, Failed) else ""
        if found is not None:
            detail = " · ".join((found.code, *found.where, *found.values.values()))
        return state.model_copy(update={"stage": "failed", "fault": heard.given_up, "detail": detail})
    made = entries_of(heard.value, outline)
    return state.model_copy(update={"stage": "done", "call": Asked(), "entries": made, "notes": heard.notes})


def extension_fault(reply: ExtendReply, outline: Outline) -> ReplyFault | None:
    """What of the new entries does not go with the outline: a title that is taken, a volume that is none or lies
    behind, a scene told again, too few or too many beats, one kind of end three times."""
    if not reply.chapters:
        return ReplyFault(code="count", where=("chapters",), keys=("chapters",), values={"what": "chapters 0"})
    titles = {entry.title.casefold() for entry in outline.entries}
    for n, chapter in enumerate(reply.chapters):
        if chapter.title.casefold() in titles:
            return _fault("title", f"chapters[{n}].title", told=chapter.title)
        titles.add(chapter.title.casefold())
    behind = _behind(reply, outline)
    if behind is not None:
        return behind
    before = [(entry.title, features(beat.text)) for entry in outline.entries for beat in entry.beats]
    for n, chapter in enumerate(reply.chapters):
        for m, beat in enumerate(chapter.beats):
            told = shared(beat, before)
            if told:
                return _fault("shared", f"chapters[{n}].beats[{m}]", told=told)
        before += [(chapter.title, features(beat)) for beat in chapter.beats]
    return extension_faults(reply, [entry.end_kind for entry in outline.entries]).first()


def _behind(reply: ExtendReply, outline: Outline) -> ReplyFault | None:
    """A volume that the outline does not have, or one before that of the entry in front."""
    order = [volume.title for volume in outline.volumes]
    if not order:
        return None
    last = outline.entries[-1].volume if outline.entries else order[0]
    at = order.index(last) if last in order else 0
    for n, chapter in enumerate(reply.chapters):
        if not chapter.volume:
            continue
        if chapter.volume not in order[at:]:
            return _fault("volume", f"chapters[{n}].volume", allowed=", ".join(order[at:]))
        at = order.index(chapter.volume)
    return None


def shared(beat: str, before: Sequence[tuple[str, frozenset[str]]]) -> str:
    """The title of an entry with a beat that tells the same scene, or "". `before`: titles with what their beats are
    compared by."""
    mine = features(beat)
    for title, told in before:
        if mine and len(mine & told) >= ALIKE * max(len(mine), len(told)):
            return title
    return ""


def _fault(code: str, where: str, **values: str) -> ReplyFault:
    return ReplyFault(code=code, where=(where,), keys=("chapters",), values=values)


def entries_of(reply: ExtendReply, outline: Outline) -> tuple[OutlineEntry, ...]:
    """The new entries under keys of their own; one that names no volume stands in that of the one before."""
    volume = outline.entries[-1].volume if outline.entries else (outline.volumes[0].title if outline.volumes else "")
    made = []
    for key, chapter in zip(free_keys(outline, len(reply.chapters)), reply.chapters, strict=True):
        volume = chapter.volume or volume
        beats = tuple(
            OutlineBeat(key=f"{key}#{n}", handle=f"o{n}", text=text) for n, text in enumerate(chapter.beats, 1)
        )
        required = "" if is_nothing(chapter.required) else chapter.required
        made.append(OutlineEntry(key=key, volume=volume, title=chapter.title, beats=beats, function=chapter.function,
                                 required=required, end_kind=chapter.end_kind))  # fmt: skip
    return tuple(made)
