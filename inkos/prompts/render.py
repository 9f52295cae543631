"""Requests: one system and one user message for each task, with the papers beside them; does not know who answers.

The user message is layers, looked-up facts and plan, text, task, in this order, and each part that calls share is the
same bytes in all of them. A cache point stands after the layers, after the plan, after the text. A re-ask adds the
reply and one more user message.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from inkos.config import BookConfig
from inkos.kernel.book import Book
from inkos.kernel.delta import Delta
from inkos.kernel.findings import Finding
from inkos.kernel.papers import NumberedFinding, OutlineEntry, Plan, Question, ReplyFault
from inkos.kernel.rules import Rules
from inkos.prompts import papers as shown
from inkos.prompts.context import Context, look_up, system_message
from inkos.prompts.kit import Kit
from inkos.prompts.layers import in_focus
from inkos.prompts.relevance import entry_text, plan_text, planned
from inkos.prompts.request import Message, Papers, Request, Task
from inkos.prompts.worn import worn

SEPARATOR = "\n\n"
_PLANNED = "_planned"
# Bounds of a JSON reply in tokens: generous, since a cut reply is a call lost; a reply of a third of this is normal.
CAPS: dict[Task, int] = {
    "found": 12_000, "outline": 12_000, "plan": 3_000, "settle": 5_000, "audit": 5_000, "revise": 4_000,
    "again": 1_500, "length": 4_000, "extend": 8_000,
}  # fmt: skip
VOLUME = (40, 60)  # chapters in a volume of a serial, least and most
STANDALONE = 4  # volumes, or parts, of a book that stands alone, at most
TAKEN = 12  # names that founding is told not to use
DRAFT_ROOM = 1.6  # of the target, in tokens (design/prompts.md §5.3)
TOKENS_PER_UNIT = {"zh": 0.95, "en": 1.35}  # a Han character, an English word (design/dependencies.md)
CHARACTERS_PER_UNIT = {"zh": 1.0, "en": 6.0}
TITLES = 100  # of an outline, the last ones, to whoever goes on with it
SHOWN_ENTRIES = 3  # of an outline, whole, to whoever goes on with it
HARD_ROOM = 2.5  # times the target, in characters: where a stream that does not stop is cut


# ── the parts that calls share ───────────────────────────────────────────────────────────────────────────────────────


def planned_part(kit: Kit, book: Book, context: Context, plan: Plan, rules: Rules) -> str:
    """The facts looked up and the plan, the same for every call after the plan. Kept beside the context's fields, since
    every one of those calls asks for it: a cache, not part of the context's value."""
    held = context.__dict__.get(_PLANNED)
    if held is None or held[0] is not book or held[1] is not rules or held[2] != plan:
        found = look_up(kit, book, plan, context, rules)
        text = kit.render("planned", looked_up_facts=found, plan=shown.shown_plan(kit, book, plan))
        held = context.__dict__[_PLANNED] = (book, rules, plan, text)
    return str(held[3])


def papers_text(kit: Kit, book: Book, context: Context, plan: Plan, rules: Rules) -> str:
    """Everything before the text that an audit may quote as `papers`: layers, facts, plan, truths not due."""
    return SEPARATOR.join([context.prefix, planned_part(kit, book, context, plan, rules), _truths_of(kit, book, plan)])


def _truths_of(kit: Kit, book: Book, plan: Plan) -> str:
    people = [known.id for known in planned(book.state, plan)]
    position = book.state.last_applied_chapter + 1
    return shown.truths(kit, book.state, people, plan_text(plan), position)


def _user(parts: Sequence[str], task: str) -> Message:
    text, points = "", []
    for part in parts:
        text += part + SEPARATOR
        points.append(len(text))
    return Message(role="user", text=text + task, cache_points=tuple(points))


def _papers(book: Book, **more: Any) -> Papers:
    config, state = book.config, book.state
    return Papers(language=config.language, title=config.title, position=state.last_applied_chapter + 1,
                  chapters=config.chapters, length=config.length.target, state=state, **more)  # fmt: skip


