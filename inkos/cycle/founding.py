"""From two founder's replies to a book: files, rules, first state, checked against brief and rules; asks nobody."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from inkos.config import BookConfig, StyleConfig
from inkos.cycle.bible import author_files, pages
from inkos.cycle.genesis import genesis, left_out
from inkos.errors import UsageFault
from inkos.kernel.delta import Delta
from inkos.kernel.findings import Finding
from inkos.kernel.papers import Founded, ReplyFault
from inkos.kernel.reduce import apply
from inkos.kernel.rules import Rules
from inkos.kernel.story import StoryState
from inkos.messages import Messages
from inkos.prompts.contracts import FoundReply, OutlineReply, PredicateReply
from inkos.prompts.readers.brief import absent_figures, absent_names, altered_figures, wished
from inkos.prompts.readers.found import count_faults, placed_strings
from inkos.prompts.readers.read import MAX_PLACES, top_key
from inkos.prompts.readers.truths import leaks, only_in_truths
from inkos.text.quotes import Haystack

LOST = 1 / 3  # of the opening facts: above it the reply is asked for again (design/prompts.md §5.1)
_ITEM = re.compile(r"(facts|hook_ops|entities|truths)\[(\d+)\]")


class Draft(NamedTuple):
    """A book before it is made: `lost` are the numbers of opening facts that were left out."""

    founded: Founded
    lost: tuple[int, ...]
    facts: int


# ── faults that are asked about once ──────────────────────────────────────────────────────────────────────────────


def found_fault(found: FoundReply, config: BookConfig, brief: str) -> ReplyFault | None:
    """The first thing in people and world that the founder must put right: a figure of the brief, a truth let out."""
    texts = [text for _, text in placed_strings(found)]
    altered = altered_figures(brief, texts, config.language)
    if altered:
        where = [w for w, text in placed_strings(found) if any(figure.found in text for figure in altered)]
        stated = ", ".join(figure.stated for figure in altered[:MAX_PLACES])
        return _fault("figure", where, stated=stated)
    told = leaks(found, config.language)
    return _fault("truth", told) if told else None


def outline_fault(
    found: FoundReply, reply: OutlineReply, draft: Draft, config: BookConfig, brief: str
) -> ReplyFault | None:
    """The first thing in outline and opening state that the founder must put right."""
    if draft.facts and len(draft.lost) > LOST * draft.facts:
        return _fault("reply-quote", [f"state.facts[{n}]" for n in draft.lost])
    altered = altered_figures(brief, [text for _, text in placed_strings(reply)], config.language)
    if altered:
        where = [w for w, text in placed_strings(reply) if any(figure.found in text for figure in altered)]
        return _fault("figure", where, stated=", ".join(figure.stated for figure in altered[:MAX_PLACES]))
    told = leaks(found, config.language, reply)
    if told:
        return _fault("truth", told)
    return count_faults(reply, config.chapters).first()


def _fault(code: str, where: Sequence[str], **values: str) -> ReplyFault:
    keys = tuple(dict.fromkeys(top_key(place) for place in where))
    return ReplyFault(code=code, where=tuple(where[:MAX_PLACES]), keys=keys, values=values)


# ── the book ──────────────────────────────────────────────────────────────────────────────────────────────────────


def draft_of(
    found: FoundReply,
    reply: OutlineReply,
    *,
    config: BookConfig,
    brief: str,
    words: Messages,
    packs: Sequence[Mapping[str, Any]],
    title_fixed: bool = False,
) -> Draft:
    """Files, rules and first state. What the rules refuse is left out with a finding; the rest stands."""
    predicates, refused = _predicates(reply.predicates, config, packs)
    rules = Rules.build(packs, config.model_copy(update={"predicates": {**config.predicates, **predicates}}))
    files = author_files(brief, found, reply, words, _only_in_brief(found, reply, brief, words))
    made = genesis(found, reply, files, rules, book_id=config.id, language=config.language)
    delta, dropped = admitted(made.delta, rules, files, config)
    style, suggestions = _style(found, brief, config)
    findings = (*checked(found, reply, config, brief), *refused, *made.findings, *dropped)
    founded = Founded(
        title=config.title if title_fixed or not reply.title else reply.title,
        files=files,
        genesis=delta,
        predicates=predicates,
        style=style,
        suggestions=suggestions,
        findings=findings,
    )
    kept = {fact.id for fact in delta.facts}
    lost = tuple(n for n in range(len(reply.state.facts)) if f"genesis.f{n + 1}" not in kept)
    return Draft(founded, lost, len(reply.state.facts))


def _predicates(
    replies: Sequence[PredicateReply], config: BookConfig, packs: Sequence[Mapping[str, Any]]
) -> tuple[dict[str, dict[str, object]], list[Finding]]:
    """The book's own predicates in the form of book.yaml; one that the rules cannot take is a finding."""
    kept: dict[str, dict[str, object]] = {}
    refused = []
    for reply in replies:
        spec = {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in reply.model_dump(exclude={"name"}).items()
            if value not in (None, "", (), False)
        }
        tried = {**config.predicates, **kept, reply.name: spec}
        try:
            Rules.build(packs, config.model_copy(update={"predicates": tried}))
        except UsageFault as fault:
            values = {"about": reply.name}
            refused.append(
                Finding(
                    code="found-008", severity="warning", path="predicates", expected=str(fault), actual=reply.name,
                    values=values,
                )
            )  # fmt: skip
        else:
            kept[reply.name] = spec
    return kept, refused


