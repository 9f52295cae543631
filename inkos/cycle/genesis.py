"""Delta 0 out of the founder's replies: entities, facts, promises, truths, beliefs, clock; does not write files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from inkos.cycle.bible import TRUTHS
from inkos.kernel.delta import ClockSet, Delta, FactChange, HookOp
from inkos.kernel.findings import Finding
from inkos.kernel.rules import Rules
from inkos.kernel.story import AuthorTruth, Belief, Entity, EntityKind, Evidence, StoryClock, StoryState
from inkos.messages import Language
from inkos.prompts.contracts import FoundReply, OutlineReply, SecretReply
from inkos.prompts.readers.brief import pairs, windows
from inkos.prompts.readers.handles import Names
from inkos.prompts.readers.settle import minute_of
from inkos.prompts.readers.values import triple
from inkos.prompts.readers.words import is_nothing
from inkos.records import GENESIS
from inkos.text.quotes import Haystack

FOUNDED = "founded"  # the reason of what rests on the founder's word alone, such as the first hour


class Made(NamedTuple):
    """A first state, what was left out of it and why, and the share of its facts whose quote stands nowhere."""

    delta: Delta
    findings: tuple[Finding, ...]
    unquoted: tuple[int, ...]
    notes: tuple[str, ...]


class Sources:
    """The pages of the bible, made ready for look-ups: they alone are at hand when the state is replayed."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._texts = {path: text for path, text in files.items() if path.startswith("bible/")}
        self._haystacks = {path: Haystack(text) for path, text in self._texts.items()}

    def evidence(self, quote: str, *, public: bool = False) -> Evidence | None:
        """Where a quote stands first; null where it stands nowhere. `public`: not among what only the author reads."""
        for path in sorted(self._haystacks):
            if public and path == TRUTHS:
                continue
            # A line that joins several strings leaves out the full stop at their end.
            spans = self._haystacks[path].find(quote) or self._haystacks[path].find(quote.rstrip("。. "))
            if spans:
                start, end = spans[0]
                words = self._texts[path][start:end]
                return Evidence(quote=words, source=path, start=start, end=end, places=len(spans))
        return None

    def of(self, words: str) -> Evidence:
        """The words as their own evidence, or the founder's word where no page has them."""
        return (self.evidence(words) if words else None) or Evidence(reason=FOUNDED)


def genesis(
    found: FoundReply,
    reply: OutlineReply,
    files: Mapping[str, str],
    rules: Rules,
    *,
    book_id: str,
    language: Language,
) -> Made:
    """The first state as a delta. A fact whose quote stands nowhere, or whose subject nobody knows, is left out with a
    finding; handles of the replies stay."""
    sources = Sources(files)
    notes: list[str] = []
    entities = _entities(found, sources)
    state = StoryState(book_id=book_id, language=language, entities={entity.id: entity for entity in entities})
    truths = _truths(found, Names(state), sources, notes)
    names = Names(state.model_copy(update={"truths": {truth.id: truth for truth in truths}}))
    facts, findings, unquoted = _facts(reply, names, sources, rules, notes)
    delta = Delta(
        kind="genesis",
        chapter=GENESIS,
        position=0,
        title=reply.title,
        entities=entities,
        facts=facts,
        hook_ops=_hooks(reply, sources),
        truths=truths,
        beliefs=tuple(
            Belief(holder=f"{GENESIS}.{person.h}", text=person.believes)
            for person in found.cast
            if not is_nothing(person.believes)
        ),
        clock=_clock(found, reply, sources),
        rules_digest=rules.digest,
        reason=FOUNDED,
    )
    return Made(delta, findings, unquoted, tuple(notes))


def _entities(found: FoundReply, sources: Sources) -> tuple[Entity, ...]:
    kinds: tuple[tuple[EntityKind, tuple[tuple[str, str, tuple[str, ...], str], ...]], ...] = (
        ("person", tuple((p.h, p.name, p.aliases, p.function) for p in found.cast)),
        ("place", tuple((t.h, t.name, (), t.note) for t in found.places)),
        ("item", tuple((t.h, t.name, (), t.note) for t in found.items)),
        ("group", tuple((t.h, t.name, (), t.note) for t in found.groups)),
    )
    made: dict[str, Entity] = {}
    for kind, rows in kinds:
        for handle, name, aliases, note in rows:
            if name and handle and f"{GENESIS}.{handle}" not in made:
                made[f"{GENESIS}.{handle}"] = Entity(
                    id=f"{GENESIS}.{handle}", handle=handle, kind=kind, name=name,
                    aliases=tuple(alias for alias in dict.fromkeys(aliases) if alias != name), note=note,
                    evidence=sources.of(name),
                )  # fmt: skip
    return tuple(made.values())


