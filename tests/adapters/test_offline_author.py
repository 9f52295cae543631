"""The offline author through the real readers, reducer and gates: clean chapters, planned faults, any brief."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any, get_args

import pytest

from inkos.adapters.offline import OfflineAuthor, PlannedFault
from inkos.adapters.offline.brief import read_brief
from inkos.adapters.offline.material import plot
from inkos.kernel.book import Book
from inkos.kernel.papers import Plan
from inkos.messages import Language
from inkos.prompts.request import Message, Papers, Request
from inkos.text.count import count
from inkos.text.repeat import repeated_paragraphs, repeated_sentences, reused, shingles
from inkos.text.style import clean_prose, set_marks
from tests.adapters.offline_papers import (
    BRIEFS,
    LENGTH,
    Written,
    faulty_chapter,
    founded_book,
    founding,
    plan_request,
    three_chapters,
    write,
)

LANGUAGES: tuple[Language, ...] = get_args(Language)
both = pytest.mark.parametrize("language", LANGUAGES)


def text_of(written: Written) -> str:
    return written.state.version(written.state.best).text


def reply(written: Written, call: str) -> Any:
    return json.loads(written.replies[call])


# ── founding ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@both
def test_a_strangers_brief_gives_a_whole_foundation_in_two_calls(language: Language) -> None:
    state, calls = founding(language, OfflineAuthor(), BRIEFS[language])
    assert calls == ["found.1", "outline.1"] and state.founded is not None
    book = founded_book(language, OfflineAuthor())
    kinds = [entity.kind for entity in book.state.entities.values()]
    assert 6 <= kinds.count("person") <= 10 and kinds.count("place") >= 4 and kinds.count("item") >= 4
    assert len(book.outline.entries) == 10 and len(book.outline.volumes) == 2
    assert all(3 <= len(entry.beats) <= 6 for entry in book.outline.entries)
    assert 15 <= len(book.state.facts) <= 30 and len(book.state.hooks) >= 5 and book.state.truths


@both
def test_the_names_and_figures_of_the_brief_are_in_the_foundation(language: Language) -> None:
    book = founded_book(language, OfflineAuthor())
    names = {entity.name for entity in book.state.entities.values()}
    everything = "\n".join(text for _, text in book.bible)
    if language == "en":
        assert {"Nora Pell", "Silas Crane", "Tom Arkwright", "Candle Quay", "Fell Bridge"} <= names
        assert "40 crowns by 3 May" in everything
    else:
        assert {"沈砚", "霍三爷", "贺青禾", "绳子巷", "落雁桥"} <= names
        assert "五月初三之前还清四十两" in everything
    assert book.config.title == ("Salt and Rope" if language == "en" else "盐与绳")


STRANGERS = {
    "en": "# The Salt Doctor\n\nDr. Mara Voss keeps the only clinic in Harrow Bay. She owes Captain Elias Thorne nine "
          "pounds. Detective Inspector Kwame Boateng comes in March. To Simon nobody says a word; Simon drinks. From "
          "Simon’s brother Tomas a letter arrives at Miller’s Cross. Lady Beatrice Ashford hides it.\n",
    "zh": "# 秤星\n\n苏晚是江城最年轻的法医，二十八岁。她发现案卷少了一页。队长陆明川劝她不要再查。"
          "老板赵启山如今是委员。周掌柜名叫周伯年，粮从周掌柜手里过。师姐柳如烟待人不薄，仓书何敬之不许人查账。\n",
}  # fmt: skip


def test_people_of_a_brief_are_people_by_their_names_and_of_the_sex_that_it_says() -> None:
    en = read_brief(STRANGERS["en"], "en", plot("en"))
    assert en.people == (("Mara Voss", "she"), ("Elias Thorne", ""), ("Kwame Boateng", ""), ("Simon", ""),
                         ("Beatrice Ashford", "she"))  # fmt: skip
    assert set(en.places) == {"Harrow Bay", "Miller’s Cross"}
    zh = read_brief(STRANGERS["zh"], "zh", plot("zh"))
    assert zh.people == (("苏晚", "她"), ("陆明川", ""), ("赵启山", ""), ("周伯年", ""), ("柳如烟", "她"),
                         ("何敬之", ""))  # fmt: skip
    assert zh.places == ("江城",)


@pytest.mark.parametrize(
    ("language", "brief"),
    [
        ("en", "I want a cosy romance in a bakery. Two bakers compete for one oven. Nobody may be cruel." * 3),
        ("en", "Rowan must cross the Grey March in 12 days. {braces} [brackets] <tags> \"quotes\" " * 4),
        ("zh", "写一个没有名字的人在雪里走路的故事，他要把一封信送到山那边去。" * 8),
        ("zh", "林风是青云宗的外门弟子，他想在三年内筑基。可是长老赵无极不许。林风去了落霞谷，找到一只丹炉。" * 4),
    ],
)  # fmt: skip
def test_any_brief_founds_a_book_whose_first_chapter_is_accepted(language: Language, brief: str) -> None:
    author = OfflineAuthor(seed=5)
    state, calls = founding(language, author, brief)
    assert state.founded is not None and calls == ["found.1", "outline.1"], state.notes
    written = write(founded_book(language, author, brief), author)
    assert written.state.stage == "accepted", (written.state.stage, written.state.reasons, written.state.notes)


@both
@pytest.mark.parametrize("chapters", [1, 4, 12, 200])
def test_the_outline_details_what_the_book_has_up_to_ten(language: Language, chapters: int) -> None:
    state, calls = founding(language, OfflineAuthor(), BRIEFS[language], chapters)
    assert state.founded is not None and calls == ["found.1", "outline.1"], state.notes
    assert state.founded.files["outline.md"].count("### ") == min(chapters, 10)


# ── clean chapters ───────────────────────────────────────────────────────────────────────────────────────────────────


@both
def test_a_clean_chapter_takes_four_calls_and_none_is_asked_again(language: Language) -> None:
    for written in three_chapters(language):
        assert written.calls == ["plan.1", "draft.1", "settle.1", "audit.1"], written.state.notes
        assert written.state.stage == "accepted" and written.state.status == "accepted", written.state.reasons


@both
def test_a_chapter_has_the_length_of_its_plan(language: Language) -> None:
    for written in three_chapters(language):
        assert count(text_of(written), language) == pytest.approx(LENGTH[language], rel=0.10)


@both
def test_no_sentence_or_paragraph_of_a_chapter_stands_twice_and_little_comes_from_earlier_ones(
    language: Language,
) -> None:
    texts = [text_of(written) for written in three_chapters(language)]
    runs = [shingles(text, language) for text in texts]
    for number, text in enumerate(texts):
        assert not repeated_paragraphs(text) and not repeated_sentences(text, language)
        assert reused(text, runs[:number], language) < 0.05


@both
def test_ten_chapters_use_few_runs_of_words_again(language: Language) -> None:
    author = OfflineAuthor()
    book, texts = founded_book(language, author), []
    for _ in range(10):
        written = write(book, author)
        assert written.state.stage == "accepted", (written.state.position, written.state.reasons)
        texts.append(text_of(written))
        book = written.book
    runs = [shingles(text, language) for text in texts]
    shares = [reused(text, runs[:n], language) for n, text in enumerate(texts)]
    assert sum(shares) / len(shares) < 0.05, shares


@both
def test_prose_is_set_as_print_has_it(language: Language) -> None:
    text = text_of(three_chapters(language)[0])
    assert set_marks(text, language) == text and clean_prose(text, language)[0] == text
    assert not re.search(r"[{}\[\]|<>¶]", text) and "  " not in text
    if language == "en":
        assert not re.search(r"(?m)^“?[a-z]", text) and not re.search(r"[.?!],|[,;] ?[.?!]", text)
    else:
        assert not re.search(r"[，。]{2}|[？！][，。]|[a-z]", text)


@both
def test_the_plan_covers_its_entry_and_its_words_add_up(language: Language) -> None:
    for written in three_chapters(language):
        plan = reply(written, "plan.1")
        papers = written.requests["plan.1"].papers
        assert papers.entry is not None
        assert sum(beat["words"] for beat in plan["beats"]) == papers.target
        assert {handle for beat in plan["beats"] for handle in beat["outline"]} == {
            b.handle for b in papers.entry.beats
        }
        assert plan["beats"][0]["link"] is None and 4 <= len(plan["beats"]) <= 7


@both
def test_what_the_plan_says_stands_in_the_prose(language: Language) -> None:
    for written in three_chapters(language):
        plan = written.state.plan
        assert plan is not None
        line = re.search(r"“(.+)”", plan.keep)
        text = text_of(written)
        assert line is not None and line.group(1) in text
        parts = [part for beat in plan.beats for part in (beat.cost, beat.against)]
        told = sum((part.split(" ")[-1] if language == "en" else part[-4:]) in text for part in parts)
        assert told >= 2 * len(plan.beats) - 1


@both
def test_every_quote_of_the_settlement_stands_once_in_the_text(language: Language) -> None:
    for written in three_chapters(language):
        settled, text = reply(written, "settle.1"), text_of(written)
        quotes = [row["quote"] for key in ("events", "facts", "observations", "hook_ops", "beats_done") for row in
                  settled[key]]  # fmt: skip
        assert len(quotes) >= 5 and all(text.count(quote) == 1 for quote in quotes)
        assert settled["clock"] is not None and settled["summary"] and settled["hook_ops"]
        assert len(settled["beats_done"]) == len({beat["beat"] for beat in settled["beats_done"]}) == 4


@both
def test_the_state_follows_the_people(language: Language) -> None:
    first = three_chapters(language)[0]
    plan = first.state.plan
    assert plan is not None
    after = first.book.state
    here = next(f for f in after.facts.values() if f.subject == plan.pov and f.predicate == "location")
    assert here.valid_from_chapter == 1 and after.entities[str(here.object)].kind == "place"
    assert any(f.predicate == "knows" and f.subject == plan.pov for f in after.facts.values())
    assert [three_chapters(language)[n].book.state.clock.day for n in range(3)] == [1, 2, 3]


@both
def test_an_audit_answers_every_question_and_knows_the_controls(language: Language) -> None:
    for written in three_chapters(language):
        asked = written.requests["audit.1"].papers.questions
        answers = {row["id"]: row for row in reply(written, "audit.1")["answers"]}
        assert set(answers) == {question.id for question in asked} and len(asked) >= 8
        for question in asked:
            if question.control is not None:
                assert answers[question.id]["verdict"] == question.control, question.text
        quotes = [quote["quote"] for row in answers.values() for quote in row["quotes"]]
        assert all(quote in text_of(written) for quote in quotes)
        assert sum(reply(written, "audit.1")["score"].values()) >= 85


def test_a_control_is_answered_from_the_text_not_from_the_question() -> None:
    papers = three_chapters("en")[0].requests["audit.1"].papers
    author = OfflineAuthor()
    flipped = tuple(
        q.model_copy(update={"control": {"yes": "no", "no": "yes"}.get(str(q.control), q.control)})
        for q in papers.questions
    )
    honest = json.loads(author.reply("audit", papers))["answers"]
    misled = json.loads(author.reply("audit", papers.model_copy(update={"questions": flipped})))["answers"]
    assert [row["verdict"] for row in honest] == [row["verdict"] for row in misled]


# ── faults ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@both
def test_a_thing_in_the_wrong_hands_is_refused_looked_at_again_and_mended(language: Language) -> None:
    written = faulty_chapter(language, "contradict")
    first = written.state.versions[0]
    assert first.assessment is not None and any(f.by == "rules" for f in first.assessment.blocking)
    assert any(call.startswith("again.1") for call in written.calls)
    assert reply(written, next(call for call in written.calls if call.startswith("again")))["cause"] == "text"
    assert written.state.best == 2 and written.state.status == "accepted"
    assert reply(written, "settle.1")["facts"] and not reply(written, "settle.2")["facts"]


@both
def test_a_worn_phrase_that_is_only_swapped_is_rolled_back_and_flagged(language: Language) -> None:
    written = faulty_chapter(language, "worn")
    assert len(written.state.versions) == 2 and written.state.best == 1
    assert written.state.status == "flagged" and written.state.exit == "no-net-improvement"
    scores = [version.assessment.score for version in written.state.versions if version.assessment]
    assert scores[0] == scores[1] and scores[0] is not None and scores[0] < 85


@both
def test_a_worn_phrase_that_is_mended_passes(language: Language) -> None:
    author = OfflineAuthor(faults=(PlannedFault(position=1, kind="worn"),))
    written = write(founded_book(language, author), author)
    assert written.state.best == 2 and written.state.status == "accepted", written.state.reasons


@both
def test_an_overlong_draft_is_brought_to_its_length_by_cutting_alone(language: Language) -> None:
    written = faulty_chapter(language, "overlong")
    drafted = written.requests["length.1"].papers.text
    assert count(drafted, language) > 1.3 * LENGTH[language]
    assert count(text_of(written), language) == pytest.approx(LENGTH[language], rel=0.10)
    for patch in reply(written, "length.1")["patches"]:
        assert patch["old"] in drafted and patch["old"].endswith(patch["new"])
    assert "\n\n\n" not in text_of(written) and not re.search(r"(?m)^\s", text_of(written).replace("\n\n", "\n"))
    assert written.state.status == "accepted"


def test_a_text_that_is_too_short_is_lengthened_without_going_past_the_target() -> None:
    for language in LANGUAGES:
        papers = three_chapters(language)[0].requests["settle.1"].papers
        short = papers.model_copy(update={"target": int(LENGTH[language] * 1.1), "amount": LENGTH[language] // 10})
        patches = json.loads(OfflineAuthor().reply("length", short))["patches"]
        gained = sum(count(p["new"], language) - count(p["old"], language) for p in patches)
        assert LENGTH[language] // 20 < gained < LENGTH[language] // 5
        assert all(papers.text.count(p["old"]) == 1 and p["new"].startswith(p["old"]) for p in patches)


# ── the port ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@both
def test_the_same_papers_give_the_same_reply_and_another_seed_another(language: Language) -> None:
    papers = three_chapters(language)[0].requests["draft.1"].papers
    assert OfflineAuthor(3).reply("draft", papers) == OfflineAuthor(3).reply("draft", papers)
    assert OfflineAuthor(3).reply("draft", papers) != OfflineAuthor(4).reply("draft", papers)


def test_a_reply_is_streamed_in_pieces_that_make_the_whole() -> None:
    pieces: list[str] = []
    done = asyncio.run(OfflineAuthor().complete(plan_request("en"), pieces.append))
    assert len(pieces) > 10 and "".join(pieces) == done.text and done.usage.estimated and done.finish == "stop"


@both
def test_a_chapter_of_another_hand_is_settled_from_its_sentences(language: Language) -> None:
    papers = three_chapters(language)[0].requests["settle.1"].papers
    text = {
        "en": "Nora shut the loft and took the lantern down to the water. “You’re late,” said Silas. She did "
        "not answer him. She paid the forty crowns in small silver and asked for a line in the book, and she got it. "
        "Then the clerk blew on the ink, and Nora went home by the long way round.",
        "zh": "沈砚锁上铺门，提着铜灯去了码头。“你来晚了。”霍三爷说。沈砚没有答话，把四十两碎银一块块数在桌上，"
        "只要账上添一行字。书办吹干了墨，沈砚绕远路走回家去，天已经黑透了。",
    }[language]
    settled = json.loads(OfflineAuthor().reply("settle", papers.model_copy(update={"text": text})))
    assert settled["beats_done"] and all(row["quote"] in text for row in settled["beats_done"])
    assert settled["events"] == [] and settled["facts"] == []


@both
def test_an_authors_own_outline_and_a_plan_in_other_words_give_a_chapter(language: Language) -> None:
    book: Book = founded_book(language, OfflineAuthor())
    entry = book.outline.entries[0]
    texts = {
        "en": ["Nora wants in before noon and Silas wants a form.", "The cellar is flooded.", "She reads 40,118."],
        "zh": ["沈砚要排到前头，霍三爷压着号。", "地窖进了水。", "读出四万零一百十八。"],
    }[language]
    beats = tuple(beat.model_copy(update={"text": text}) for beat, text in zip(entry.beats, texts, strict=False))
    own = entry.model_copy(update={"beats": beats, "end_kind": "", "title": "Own"})
    papers = Papers(language=language, title="t", position=1, state=book.state, entry=own, target=LENGTH[language])
    plan = json.loads(OfflineAuthor().reply("plan", papers))
    handles = {beat.handle for beat in beats}
    assert {handle for beat in plan["beats"] for handle in beat["outline"]} == handles
    foreign = three_chapters(language)[0].state.plan
    assert foreign is not None
    loose = tuple(
        beat.model_copy(update={"wants": text, "against": "", "cost": "", "thing": "a form"})
        for beat, text in zip(foreign.beats, [*texts, texts[0]], strict=False)
    )
    strange = Plan.model_validate(foreign.model_dump() | {"beats": loose, "end": "Someone laughs.", "cast": ()})
    text = OfflineAuthor().reply("draft", papers.model_copy(update={"plan": strange}))
    assert count(text, language) == pytest.approx(LENGTH[language], rel=0.12)


def test_a_request_without_a_state_is_answered_all_the_same() -> None:
    for language in LANGUAGES:
        request = Request(
            task="plan", messages=(Message(role="user", text="x"),), reply="json", cap=100,
            papers=Papers(language=language, position=1, target=900),
        )  # fmt: skip
        assert json.loads(asyncio.run(OfflineAuthor().complete(request)).text)["beats"]
