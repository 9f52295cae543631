"""Reads the planner's reply into a Plan; does not know whether the plan fits outline and state (gates judge that)."""

from __future__ import annotations

import re

from inkos.kernel.book import Book
from inkos.kernel.papers import Beat, CastMember, OutlineEntry, Plan, PlannedPromise, PlanTime
from inkos.prompts.contracts import PlanReply, keys_of
from inkos.prompts.readers.handles import Names, is_handle
from inkos.prompts.readers.ladder import read_object
from inkos.prompts.readers.read import Faults, Read
from inkos.prompts.readers.shape import Shape

_SPOKEN = re.compile(r"“[^”]+”|「[^」]+」|『[^』]+』|\"[^\"]+\"")
_FEELING = re.compile(
    r"^(?:a |the )?(?:feeling|sense|mood|fear|hope|anger|grief|sadness)\b|感$|情绪$|心情$|气氛$", re.IGNORECASE
)
LONG = {"zh": 20, "en": 12}  # characters, words of wants, against, cost, thing (design/prompts.md §5.2)


def read_plan(text: str, *, book: Book, entry: OutlineEntry, target: int, complete: bool = True) -> Read[Plan]:
    """The plan of one chapter. `entry` is the outline entry it serves, `target` the length asked for in the book's
    unit.

    With a fault there is a plan all the same where only promises stand for nothing known: it is without them.

    People, places and promises come out as ids, outline handles (o1 …) as keys of the entry's beats. A person or place
    that nothing known bears stays as its plain name: it is new. Beats' words are as the reply gives them; gates scale
    them."""
    found = read_object(text, keys_of(PlanReply), complete=complete)
    if found.object is None:
        return Read(None, tuple(found.notes), found.fault)
    notes, faults = list(found.notes), Faults()
    reply = Shape(notes, faults).fit(PlanReply, found.object)
    if reply is not None and not reply.beats:
        faults.add("beats", "beats", n="0")
    if reply is None or faults:
        return Read(None, tuple(notes), faults.first())
    builder = _Builder(book, entry, target, notes, faults)
    plan = builder.plan(reply)
    # A promise that nobody knows costs the plan that promise only, when the re-ask does not mend it.
    usable = len(faults) == len(builder.unknown)
    notes += [f"{place}: stands for no known promise: left out" for place in builder.unknown]
    return Read(plan if usable else None, tuple(notes), faults.first())


class _Builder:
    def __init__(self, book: Book, entry: OutlineEntry, target: int, notes: list[str], faults: Faults) -> None:
        self.names = Names(book.state)
        self.language = book.config.language
        self.entry = entry
        self.target = target
        self.notes = notes
        self.faults = faults
        self.unknown: list[str] = []  # places of promises that are left out of the plan
        self.beat_keys = {beat.handle: beat.key for beat in entry.beats} | {beat.key: beat.key for beat in entry.beats}

    def plan(self, reply: PlanReply) -> Plan:
        cast = tuple(
            CastMember(who=self._ref(member.who, f"cast[{n}].who"), wants=member.wants, unsaid=member.unsaid)
            for n, member in enumerate(reply.cast)
        )
        return Plan(
            title=reply.title,
            outline_key=self.entry.key,
            pov=self._ref(reply.pov, "pov"),
            cast=_once(cast),
            places=tuple(dict.fromkeys(self._ref(place, f"places[{n}]") for n, place in enumerate(reply.places))),
            starts=PlanTime(day=reply.starts.day, label=reply.starts.label),
            ends=PlanTime(day=reply.ends.day, label=reply.ends.label),
            change=reply.change,
            knows=reply.knows,
            believes=reply.believes,
            asks=reply.asks,
            beats=self._beats(reply),
            promises=self._promises(reply),
            keep=self._keep(reply.keep),
            avoid=reply.avoid,
            end=reply.end,
            end_kind=reply.end_kind,
            open=reply.open,
            target=self.target,
        )

    def _ref(self, ref: str, place: str) -> str:
        found = self.names.thing(ref)
        if found is not None:
            return found
        if is_handle(ref) or not ref.strip() or self.names.ambiguous(ref):
            self.faults.add("reply-handle", place)
        return ref.strip()

    def _beats(self, reply: PlanReply) -> tuple[Beat, ...]:
        words = [beat.words for beat in reply.beats]
        if not any(count > 0 for count in words):
            self.notes.append("beats without words: shared evenly")
            share, rest = divmod(self.target, len(words))
            words = [share + (n < rest) for n in range(len(words))]
        beats = []
        for n, (beat, count) in enumerate(zip(reply.beats, words, strict=True), 1):
            self._look(f"beats[{n - 1}]", beat.wants, beat.against, beat.cost, beat.thing)
            beats.append(
                Beat(
                    handle=f"b{n}",
                    outline=self._outline(beat.outline),
                    link=None if n == 1 else beat.link,
                    wants=beat.wants,
                    against=beat.against,
                    outcome=beat.outcome,
                    cost=beat.cost,
                    thing=beat.thing,
                    words=max(0, count),
                )
            )
        return tuple(beats)

    def _outline(self, handles: tuple[str, ...]) -> tuple[str, ...]:
        keys = []
        for handle in handles:
            key = self.beat_keys.get(handle.strip()) or self.beat_keys.get(handle.strip().lower())
            if key is None:
                self.notes.append(f"outline beat {handle[:20]} is not in the entry: dropped")
            elif key not in keys:
                keys.append(key)
        return tuple(keys)

    def _look(self, place: str, *texts: str) -> None:
        thing = texts[-1]
        if not thing or _FEELING.search(thing):
            self.notes.append(f"{place}.thing is nothing that can be handled")
        limit = LONG[self.language]
        long = [text for text in texts if (len(text) if self.language == "zh" else len(text.split())) > limit]
        if long:
            self.notes.append(f"{place}: {len(long)} strings over the length")

    def _promises(self, reply: PlanReply) -> tuple[PlannedPromise, ...]:
        promises = []
        for n, promise in enumerate(reply.promises):
            hook = self.names.hook(promise.hook)
            if hook is None and (promise.do != "plant" or (promise.hook.startswith("h") and is_handle(promise.hook))):
                self.faults.add("reply-handle", f"promises[{n}].hook")
                self.unknown.append(f"promises[{n}]")
                continue
            promises.append(PlannedPromise(hook=hook or promise.hook, do=promise.do, how=promise.how))
        return tuple(promises)

    def _keep(self, keep: str) -> str:
        """One line at most: of several in quotation marks the first stays, with who says it to whom."""
        spoken = list(_SPOKEN.finditer(keep))
        if len(spoken) > 1:
            self.notes.append(f"keep: {len(spoken)} lines, the first is taken")
            return keep[: spoken[0].end()].strip()
        return keep


def _once(cast: tuple[CastMember, ...]) -> tuple[CastMember, ...]:
    seen: dict[str, CastMember] = {}
    for member in cast:
        seen.setdefault(member.who, member)
    return tuple(seen.values())
