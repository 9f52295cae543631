"""Which audit questions are asked of a chapter: fitted to genre and plan, with controls; does not judge answers.

Deterministic: the same book, plan and text give the same questions; what is picked is picked by the text's digest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

from inkos.kernel.book import Book
from inkos.kernel.papers import Plan, Question
from inkos.kernel.story import Entity, Fact
from inkos.kernel.views import facts_of, name_of, secrets_not_due
from inkos.prompts.bible import has_route, is_described
from inkos.prompts.kit import Kit
from inkos.prompts.layers import start_of
from inkos.prompts.relevance import last_active, mentioned, mentioned_in, plan_text, planned
from inkos.records import digest

MOST = 14  # questions in all (design/prompts.md §5.5)
BESIDE_BANK = 3  # two controls and one about somebody absent
# Triggered questions in the order of what they are worth: contradictions may block, the rest warns.
WORTH = (
    "fact", "item", "figure", "route", "asks", "secret", "advance", "resolve", "limit", "person", "opponent", "talk",
    "extra",
)  # fmt: skip
# Predicates of the packs whose value is a step on a ladder (kernel/rules).
RANKED = frozenset({"rank", "level", "class"})
# What the questions about a person (place, wounds, things held) and a thing (holder, looks) can be compared with.
PERSONAL = frozenset({"location", "injury", "holder", "status", "money", "stock"})
OF_THINGS = frozenset({"holder", "item_state", "trait"})
_HAN_CLAUSE = re.compile(r"(?<![\u3400-\u9fff])[\u3400-\u9fff]{4,10}(?![\u3400-\u9fff])")
_EN_CLAUSE = re.compile(r"(?<![^.,;:!?—“”\n])[^.,;:!?—“”\n]+(?![^.,;:!?—“”\n])")


def choose(kit: Kit, book: Book, plan: Plan, text: str) -> tuple[Question, ...]:
    """8–14 questions with polarity mixed and names put in: two controls that code has answered, one near the start and
    one near the end, and one about somebody who is not in the chapter (right answer: cannot_judge)."""
    seed = digest(text)
    fillings = _fillings(book, plan, text)
    entries = cast("Mapping[str, Mapping[str, Any]]", kit.bank["questions"])
    fitting = {name: entry for name, entry in entries.items() if _fits(entry, book, fillings)}
    chosen = _chosen(fitting, seed)
    fillings["figures"] = cast("Mapping[str, str]", kit.bank["figures"])["ranked" if _ranked(book) else "plain"]
    questions = [_question(fitting[name], fillings) for name in chosen]
    absent = _absent(book, plan, text)
    if absent:
        entry = cast("Mapping[str, str]", kit.bank["absent"])
        about = Question(id="", dimension=entry["dimension"], text=entry["text"].format_map({"name": absent}))
        questions.insert(len(questions) // 2, about)
    first, last = _controls(kit, text, seed)
    questions.insert(1, first)
    questions.insert(len(questions) - 1, last)
    return tuple(question.model_copy(update={"id": f"q{n}"}) for n, question in enumerate(questions, 1))


def _question(entry: Mapping[str, Any], fillings: Mapping[str, str]) -> Question:
    need = str(entry.get("needs", ""))
    values = {"pov": fillings["pov"], "name": fillings.get(need, ""), "thing": fillings.get("item", ""),
              "text": fillings.get(need, ""), "figures": fillings["figures"]}  # fmt: skip
    trouble = cast("Literal['yes', 'no']", entry["trouble"])
    return Question(id="", dimension=str(entry["dimension"]), text=str(entry["text"]).format_map(values),
                    trouble_if=trouble, contradiction=bool(entry.get("contradiction")))  # fmt: skip


def _fits(entry: Mapping[str, Any], book: Book, fillings: Mapping[str, str]) -> bool:
    genres = {str(genre).casefold() for genre in entry.get("genre", ())}
    config = book.config
    own = {word.casefold() for word in re.split(r"[\s,，/、+]+", config.genre) if word} | {config.form}
    met = (not entry.get("needs") or entry["needs"] in fillings) and (not entry.get("gain") or "gain" in fillings)
    met = met and (not entry.get("later") or book.state.last_applied_chapter > 0)
    return met and (not genres or bool(genres & own))


def _chosen(fitting: Mapping[str, Mapping[str, Any]], seed: str) -> list[str]:
    """Names of the bank's questions for this chapter: always, then triggered by worth, then the others by turns. Both
    polarities are well represented; the order is the digest's, so that polarity does not show a pattern."""
    room = MOST - BESIDE_BANK
    turns = sorted(fitting, key=lambda name: digest(f"{seed}{name}"))
    always = [name for name in fitting if fitting[name].get("always")]
    triggered = sorted((name for name in fitting if fitting[name].get("needs")),
                       key=lambda name: WORTH.index(fitting[name]["needs"]))  # fmt: skip
    rest = [name for name in turns if name not in always and name not in triggered]
    goods = [name for name in (*triggered, *rest) if fitting[name]["trouble"] == "no"]
    # Three questions in which yes is good, before everything else: a reader who always says no must stand out.
    order = dict.fromkeys([*always, *goods[:1], *triggered, *rest])
    picked = list(order)[:room]
    return [name for name in turns if name in picked]


