"""From a raw reply to one JSON object, by a ladder of ever bolder readings; does not know what the object means.

    whole text → fenced blocks → every balanced object → own bounded repairs → json_repair → fault

(design/dependencies.md: 21 of 22 broken samples.) Each rung is tried on the text without its leading reasoning block.
What holds on every rung: nothing is taken that the text does not hold, and nothing that it holds is lost without a
note. The last rung is never taken for a reply that was cut, and its result is checked letter by letter against the
source."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from inkos.kernel.papers import ReplyFault
from inkos.prompts.readers.repair import MAX_DEPTH, Ambiguous, TwoReadings, repair
from inkos.prompts.readers.words import plain_key
from inkos.text.characters import written

MAX_CHARACTERS = 400_000  # ten times the longest reply of design/prompts.md §5.1 (38,000)
MAX_STARTS = 400  # braces from which an object is tried
MAX_REPAIR = 100_000  # characters that json_repair is given

_THINK = r"think|thinking|reasoning|reflection"
_THINK_BLOCK = re.compile(rf"\s*<({_THINK})>(.*?)</\1>\s*", re.DOTALL | re.IGNORECASE)
_THINK_OPEN = re.compile(rf"\s*<({_THINK})>", re.IGNORECASE)
_THINK_CLOSE = re.compile(rf"</({_THINK})>\s*", re.IGNORECASE)
_FENCE = re.compile(r"```[^\n`]*\n(.*?)\n?[ \t]*```", re.DOTALL)
_START = re.compile(r"[{｛](?=\s*(?:[\"“}'/]|$))")  # a brace that may open an object; a brace in prose is none
_KEY = re.compile(r"[\"“”](\w{1,40})[\"“”]\s*[:：]")
_CHOICES = re.compile(r"\w+(?:\|\w+)+")


_UNOPENED = "reasoning block without an opening tag taken off"


class Found(NamedTuple):
    """The object, what was done to get it, and the fault where there is none."""

    object: dict[str, object] | None
    notes: list[str]
    fault: ReplyFault | None


class _Loss(ValueError):
    """A strict reading that would lose something: two different values under one key, a figure that is none."""


def without_reasoning(text: str, notes: list[str]) -> str | None:
    """The text after a leading reasoning block; null when that block was never closed. Tags further in stay."""
    text = text.lstrip("\ufeff")
    while (block := _THINK_BLOCK.match(text)) is not None:
        notes.append("reasoning block taken off")
        text = text[block.end() :]
    if _THINK_OPEN.match(text):
        notes.append("reasoning block never closed")
        return None
    close = _THINK_CLOSE.search(text)
    if close is not None and not re.search(rf"<({_THINK})>", text[: close.start()], re.IGNORECASE):
        before = text[: close.start()]
        if before.endswith("\n") or not before.strip() or text[close.end() : close.end() + 1] in "{[":
            notes.append(_UNOPENED)
            return text[close.end() :]
    return text


def read_object(text: str, keys: frozenset[str], *, complete: bool = True) -> Found:
    """The object of the reply that has a key of the contract. `complete` false: the reply was cut at its cap."""
    notes: list[str] = []
    body = without_reasoning(text, notes)
    if body is None or not body.strip():
        return Found(None, [*notes, "empty"], _fault(1))
    if len(body) > MAX_CHARACTERS or depth_of(body) > MAX_DEPTH:
        return Found(None, [*notes, "too long or nested too deeply"], _fault(1))
    seen = _keys_in(text if _UNOPENED in notes else body, keys)
    clean, after_a_break = _strict(body)
    got = _choose(body, clean, keys, seen, notes)
    if got is None:
        got = _repaired(body, keys, seen, complete, notes)
    if got is None:
        got = _choose(body, after_a_break, keys, seen, notes)
    if got is None:
        return Found(None, notes, _fault(_line_of_break(body)))
    return Found(written(_inner(got, keys) or got), notes, None)


def _fault(line: int) -> ReplyFault:
    return ReplyFault(code="reply-json", values={"line": str(line)})


class _Candidate(NamedTuple):
    """An object that a rung gives, and where it stands in the text."""

    value: dict[str, object]
    start: int
    end: int
    rung: str


# ── strict rungs ──────────────────────────────────────────────────────────────────────────────────────────────────


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object; a key that stands twice must not lose anything: equal values are one, two lists are joined."""
    got: dict[str, object] = {}
    for key, value in pairs:
        old = got.get(key)
        if key not in got or old == value or old in ("", None, [], {}):
            got[key] = value
        elif value in ("", None, [], {}):
            continue
        elif isinstance(old, list) and isinstance(value, list):
            got[key] = [*old, *value]
        else:
            raise _Loss(key)
    return got


