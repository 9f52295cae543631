"""From raw replies to one object: the ladder, its rungs, and what it must refuse (cases, group A)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inkos.prompts.readers import merge, read_object

KEYS = frozenset({"summary", "mood", "facts", "passed", "issues", "body"})
GOOD = {"summary": "a “b” c", "facts": [{"quote": "d, e"}], "passed": True}


def read(text: str, *, complete: bool = True) -> Any:
    return read_object(text, KEYS, complete=complete)


READABLE = [
    # (reply, object, the rung or repair that the notes name)
    ('{"passed":true,"issues":[]}', {"passed": True, "issues": []}, "whole"),
    (
        'Sure, my verdict:\n```json\n{"passed":true,"issues":[]}\n```\nTell me if you want more detail.',
        {"passed": True, "issues": []},
        "fence",
    ),  # A01
    (
        '{"passed":false,"issues":[{"text":"the word `suddenly` stands nine times"}]}',
        {"passed": False, "issues": [{"text": "the word `suddenly` stands nine times"}]},
        "whole",
    ),  # A02
    (
        '```text\nHe walked {slowly}.\nShe ran.\n```\nthen\n```json\n{"summary":"x"}\n```',
        {"summary": "x"},
        "fence",
    ),  # A03
    (
        '{"summary":"周行在门口喊了声"等等"，没有人应","mood":"紧"}',
        {"summary": '周行在门口喊了声"等等"，没有人应', "mood": "紧"},
        "quotation marks inside a string",
    ),  # A05
    ('{"body":"one\ntwo\tthree"}', {"body": "one\ntwo\tthree"}, "whole"),  # A07
    (
        '<think>short plan {"passed":false}</think>{"passed":true,"issues":[]}',
        {"passed": True, "issues": []},
        "reasoning",
    ),  # A11
    ('a plan\n</think>\n{"passed":true}', {"passed": True}, "without an opening tag"),
    ('[{"passed":false}]', {"passed": False}, "list unwrapped"),  # A17
    ('[{"passed":false},{"issues":[]}]', {"passed": False, "issues": []}, "objects joined"),
    ('{"facts":[1]}\n{"summary":"x"}', {"facts": [1], "summary": "x"}, "objects joined"),
    ('{"result":{"summary":"x"}}', {"summary": "x"}, "whole"),
    ('{"summary":"x","facts":[1,2,],}', {"summary": "x", "facts": [1, 2]}, "trailing comma"),
    ('{"summary":"x" /* why */, // because\n"mood":"y"}', {"summary": "x", "mood": "y"}, "comment"),
    ("｛“summary”：“甲”，“mood”：“乙”｝", {"summary": "甲", "mood": "乙"}, "full-width"),
    ('{"summary"："甲"，"facts"：[1，2]}', {"summary": "甲", "facts": [1, 2]}, "full-width"),
    ('{"summary":"x","passed":True,"mood":None}', {"summary": "x", "passed": True, "mood": None}, "Python literal"),
    ('{"summary":"x","facts":[{"quote":"y"}]', {"summary": "x", "facts": [{"quote": "y"}]}, "closing brace added"),
    ('{"summary":"x" "mood":"y"}', {"summary": "x", "mood": "y"}, "json_repair"),
    ("{'summary': 'x', 'mood': 'y'}", {"summary": "x", "mood": "y"}, "json_repair"),
    ('{"summary":"x","summary":"x"}', {"summary": "x"}, "whole"),
    ('{"facts":[1],"facts":[2]}', {"facts": [1, 2]}, "whole"),
    (
        'The form is {"summary":"yes|no","mood":"a|b|c|d|e|f"}. Mine: {"summary":"x","mood":"y"}',
        {"summary": "x", "mood": "y"},
        "among words",
    ),
]


@pytest.mark.parametrize(("reply", "expected", "note"), READABLE)
def test_a_reply_that_is_nearly_json_is_read_and_the_rung_is_noted(reply: str, expected: Any, note: str) -> None:
    got = read(reply)
    assert got.object == expected
    assert got.fault is None
    assert note in "; ".join(got.notes)


UNREADABLE = [
    "",
    "   \n",
    "I would rather talk about it.",
    "<think>雨还在下",  # A13
    '<think>a plan: {"summary":"x"}',  # never stored as the reply
    '{"facts":[{"id":"f1","text":"林岚把钥匙交给',  # A08
    '{"facts":[{"quote":"a"},{"quote":"林岚把',  # A10: what is missing is more than a brace
    '{"facts":[{"quote":"a"}],"issues":[',
    '{"summary":"a","summary":"b"}',  # one of them would be lost
    '{"summary":"he said "no","mood":"x"}',  # the odd mark may be an end
    '{"facts":["he said "no", "yes", and left"]}',  # two readings
    '[{"summary":"a"},{"summary":"b"}]',  # one of them would be lost
    "{" * 5000,
    "[" * 200_000,
    '{"summary":' + "[" * 300 + "]" * 300 + "}",
    '{"summary":"' + "9" * 500_000 + '"}',
    '{"unknown":1}',
    '{"chapters":[{"title":"x","beats":["a"]},{"title":"y","beats":["a "b]}]}',
]


@pytest.mark.parametrize("reply", UNREADABLE, ids=[str(n) for n in range(len(UNREADABLE))])
def test_what_has_no_sure_reading_is_a_fault_and_never_an_exception(reply: str) -> None:
    got = read(reply)
    assert got.object is None
    assert got.fault is not None and got.fault.code == "reply-json"
    assert got.fault.values["line"].isdigit()


@pytest.mark.parametrize("figure", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 5000])
def test_a_figure_that_is_none_never_becomes_one(figure: str) -> None:
    got = read('{"summary":' + figure + "}")
    assert got.object is None or isinstance(got.object["summary"], str)


def test_a_part_of_a_broken_object_is_not_taken_for_the_reply() -> None:
    keys = frozenset({"title", "chapters", "intent", "focus", "volumes"})
    reply = '{"intent":"x "y","chapters":[{"title":"one","focus":"z"}],"focus":"q"}'
    assert read_object(reply, keys).object is None


def test_a_whole_object_after_a_broken_one_is_taken() -> None:
    reply = '{"summary":"a "b"," : oops\nAgain, whole:\n{"summary":"x","mood":"y","facts":[]}'
    keys = frozenset({"summary", "mood", "facts"})
    assert read_object(reply, keys).object == {"summary": "x", "mood": "y", "facts": []}


@pytest.mark.parametrize("reply", ["{'summary':'x'}", '{"summary":"x","facts":[1]', '{"summary":"x" "mood":"y"}'])
def test_a_cut_reply_is_never_completed(reply: str) -> None:
    assert read(reply, complete=False).object is None


def test_the_fault_names_the_line_that_breaks() -> None:
    got = read('{"summary":"a",\n"mood":"b",\n"facts":[{"quote":"c" and more')
    assert got.fault.values == {"line": "3"}


def test_json_with_a_tag_in_a_string_keeps_it() -> None:
    assert read('{"summary":"the screen said <think>waiting</think>"}').object == {
        "summary": "the screen said <think>waiting</think>"
    }


# ── laws ──────────────────────────────────────────────────────────────────────────────────────────────────────────

_texts = st.text(st.characters(codec="utf-8", exclude_characters="\\"), max_size=12)
_values = st.recursive(
    st.none() | st.booleans() | st.integers(-999, 999) | _texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_texts, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(sorted(KEYS)), _values, min_size=1), st.sampled_from(["", "Here:\n", "好的："]))
def test_sound_json_is_read_as_it_is_with_or_without_words_around_it(value: dict[str, Any], before: str) -> None:
    body = json.dumps(value, ensure_ascii=False)
    got = read(before + body + ("" if not before else "\nThat is all."))
    assert got.object == value


def strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for key, item in value.items() for text in (key, *strings(item))]
    if isinstance(value, list):
        return [text for item in value for text in strings(item)]
    return [value] if isinstance(value, str) else []


def flat(text: str) -> str:
    return "".join(char for char in text.replace("\\n", "\n").replace("\\t", "\t") if char.isalnum())


BASE = json.dumps(
    {"summary": "周行喊“等等”，没有人应", "facts": [{"quote": "he said, “no”", "object": 12}], "passed": True},
    ensure_ascii=False,
)


@given(
    st.lists(
        st.tuples(
            st.integers(0, len(BASE)),
            st.integers(0, 4),
            st.sampled_from(["", '"', ",", "}", "{", "]", "：", "x", "\n", "“", "//"]),
        ),
        min_size=1,
        max_size=6,
    ),
    st.booleans(),
)
@example([(13, 0, '"')], True)
@example([(20, 0, '",')], True)
def test_a_mutated_reply_gives_nothing_that_it_does_not_hold(edits: list[tuple[int, int, str]], complete: bool) -> None:
    text = BASE
    for at, cut, put in edits:
        text = text[:at] + put + text[at + cut :]
    got = read(text, complete=complete)
    assert (got.object is None) == (got.fault is not None)
    if got.object is not None:
        held = flat(text)
        assert all(flat(string) in held for string in strings(got.object))


@given(st.text(max_size=200))
def test_any_text_is_read_without_an_exception(text: str) -> None:
    for reply in (text, "{" + text, text + "}", '{"summary":"' + text + '"}', f"```\n{text}\n```"):
        got = read(reply)
        assert (got.object is None) == (got.fault is not None)


@given(st.text(st.sampled_from('{}[]",:“”：，ab1 \n\\/*#'), max_size=60))
def test_any_heap_of_marks_is_read_without_an_exception(text: str) -> None:
    for reply in (text, '{"summary":' + text):
        got = read(reply)
        assert (got.object is None) == (got.fault is not None)


# ── a re-asked part ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "second", ['{"facts":[2]}', "[2]", "```json\n[2]\n```", '{"facts":[2],"summary":"other"}', '{"Facts":[2]}']
)
def test_reasked_keys_take_the_place_of_the_old_ones(second: str) -> None:
    merged = json.loads(merge('{"summary":"x","facts":[1]}', second, ("facts",)))
    assert merged == {"summary": "x", "facts": [2]}


def test_without_keys_the_second_reply_stands_for_all() -> None:
    assert merge('{"summary":"x"}', '{"summary":"y"}', ()) == '{"summary":"y"}'


@pytest.mark.parametrize("second", ["sorry", "", '{"summary":'])
def test_what_cannot_be_merged_is_the_second_reply_as_it_is(second: str) -> None:
    assert merge('{"summary":"x"}', second, ("facts",)) == second


def test_a_first_reply_without_an_object_gives_way() -> None:
    assert merge("no json", '{"facts":[1]}', ("facts",)) == '{"facts":[1]}'


def test_half_a_surrogate_pair_in_a_reply_is_a_character_that_can_be_written_down() -> None:
    found = read_object('{"title": "a\\ud83d", "beats": [{"change\\udc00": "\\ud83d\\ude00"}]}', frozenset({"title"}))
    assert found.object == {"title": "a\ufffd", "beats": [{"change\ufffd": "\U0001f600"}]}