# ── what the plan touches ────────────────────────────────────────────────────────────────────────────────────────────


def _fillings(book: Book, plan: Plan, text: str) -> dict[str, str]:
    """Need → the name or wording that a question about it takes; a need without one is not there."""
    state = book.state
    things = planned(state, plan)
    people = [known for known in things if known.kind == "person"]
    others = [known for known in people if known.id != plan.pov]
    there = {known.id for known in mentioned(people, text)}
    found = {"pov": name_of(state, plan.pov)}
    present = [known for known in others if known.id in there] or others
    if present:
        found["person"] = present[0].name
        found["talk"] = present[0].name
    if len(present) > 1:
        found["extra"] = present[-1].name
    against = mentioned(others, "\n".join(beat.against for beat in plan.beats))
    found |= {"opponent": against[0].name} if against else {}
    found |= _recorded(book, people, things)
    if plan.asks:
        found["asks"] = plan.asks[0].strip("“”\"")
    if secrets_not_due(state, state.last_applied_chapter + 1):
        found["secret"] = "secret"
    described = [known for known in present if is_described(book, known)]
    found |= {"limit": described[0].name} if described else {}
    if has_route(book, frozenset([*plan.places, start_of(book)])):
        found["route"] = "route"
    if any(beat.outcome in ("yes", "yes_but") for beat in plan.beats):
        found["gain"] = "gain"
    for promise in plan.promises:
        hook = state.hooks.get(promise.hook)
        if hook is not None and promise.do in ("advance", "resolve"):
            found.setdefault(promise.do, hook.core.rstrip("。.？?"))
    return found


def _ranked(book: Book) -> bool:
    """Whether anything in this book stands on a ladder of ranks."""
    return any(fact.predicate in RANKED for fact in book.state.facts.values())


def _recorded(book: Book, people: Sequence[Entity], things: Sequence[Entity]) -> dict[str, str]:
    """Who has most on record, the first planned thing that has a holder or a look, and whether figures are in play."""
    found: dict[str, str] = {}
    counted = {known.name: len(_held(book, known, PERSONAL)) for known in people}
    if any(counted.values()):
        found["fact"] = max(counted, key=lambda name: counted[name])
    items = [known for known in things if known.kind == "item"]
    told = [known for known in items if any(fact.subject == known.id for fact in _held(book, known, OF_THINGS))]
    if told:
        found["item"] = told[0].name
    facts = facts_of(book.state, [known.id for known in things])
    if any(fact.object_kind == "number" for fact in facts):
        found["figure"] = "figure"
    return found


def _held(book: Book, known: Entity, predicates: frozenset[str]) -> list[Fact]:
    return [fact for fact in facts_of(book.state, [known.id]) if fact.predicate in predicates]


def _absent(book: Book, plan: Plan, text: str) -> str:
    """The most recently active person who is neither planned nor named in the text; empty when there is none."""
    state = book.state
    planned_ids = {known.id for known in planned(state, plan)}
    people = [known for known in state.entities.values() if known.kind == "person" and known.id not in planned_ids]
    there = {known.id for known in mentioned_in(state, f"{text}\n{plan_text(plan)}")}
    seen = last_active(state)
    away = sorted((known for known in people if known.id not in there), key=lambda known: (-seen[known.id], known.id))
    return away[0].name if away else ""


# ── controls ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _controls(kit: Kit, text: str, seed: str) -> tuple[Question, Question]:
    """Two questions that the text answers beyond doubt: words that stand in it or do not, and words that stand in its
    last paragraph or only far before it."""
    paragraphs = [line for line in text.splitlines() if line.strip()]
    last = paragraphs[-1] if paragraphs else ""
    before = "\n".join(paragraphs[: len(paragraphs) // 2])
    strangers = [word for word in str(kit.bank["strangers"]).split("|") if word not in text] or ["—"]
    early, late = _clauses(before, text), _clauses(last, text)
    chance = int(seed[:8], 16)
    stranger = strangers[chance % len(strangers)]
    if chance % 2 and early:
        first = _control(kit, "somewhere", early[chance % len(early)], "yes")
    else:
        first = _control(kit, "somewhere", stranger, "no")
    if (chance // 2) % 2 and late:
        second = _control(kit, "last", late[chance % len(late)], "yes")
    elif early:
        second = _control(kit, "last", early[(chance // 4) % len(early)], "no")
    else:
        second = _control(kit, "last", strangers[(chance // 4) % len(strangers)], "no")
    return first, second


def _control(kit: Kit, form: str, words: str, answer: Literal["yes", "no"]) -> Question:
    text = cast("Mapping[str, str]", kit.bank["controls"])[form].format_map({"words": words})
    return Question(id="", dimension="control", text=text, control=answer)


def _clauses(part: str, text: str) -> list[str]:
    """Short unbroken stretches between marks that stand once in the whole text: 4–10 Han characters, 3–6 words."""
    found = _HAN_CLAUSE.findall(part)
    found += [clause for piece in _EN_CLAUSE.findall(part) if 3 <= len((clause := piece.strip()).split()) <= 6]
    return [clause for clause in found if text.count(clause) == 1]