def _finite(figure: str) -> float:
    value = float(figure)
    if value in (float("inf"), float("-inf")):
        raise _Loss(figure)
    return value


def _no_constant(name: str) -> object:
    raise _Loss(name)


_DECODER = json.JSONDecoder(
    strict=False, object_pairs_hook=_pairs, parse_float=_finite, parse_constant=_no_constant
)  # strict=False: real line feeds and tabs inside a string are text (case A07)


def _decode(text: str, at: int) -> tuple[object, int] | None:
    try:
        return _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):  # ValueError also covers figures of thousands of digits
        return None


def _whole(text: str) -> object | None:
    """The value of a text that is JSON and nothing else."""
    start = len(text) - len(text.lstrip())
    decoded = _decode(text, start) if text.strip() else None
    return decoded[0] if decoded is not None and not text[decoded[1] :].strip() else None


def _strict(body: str) -> tuple[list[_Candidate], list[_Candidate]]:
    """Every object of the first rung that gives any: those that stand free, and those that follow a broken object and
    may be parts of it."""
    whole = _whole(body)
    if isinstance(whole, dict):
        return [_Candidate(whole, 0, len(body), "whole")], []
    if isinstance(whole, list):
        return _unlisted(whole, 0, len(body)), []
    free: list[_Candidate] = []
    for fence in _FENCE.finditer(body):
        inner = _whole(fence.group(1))
        if isinstance(inner, dict):
            free.append(_Candidate(inner, *fence.span(), "fence"))
        elif isinstance(inner, list):
            free.extend(_unlisted(inner, *fence.span()))
    if free:
        return free, []
    doubtful: list[_Candidate] = []
    taking, at = free, 0
    for _ in range(MAX_STARTS):
        start = _START.search(body, at)
        if start is None:
            break
        decoded = _decode(body, start.start())
        if decoded is not None and isinstance(decoded[0], dict):
            taking.append(_Candidate(decoded[0], start.start(), decoded[1], "object among words"))
            at = decoded[1]
        else:
            taking, at = doubtful, start.start() + 1
    return free, doubtful


def _unlisted(values: list[object], start: int, end: int) -> list[_Candidate]:
    """The objects of a list that stands for one object (case A17): one, or several that share no key; else nothing."""
    objects = [value for value in values if isinstance(value, dict)]
    keys = [key for value in objects for key in value]
    if len(objects) != len(values) or len(keys) != len(set(keys)):
        return []
    return [_Candidate(value, start, end, "list unwrapped") for value in objects]


# ── choosing ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _fits(value: dict[str, object], keys: frozenset[str]) -> bool:
    return _inner(value, keys) is not None


def _inner(value: dict[str, object], keys: frozenset[str]) -> dict[str, object] | None:
    """The object itself if it has a key of the contract, or the one object it wraps (`{"plan": {…}}`)."""
    if any(key in keys or plain_key(key) in keys for key in value):
        return value
    inner = [item for item in value.values() if isinstance(item, dict)]
    if len(inner) == 1 and len(value) == 1 and any(key in keys for key in inner[0]):
        return inner[0]
    return None


def _is_template(value: object) -> bool:
    """Whether an object is the contract itself, sent back: some value still offers its choices (`yes|no`)."""
    if isinstance(value, dict):
        return any(_is_template(item) for item in value.values())
    if isinstance(value, list):
        return any(_is_template(item) for item in value)
    return isinstance(value, str) and _CHOICES.fullmatch(value) is not None


def _keys_in(text: str, keys: frozenset[str]) -> set[str]:
    """The keys of the contract that stand in a text as JSON writes them."""
    return {found.group(1) for found in _KEY.finditer(text)} & keys


def _all_keys(value: object) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*(_all_keys(item) for item in value.values()))
    return set().union(*(_all_keys(item) for item in value)) if isinstance(value, list) else set()


def _choose(
    body: str, candidates: list[_Candidate], keys: frozenset[str], seen: set[str], notes: list[str]
) -> dict[str, object] | None:
    """The largest object that is not the contract sent back, and with it those that hold other keys of the reply. Null
    where a key that the reply has (`seen`) would be left outside, or keys go on after it: they would be lost."""
    fitting = [candidate for candidate in candidates if _fits(candidate.value, keys)]
    if not fitting:
        return None
    ranked = sorted(fitting, key=lambda candidate: (_is_template(candidate.value), candidate.start - candidate.end))
    chosen = dict(ranked[0].value)
    told = [f"json: {ranked[0].rung}"]
    for other in ranked[1:]:
        if not set(other.value) & set(chosen):
            chosen |= other.value
            told.append("json: objects joined")
        elif any(chosen.get(key) != value for key, value in other.value.items()):
            told.append("json: another object left out")
    tail = body
    for candidate in sorted(fitting, key=lambda candidate: -candidate.start):
        tail = tail[: candidate.start] + tail[candidate.end :]
    tail = tail[min(candidate.start for candidate in fitting) :]
    if ranked[0].rung != "whole" and (not seen <= _all_keys(chosen) or _KEY.search(tail)):
        return None
    notes.extend(told)
    return chosen


