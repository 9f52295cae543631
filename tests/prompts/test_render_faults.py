"""Re-asks and continuations, word for word as design/prompts.md has them."""

from __future__ import annotations

import pytest

from inkos.kernel.papers import ReplyFault
from inkos.messages import Language
from inkos.prompts import render
from inkos.prompts.papers import beat_line, beat_lines
from inkos.prompts.readers.read import RANK
from tests.prompts import fixture
from tests.prompts.test_render_laws import LANGUAGES, requests

AS_SENT: list[tuple[str, ReplyFault, str, str]] = [
    ("found", ReplyFault(code="truth", where=("cast[3].tie",), keys=("cast",)),
     "上面的回答有一处不合约定：真相写到了 secrets 之外。位置：cast[3].tie。那里只留看得见的举动。"
     "只重发一个 JSON 对象，里面只放 cast，内容给全；别的键照旧，不用再写。",
     "One thing in that reply does not fit: a truth stands outside secrets. Where: cast[3].tie. Leave only the visible "
     "conduct there. Send one JSON object holding only cast, complete; the other keys stand and need not be repeated."),
    ("plan", ReplyFault(code="early", where=("beats[4]",), keys=("beats",)),
     "上面的回答有一处不合约定：用了下一条的事。位置：beats[4]。换掉这一拍，到它之前为止。"
     "只重发一个 JSON 对象，里面只放 beats，内容给全；别的键照旧，不用再写。",
     "One thing in that reply does not fit: something of the next entry happens. Where: beats[4]. Replace that beat "
     "and stop short of it. Send one JSON object holding only beats, complete; the other keys stand and need not be "
     "repeated."),
    ("settle", ReplyFault(code="reply-quote", where=("facts[2]", "observations[0]"), keys=("facts", "observations")),
     "上面的回答有一处不合约定：引文不在所引的文字里。位置：facts[2]、observations[0]。逐字重抄连着的一段；找不到依据，"
     "就删去这一条。只重发一个 JSON 对象，里面只放 facts、observations，内容给全；别的键照旧，不用再写。",
     "One thing in that reply does not fit: a quote is not in the text it names. Where: facts[2], observations[0]. "
     "Copy one unbroken stretch; if there is none, leave the entry out. Send one JSON object holding only facts and "
     "observations, complete; the other keys stand and need not be repeated."),
    ("audit", ReplyFault(code="missing", where=("q6", "q9", "q10", "q13"), keys=("answers",)),
     "上面的回答有一处不合约定：有几题没有答。位置：q6、q9、q10、q13。answers 里补齐，次序照题号。"
     "只重发一个 JSON 对象，里面只放 answers，内容给全；别的键照旧，不用再写。",
     "One thing in that reply does not fit: some questions have no answer. Where: q6, q9, q10, q13. Answer them all, "
     "in order. Send one JSON object holding only answers, complete; the other keys stand and need not be repeated."),
    ("revise", ReplyFault(code="old", where=("patches[0]",), keys=("patches",)),
     "上面的回答有一处不合约定：old 在正文里没有，或不止一处。位置：patches[0]。照正文逐字抄，够长到只有一处。"
     "只重发一个 JSON 对象，里面只放 patches，内容给全；别的键照旧，不用再写。",
     "One thing in that reply does not fit: an old stretch is not in Text, or stands there more than once. Where: "
     "patches[0]. Copy it from Text, long enough to stand once. Send one JSON object holding only patches, complete; "
     "the other keys stand and need not be repeated."),
]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", AS_SENT, ids=lambda case: f"{case[0]}-{case[1].code}")
def test_a_reask_reads_as_the_design_sends_it(language: Language, case: tuple[str, ReplyFault, str, str]) -> None:
    task, fault, zh, en = case
    asked = render.reask_request(fixture.kit(language), requests(language)[task], "{}", fault)
    assert asked.messages[-1].text == {"zh": zh, "en": en}[language]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", sorted(RANK))
def test_every_fault_that_a_reader_ranks_has_words_of_its_own(language: Language, code: str) -> None:
    labels = fixture.kit(language).labels
    named = [task for task in ("common", *requests(language)) if f"fault.{task}.{code}.fault" in labels]
    assert named or code in ("prose", "language")
    assert all(f"fault.{task}.{code}.fix" in labels for task in named)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reply_that_is_no_json_is_asked_for_whole(language: Language) -> None:
    kit, request = fixture.kit(language), requests(language)["audit"]
    fault = ReplyFault(code="reply-json", values={"line": "12"})
    text = render.reask_request(kit, request, "…", fault).messages[-1].text
    assert kit.say("all_keys") in text and "12" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_fault_without_its_values_or_of_an_unknown_code_still_asks(language: Language) -> None:
    kit, request = fixture.kit(language), requests(language)["plan"]
    for fault in (ReplyFault(code="place", where=("cast[1]",), keys=("cast",)), ReplyFault(code="never-heard-of")):
        text = render.reask_request(kit, request, "{}", fault).messages[-1].text
        assert "{" not in text.replace("{{", "") and text


@pytest.mark.parametrize("language", LANGUAGES)
def test_values_of_a_fault_are_never_read_as_fields(language: Language) -> None:
    fault = ReplyFault(code="place", where=("cast[1]",), keys=("cast",), values={"who": "{where}", "where": "{0}"})
    text = render.reask_request(fixture.kit(language), requests(language)["plan"], "{}", fault).messages[-1].text
    assert "{where}" in text and "{0}" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_second_look_is_asked_again_with_the_settlers_words(language: Language) -> None:
    kit, request = fixture.kit(language), requests(language)["again"]
    text = render.reask_request(kit, request, "{}", ReplyFault(code="predicate", keys=("fix",))).messages[-1].text
    assert kit.say("fault.settle.predicate.fix") in text


@pytest.mark.parametrize(
    ("language", "code", "expected"),
    [
        ("zh", "prose", "上面交的不能用：是提纲，不是正文。从头重交本章正文，别的要求照旧。"),
        ("en", "prose", "What came cannot be used: it is an outline, not prose. Hand in the whole chapter again as "
                        "prose; all else stands."),
        ("zh", "language", "上面交的不能用：不是中文。从头重交本章正文，别的要求照旧。"),
        ("en", "language", "What came cannot be used: it is not in English. Hand in the whole chapter again as prose; "
                           "all else stands."),
    ],
)  # fmt: skip
def test_prose_that_cannot_be_used_is_asked_for_whole(language: Language, code: str, expected: str) -> None:
    asked = render.reask_request(fixture.kit(language), requests(language)["draft"], "- 1", ReplyFault(code=code))
    assert asked.messages[-1].text == expected and asked.reply == "prose"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_draft_that_stopped_is_continued_with_the_beats_that_are_left(language: Language) -> None:
    kit, plan = fixture.kit(language), fixture.plan(language)
    lines = beat_lines(kit, plan)[2:]
    made = render.continue_request(kit, requests(language)["draft"], "…", lines, plan.end)
    assert all(line in made.messages[-1].text for line in lines) and plan.end in made.messages[-1].text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_beat_can_be_told_without_its_handle(language: Language) -> None:
    kit, beat = fixture.kit(language), fixture.plan(language).beats[1]
    line = beat_line(kit, beat, handle=False)
    assert beat.handle not in line and str(beat.words) not in line and beat.wants in line and beat.thing in line