def _only_in_brief(found: FoundReply, reply: OutlineReply, brief: str, words: Messages) -> list[str]:
    """Quotes of the opening state that stand in the brief and in no page: the bible takes them in, word for word."""
    bible = Haystack("\n".join(pages(found, words).values()))
    source = Haystack(brief)
    kept = []
    for fact in reply.state.facts:
        spans = source.find(fact.quote)
        if spans and not bible.find(fact.quote):
            kept.append(" ".join(brief[spans[0][0] : spans[0][1]].split()))
    return kept


def admitted(
    delta: Delta, rules: Rules, files: Mapping[str, str], config: BookConfig
) -> tuple[Delta, tuple[Finding, ...]]:
    """The delta without what the reducer refuses or leaves out on an empty state, and a finding for each such item."""
    bible = {path: text for path, text in files.items() if path.startswith("bible/")}
    dropped: list[Finding] = []
    for _ in range(len(delta.facts) + len(delta.hook_ops) + 2):
        empty = StoryState(book_id=config.id, language=config.language)
        reduced = apply(empty, delta, "", rules, sources=bible)
        bad = [f for f in reduced.findings if f.blocking or f.code in ("kernel-002", "kernel-003")]
        places = {(match[1], int(match[2])): f for f in bad if (match := _ITEM.fullmatch(f.path))}
        if not places:
            break
        for (name, number), finding in places.items():
            item = getattr(delta, name)[number]
            dropped.append(left_out(_line(item, delta), finding.code))
        update = {
            name: tuple(item for n, item in enumerate(getattr(delta, name)) if (name, n) not in places)
            for name in {name for name, _ in places}
        }
        delta = delta.model_copy(update=update)
    return delta, tuple(dropped)


def _line(item: Any, delta: Delta) -> str:
    names = {entity.id: entity.name for entity in delta.entities}
    if hasattr(item, "predicate"):
        return f"{names.get(item.subject, item.subject)} · {item.predicate} · {names.get(item.object, item.object)}"
    return str(getattr(item, "name", "") or getattr(item, "core", "") or getattr(item, "question", ""))


def _style(found: FoundReply, brief: str, config: BookConfig) -> tuple[StyleConfig, tuple[str, ...]]:
    """What the brief asks for becomes a rule, what only the founder wishes a suggestion; what book.yaml has stands."""
    given, asked = config.style, found.style
    names = {person.h: person.name for person in found.cast}
    wants = tuple(want for want in asked.wants if wished(want, brief))
    banned = [ban for ban in asked.bans if wished(ban, brief)]
    bans = tuple(thing for ban in banned if (thing := forbidden(ban)))
    suggestions = tuple(wish for wish in (*asked.wants, *asked.bans) if wish not in wants and wish not in banned)
    style = given.model_copy(
        update={
            "person": asked.person,
            "tense": given.tense or asked.tense,
            "pov": given.pov or names.get(asked.pov, asked.pov),
            "wants": tuple(dict.fromkeys((*given.wants, *wants))),
            "bans": tuple(dict.fromkeys((*given.bans, *bans))),
        }
    )
    return style, suggestions


# What turns a thing into a ban: a list of bans says it already (`正文里不用：不抒情`).
_NOT = re.compile(
    r"^\s*(?:不要|不许|不准|不得|不能|不可|不用|不写|别写|请勿|切勿|禁止|不|别|勿"
    r"|(?:no|not|never|without|avoid|don['’]?t|do not)\s(?:use\s)?(?:the words?\s)?)\s*",
    re.IGNORECASE,
)


def forbidden(ban: str) -> str:
    """The thing itself that a ban names: `不抒情` → `抒情`, `No speeches.` → `speeches`."""
    return _NOT.sub("", ban.strip().rstrip("。.；;"), count=1).strip(" “”\"「」")


def checked(found: FoundReply, reply: OutlineReply, config: BookConfig, brief: str) -> tuple[Finding, ...]:
    """What the author is shown beside the proposal."""
    texts = [text for part in (found, reply) for _, text in placed_strings(part)]
    text = "\n".join([*texts, *(str(fact.object) for fact in reply.state.facts)])
    findings = [_finding("found-001", name) for name in absent_names(brief, text, config.language)]
    findings += [_finding("found-002", figure) for figure in absent_figures(brief, text, config.language)]
    findings += [_finding("found-003", person.name) for person in only_in_truths(found, brief)]
    told = [*leaks(found, config.language), *leaks(found, config.language, reply)]
    if told:
        findings.append(_finding("found-005", ", ".join(dict.fromkeys(told))))
    for figure in altered_figures(brief, texts, config.language):
        findings.append(_finding("found-006", figure.found, figure.stated))
    fault = count_faults(reply, config.chapters).first()
    if fault is not None:
        findings.append(_finding("found-007", fault.values.get("what", "")))
    return tuple(findings)


def _finding(code: str, actual: str, expected: str = "") -> Finding:
    return Finding(
        code=code, severity="warning", path="founding", expected=expected, actual=actual, values={"about": actual}
    )