def _request(kit: Kit, task: Task, context: Context, parts: Sequence[str], text: str, papers: Papers) -> Request:
    messages = (Message(role="system", text=context.system), _user([context.prefix, *parts], text))
    return Request(task=task, messages=messages, papers=papers, reply="json", cap=CAPS[task])


# ── founding ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def found_request(
    kit: Kit, *, title: str, brief: str, chapters: int, length: int, taken_names: Sequence[str] = ()
) -> Request:
    """People and world from the author's brief. `length` of a chapter in the book's counting unit; `taken_names` are
    those of the workspace's other books. Stock names of models are added; what the brief uses is free."""
    stock = kit.say("stock_names").split("|")
    taken = [name for name in dict.fromkeys([*taken_names, *stock]) if name not in brief][:TAKEN]
    task = kit.render("found", chapters=chapters, length=length, taken_names=kit.say("join").join(taken))
    papers = Papers(language=kit.language, title=title, brief=brief, chapters=chapters, length=length)
    user = _user([kit.render("brief", brief=brief.strip())], task)
    return Request(task="found", messages=(_system(kit, title), user), papers=papers, reply="json", cap=CAPS["found"])


def outline_request(
    kit: Kit, *, title: str, brief: str, found: Mapping[str, object], papers: str, registry: Sequence[str],
    chapters: int, length: int, form: str = "serial",
) -> Request:  # fmt: skip
    """Outline and opening state from the brief and what found has made. `papers`: the bible's pages with handles, the
    author's own under a heading of their own; `registry`: Rules.registry_lines; `found`: the reply as data."""
    opening, least = kit.say(f"opening.{form}"), max(1, round(chapters / VOLUME[1])) if form == "serial" else 1
    most = max(least, round(chapters / VOLUME[0])) if form == "serial" else STANDALONE
    volumes = str(least) if least == most else f"{least}–{most}"
    task = kit.render("outline", chapters=chapters, volumes=volumes, opening=opening, registry="\n".join(registry))
    made = Papers(language=kit.language, title=title, brief=brief, chapters=chapters, length=length, found=dict(found))
    user = _user([kit.render("brief", brief=brief.strip()), kit.render("papers", papers=papers.strip())], task)
    return Request(task="outline", messages=(_system(kit, title), user), papers=made, reply="json", cap=CAPS["outline"])


def _system(kit: Kit, title: str) -> Message:
    return Message(role="system", text=system_message(kit, title))


# ── a chapter ────────────────────────────────────────────────────────────────────────────────────────────────────────


def plan_request(
    kit: Kit, book: Book, context: Context, entry: OutlineEntry | None, next_entry: OutlineEntry | None, target: int,
    *, steer: str = "", habits: Sequence[str] = (),
) -> Request:  # fmt: skip
    """`target` in the book's counting unit; `steer` is the author's own word for this chapter; `habits` are gestures
    worn out lately, beside the openings and endings that are counted here."""
    people = [known.id for known in in_focus(book, entry)]
    position = book.state.last_applied_chapter + 1
    task = kit.render(
        "plan",
        outline_entry=shown.outline_entry(kit, book, entry, steer),
        next_entry=shown.next_beats(kit, next_entry),
        secrets=shown.truths(kit, book.state, people, entry_text(entry), position),
        worn=worn(kit, book, habits),
        target=target,
    )
    papers = _papers(book, entry=entry, next_entry=next_entry, target=target)
    return _request(kit, "plan", context, [], task, papers)


def extend_request(kit: Kit, book: Book, context: Context, amount: int) -> Request:
    """The next `amount` entries of the outline, which go on from its last."""
    outline, state = book.outline, book.state
    first = len(outline.entries) + 1
    people = [known.id for known in state.entities.values() if known.kind == "person"]
    task = kit.render(
        "extend",
        outline=shown.outline_lines(kit, outline),
        last=shown.last_entries(kit, outline.entries[-SHOWN_ENTRIES:]),
        titles=kit.say("join").join(entry.title for entry in outline.entries[-TITLES:]) or kit.none,
        secrets=shown.truths(kit, state, people, "", state.last_applied_chapter + 1),
        amount=amount, first=first, last_number=first + amount - 1, chapters=book.config.chapters,
    )  # fmt: skip
    return _request(kit, "extend", context, [], task, _papers(book, outline=outline, amount=amount))