def _truths(found: FoundReply, names: Names, sources: Sources, notes: list[str]) -> tuple[AuthorTruth, ...]:
    made = []
    for secret in found.secrets:
        known = [who for ref in secret.known_by if (who := names.thing(ref))]
        if len(known) < len(secret.known_by):
            notes.append(f"{secret.h}: known_by names somebody outside the cast: left out")
        made.append(
            AuthorTruth(
                id=f"{GENESIS}.{secret.h}", handle=secret.h, question=secret.question, truth=secret.truth,
                known_by=tuple(dict.fromkeys(known)), surface=secret.surface, clues=secret.clues,
                reader_knows_from=secret.out_from, out_by=secret.out_by, evidence=sources.of(secret.truth),
            )
        )  # fmt: skip
    return tuple(made)


def in_windows(found: FoundReply, brief: str, language: Language) -> tuple[FoundReply, tuple[str, ...]]:
    """The founder's secrets, none of them out before the brief allows it, and a note for each one moved."""
    kept_back = windows(brief, language)
    notes: list[str] = []
    moved = tuple(_in_window(secret, kept_back, len(found.secrets) == 1, notes) for secret in found.secrets)
    return found.model_copy(update={"secrets": moved}), tuple(notes)


def _in_window(secret: SecretReply, kept_back: list[tuple[str, int]], only: bool, notes: list[str]) -> SecretReply:
    first, last = secret.out_from or None, secret.out_by or None
    said = pairs(secret.question + secret.truth + secret.surface)
    for sentence, chapter in kept_back:
        meant = only or len(pairs(sentence) & said) >= 4
        if meant and first is not None and first < chapter:
            notes.append(f"{secret.h}: window opens at {chapter}, as the brief has it, not at {first}")
            first = chapter
    if first is not None and last is not None and last < first:
        last = first
    return secret.model_copy(update={"out_from": first, "out_by": last})


def _facts(
    reply: OutlineReply, names: Names, sources: Sources, rules: Rules, notes: list[str]
) -> tuple[tuple[FactChange, ...], tuple[Finding, ...], tuple[int, ...]]:
    facts: list[FactChange] = []
    findings: list[Finding] = []
    unquoted: list[int] = []
    for n, item in enumerate(reply.state.facts):
        line = f"{item.subject} · {item.predicate} · {item.object}"
        subject = names.thing(item.subject)
        evidence = sources.evidence(item.quote, public=True)
        if evidence is None:
            unquoted.append(n)
            findings.append(left_out(line, "reply-quote"))
            continue
        if subject is None:
            findings.append(left_out(line, "reply-handle"))
            continue
        made = triple(rules, names, subject, item.predicate, item.object, strict=True)
        if made.note:
            notes.append(f"state.facts[{n}]: {made.note}")
        if made.value.fault or made.value.object is None:
            findings.append(left_out(line, made.value.fault or "reply-value"))
            continue
        facts.append(
            FactChange(
                id=f"{GENESIS}.f{n + 1}", handle=f"f{n + 1}", subject=made.subject, predicate=made.predicate,
                object=made.value.object, object_kind=made.value.kind, evidence=evidence,
            )
        )  # fmt: skip
    return tuple(facts), tuple(findings), tuple(unquoted)


def left_out(line: str, why: str) -> Finding:
    """An entry of the opening state that was not taken."""
    return Finding(
        code="found-004", severity="warning", path="state.facts", expected=why, actual=line, values={"about": line}
    )


def _hooks(reply: OutlineReply, sources: Sources) -> tuple[HookOp, ...]:
    known = {promise.h for promise in reply.promises}
    made: dict[str, HookOp] = {}
    for promise in reply.promises:
        if promise.core and promise.h and promise.h not in made:
            made[promise.h] = HookOp(
                op="upsert", hook=f"{GENESIS}.{promise.h}", handle=promise.h, type=promise.type, core=promise.core,
                timing=promise.timing, trigger=promise.trigger,
                depends_on=tuple(f"{GENESIS}.{h}" for h in promise.depends_on if h in known and h != promise.h),
                evidence=sources.of(promise.core),
            )  # fmt: skip
    return tuple(made.values())


def _clock(found: FoundReply, reply: OutlineReply, sources: Sources) -> ClockSet:
    given = reply.state.clock
    label = given.label or found.calendar.label
    evidence = sources.of(label)
    return ClockSet(clock=StoryClock(day=given.day, minute=minute_of(given.time), label=label), evidence=evidence)