# ── repairs ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _repaired(
    body: str, keys: frozenset[str], seen: set[str], complete: bool, notes: list[str]
) -> dict[str, object] | None:
    for source in [*(fence.group(1) for fence in _FENCE.finditer(body)), body]:
        start = _broken_start(source)
        if start is None:
            continue
        try:
            mended = repair(source[start:], complete=complete)
        except TwoReadings:
            return None
        except Ambiguous:
            continue
        value = _whole(mended.text)
        if isinstance(value, dict) and _fits(value, keys) and seen <= _all_keys(value):
            if _KEY.search(source, start + mended.end):
                continue  # it ended too early
            notes.append("json: repaired: " + ", ".join(mended.notes))
            return value
    return _last_rung(body, keys, seen, notes) if complete else None


def _broken_start(source: str) -> int | None:
    """Where the first object begins that cannot be read as it stands."""
    at = 0
    for _ in range(MAX_STARTS):
        start = _START.search(source, at)
        if start is None:
            return None
        decoded = _decode(source, start.start())
        if decoded is None:
            return start.start()
        at = decoded[1]
    return None


def _last_rung(body: str, keys: frozenset[str], seen: set[str], notes: list[str]) -> dict[str, object] | None:
    """json_repair, accepted only if every letter of the source stands in the result, in the same order."""
    start, stop = _broken_start(body), body.rfind("}")
    if start is None or stop < start or stop - start > MAX_REPAIR:
        return None
    region, tail = body[start : stop + 1], body[stop + 1 :].lstrip()
    opens = sum(region.count(mark) for mark in "{[") - sum(region.count(mark) for mark in "}]")
    if opens not in (0, 1) or tail[:1] in (",", "，", '"', ":", "“"):
        return None  # it was cut: what is missing is more than a brace
    import json_repair  # a slow import, for the last rung only

    try:
        value = json_repair.loads(region, skip_json_loads=True)
    except (ValueError, RecursionError, IndexError):
        return None
    if not isinstance(value, dict) or not _fits(value, keys) or not seen <= _all_keys(value):
        return None
    if not _covers(region, value):
        return None
    notes.append("json: repaired by json_repair")
    return value


_FILLING = re.compile(r"[\s{}\[\]:,\"'“”：，\\]*")


def _covers(region: str, value: object) -> bool:
    """Whether the strings and figures of `value` fill the region but for marks, each in its place."""
    at = 0
    for token in _tokens(value):
        at = _FILLING.match(region, at).end()  # type: ignore[union-attr]  # matches the empty string too
        forms = [token.strip(), json.dumps(token, ensure_ascii=False)[1:-1].strip()]
        forms = [form.lstrip("{}[]:,\"'“”：，\\ \n\r\t") for form in forms]
        form = next((form for form in forms if region.startswith(form, at)), None)
        if form is None:
            return False
        at += len(form)
    return _FILLING.fullmatch(region, at) is not None


def _tokens(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from _tokens(item)
    elif isinstance(value, list):
        for item in value:
            yield from _tokens(item)
    elif isinstance(value, str):
        yield value
    else:
        yield json.dumps(value)


# ── bounds and places ─────────────────────────────────────────────────────────────────────────────────────────────


def depth_of(text: str) -> int:
    """The deepest nesting of brackets outside strings, as a plain lexer sees it."""
    depth = deepest = 0
    inside = escaped = False
    for char in text:
        if inside:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == '"':
                inside = False
        elif char == '"':
            inside = True
        elif char in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif char in "}]":
            depth = max(0, depth - 1)
    return deepest


def _line_of_break(body: str) -> int:
    """The line, from 1, at which a strict reading of the object breaks off."""
    start = body.find("{")
    if start < 0:
        return 1
    try:
        _DECODER.raw_decode(body, start)
    except json.JSONDecodeError as broken:
        return broken.lineno
    except (ValueError, RecursionError):
        pass
    return body.count("\n", 0, start) + 1


def read_list(text: str) -> list[object] | None:
    """The bare list that a reply is, fenced or not: a re-ask for one key is answered so now and then."""
    body = without_reasoning(text, [])
    if body is None or len(body) > MAX_CHARACTERS or depth_of(body) > MAX_DEPTH:
        return None
    for source in (body, *(fence.group(1) for fence in _FENCE.finditer(body))):
        value = _whole(source)
        if isinstance(value, list):
            return value
    return None