def draft_request(
    kit: Kit, book: Book, context: Context, plan: Plan, rules: Rules, *, bans: Sequence[str] = (),
    text: str = "", findings: Sequence[NumberedFinding] = (), version: int = 1, take: int = 0,
) -> Request:  # fmt: skip
    """The chapter's prose. `bans`: habits lately broken here, each with what to do instead, up to five. A whole rewrite
    hands over the last version's `text` and the `findings` about its build."""
    parts = [planned_part(kit, book, context, plan, rules)]
    if text:
        parts.append(kit.render("text", text=text.strip()))
    task = kit.render(
        "draft",
        voices=shown.voices(kit, book, plan),
        bans=shown.listed(kit, list(bans)[:5]),
        rebuild=shown.shown_findings(kit, findings) if findings else "",
    )
    papers = _papers(book, plan=plan, target=plan.target, text=text, findings=tuple(findings), version=version,
                     take=take)  # fmt: skip
    made = _request(kit, "plan", context, parts, task, papers)
    return made.model_copy(update={"task": "draft", "reply": "prose", **draft_bounds(book.config, plan.target)})


def draft_bounds(config: BookConfig, target: int) -> dict[str, int]:
    """The cap in tokens and the hard limit in characters for prose of `target`."""
    language = config.language
    return {
        "cap": math.ceil(DRAFT_ROOM * target * TOKENS_PER_UNIT[language]),
        "hard_characters": math.ceil(HARD_ROOM * target * CHARACTERS_PER_UNIT[language]),
    }


def settle_request(
    kit: Kit, book: Book, context: Context, plan: Plan, text: str, entry: OutlineEntry | None,
    next_entry: OutlineEntry | None, rules: Rules,
) -> Request:  # fmt: skip
    # Of every kind that the book knows, so that the table is the same from chapter to chapter; the book's own always.
    kinds = {str(known.kind) for known in book.state.entities.values()} | {"person", "place", "item"}
    lines = rules.registry_lines(kit.language, kinds, tuple(book.config.predicates))
    task = kit.render(
        "settle",
        registry=shown.settled_registry(kit, lines, shown.setting_events(rules)),
        outline_beats=shown.settled_beats(kit, entry, next_entry),
    )
    papers = _papers(book, entry=entry, next_entry=next_entry, plan=plan, target=plan.target, text=text)
    return _request(kit, "settle", context, _with_text(kit, book, context, plan, text, rules), task, papers)


def audit_request(
    kit: Kit, book: Book, context: Context, plan: Plan, text: str, questions: Sequence[Question], rules: Rules
) -> Request:
    task = kit.render("audit", secrets=_truths_of(kit, book, plan), questions=shown.asked(questions))
    papers = _papers(book, plan=plan, target=plan.target, text=text, questions=tuple(questions))
    return _request(kit, "audit", context, _with_text(kit, book, context, plan, text, rules), task, papers)


def revise_request(
    kit: Kit, book: Book, context: Context, plan: Plan, text: str, findings: Sequence[NumberedFinding],
    must_keep: Sequence[str], rules: Rules, *, version: int = 1,
) -> Request:  # fmt: skip
    task = kit.render(
        "revise", findings=shown.shown_findings(kit, findings), must_keep=shown.listed(kit, must_keep)
    )
    papers = _papers(book, plan=plan, target=plan.target, text=text, findings=tuple(findings),
                     must_keep=tuple(must_keep), version=version)  # fmt: skip
    return _request(kit, "revise", context, _with_text(kit, book, context, plan, text, rules), task, papers)


def length_request(
    kit: Kit, book: Book, context: Context, plan: Plan, text: str, must_keep: Sequence[str], amount: int,
    beats_off: Sequence[str], rules: Rules,
) -> Request:  # fmt: skip
    """`amount`: the distance to the target in the book's counting unit; positive: add, negative: cut."""
    task = kit.render(
        "length",
        cut_or_add=kit.say("length.add" if amount > 0 else "length.cut"),
        amount=abs(amount),
        must_keep=shown.listed(kit, must_keep),
        beats_off=shown.listed(kit, beats_off),
    )
    papers = _papers(book, plan=plan, target=plan.target, text=text, must_keep=tuple(must_keep), amount=amount)
    return _request(kit, "length", context, _with_text(kit, book, context, plan, text, rules), task, papers)


def again_request(
    kit: Kit, book: Book, context: Context, plan: Plan, text: str, delta: Delta, finding: Finding, rules: Rules
) -> Request:
    """The settler looks once more at the entry of `delta` that `finding` says cannot stand beside a known fact."""
    new = [quote.text for quote in finding.quotes if quote.source == "text"]
    old = shown.disputed_words(book.state, finding) or (new[1] if len(new) > 1 else kit.none)
    task = kit.render(
        "again",
        item=shown.disputed_entry(book.state, delta, finding),
        quote_new=new[0] if new else kit.none,
        fact=shown.disputed_fact(book.state, finding) or kit.none,
        quote_old=old,
    )
    papers = _papers(book, plan=plan, target=plan.target, text=text,
                     findings=(NumberedFinding(id="F1", wrong="", settle="", finding=finding),))  # fmt: skip
    return _request(kit, "again", context, _with_text(kit, book, context, plan, text, rules), task, papers)


def _with_text(kit: Kit, book: Book, context: Context, plan: Plan, text: str, rules: Rules) -> list[str]:
    return [planned_part(kit, book, context, plan, rules), kit.render("text", text=text.strip())]


# ── one more message ─────────────────────────────────────────────────────────────────────────────────────────────────


class _Known(dict[str, str]):
    """Values of a fault; what a reader did not say is shown as a dash, never raised in the middle of a paid run."""

    def __missing__(self, key: str) -> str:
        return "—"


def reask_request(kit: Kit, request: Request, reply_text: str, fault: ReplyFault) -> Request:
    """The same request with the reply and one message that names the fault. A JSON reply is asked for again by the keys
    that the fault touches, prose as a whole."""
    values = _Known(fault.values)
    if request.reply == "prose":
        values.setdefault("language", kit.say("language"))
        code = "fault.language" if fault.code == "language" else "fault.draft.prose"
        return _added(request, reply_text, kit.render("reask_prose", fault=kit.labels.raw(code).format_map(values)))
    task = {"length": "revise", "again": "settle"}.get(request.task, request.task)
    codes = (f"fault.{task}.{fault.code}", f"fault.common.{fault.code}")
    base = next((code for code in codes if f"{code}.fault" in kit.labels), "fault.common.reply-value")
    keys = kit.say("join").join(fault.keys[:-1]) + kit.say("list_and") if len(fault.keys) > 1 else ""
    ask = kit.render(
        "reask",
        fault=kit.labels.raw(f"{base}.fault").format_map(values),
        where=kit.say("join").join(fault.where[:5]) or kit.say("whole"),
        fix=kit.labels.raw(f"{base}.fix").format_map(values),
        keys=keys + fault.keys[-1] if fault.keys else kit.say("all_keys"),
    )
    return _added(request, reply_text, ask)


def continue_request(kit: Kit, request: Request, reply_text: str, beats_left: Sequence[str], end: str) -> Request:
    """Prose that stopped early goes on. `beats_left`: lines of papers.beat_line; `end`: the plan's end."""
    left = kit.sentences(beats_left) or kit.none
    return _added(request, reply_text, kit.render("continue", beats_left=left, end=end))


def _added(request: Request, reply_text: str, ask: str) -> Request:
    more = (Message(role="assistant", text=reply_text), Message(role="user", text=ask))
    return request.model_copy(update={"messages": (*request.messages, *more)})
