"""The seven layers: what they take, what they leave out, how they stay the same from chapter to chapter."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkos.kernel.book import Book
from inkos.kernel.papers import OutlineEntry
from inkos.kernel.story import Entity, Evidence, Fact, Hook, PayoffTiming, SummaryRow
from inkos.messages import Language
from inkos.prompts.budget import fair_shares, first_fitting, halved, last_fitting, size
from inkos.prompts.context import Context, compose, look_up
from inkos.prompts.layers import BUDGETS, LAYERS
from inkos.prompts.relevance import mentioned
from tests.prompts import fixture

LANGUAGES: tuple[Language, ...] = ("zh", "en")
rows = st.lists(st.text(alphabet="abc", min_size=1, max_size=30), max_size=60)


def composed(book: Book, entry: OutlineEntry | None) -> Context:
    language = book.config.language
    return compose(fixture.kit(language), book, entry, fixture.rules(language))


def layer(book: Book, name: str, entry: OutlineEntry | None = None) -> str:
    made = composed(book, entry or fixture.entry(book.config.language)[0])
    return next(layer.text for layer in made.layers if layer.name == name)


def with_state(book: Book, **changes: object) -> Book:
    return book.model_copy(update={"state": book.state.model_copy(update=changes)})


# ── selections ───────────────────────────────────────────────────────────────────────────────────────────────────────


@given(rows, st.integers(min_value=1, max_value=300))
def test_halving_drops_a_prefix_that_never_comes_back(items: list[str], budget: int) -> None:
    cuts = [halved(items[:n], budget) for n in range(len(items) + 1)]
    assert all(cut.rows == tuple(items[cut.dropped : n]) for n, cut in enumerate(cuts))
    assert all(a.dropped <= b.dropped for a, b in pairwise(cuts))


@given(rows, st.integers(min_value=40, max_value=300))
def test_halving_keeps_within_the_budget_and_moves_in_halving_steps_only(items: list[str], budget: int) -> None:
    for n in range(1, len(items) + 1):
        before, after = halved(items[: n - 1], budget), halved(items[:n], budget)
        assert size(after.rows) <= budget
        if after.dropped > before.dropped:
            # At most half is left besides the newest row, so the next step is far away.
            assert size(after.rows) <= max(budget // 2, len(items[n - 1]))
            assert after.reason


@given(rows, st.integers(min_value=0, max_value=300))
def test_first_fitting_keeps_the_order_and_the_budget(items: list[str], budget: int) -> None:
    kept = first_fitting(items, budget)
    assert size(kept.rows) <= budget
    assert len(kept.rows) + kept.dropped == len(items)
    left = iter(items)
    assert all(row in left for row in kept.rows)


@given(rows, st.integers(min_value=0, max_value=300))
def test_last_fitting_keeps_whole_paragraphs_at_the_end(items: list[str], budget: int) -> None:
    kept = last_fitting(items, budget)
    assert list(kept.rows) == items[kept.dropped :]
    assert not items or kept.rows


@given(st.lists(st.integers(min_value=0, max_value=500), max_size=8), st.integers(min_value=0, max_value=2000))
def test_fair_shares_spend_no_more_than_there_is_and_no_more_than_is_wanted(wanted: list[int], budget: int) -> None:
    shares = fair_shares(wanted, budget)
    assert sum(shares) <= budget
    assert all(0 <= share <= want for share, want in zip(shares, wanted, strict=True))
    assert sum(wanted) > budget or shares == wanted


# ── layers ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_layers_stand_in_their_order_each_with_its_heading(language: Language) -> None:
    made = composed(fixture.book(language), fixture.entry(language)[0])
    assert tuple(layer.name for layer in made.layers) == LAYERS
    places = [made.prefix.index(layer.text) for layer in made.layers]
    assert places == sorted(places)
    assert made.prefix.count("\n# ") == 6 and made.prefix.startswith("# ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_empty_layer_keeps_its_heading_and_says_none(language: Language) -> None:
    book = with_state(fixture.book(language), summaries=(), hooks={})
    outline = book.outline.model_copy(update={"volumes": ()})
    book = book.model_copy(update={"recent": (), "bible": (), "outline": outline})
    made = composed(book, None)
    empty = [layer.name for layer in made.layers if layer.text == fixture.kit(language).none]
    assert empty == ["bible", "arc_summaries", "chapter_summaries", "due_promises", "last_pages"]
    assert made.prefix.count("\n# ") == 6


@pytest.mark.parametrize("language", LANGUAGES)
def test_composing_twice_gives_the_same_bytes(language: Language) -> None:
    book, entry = fixture.book(language), fixture.entry(language)[0]
    assert composed(book, entry) == composed(Book.model_validate(book.model_dump()), entry)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_authors_bans_stand_in_full_whatever_they_take(language: Language) -> None:
    book = fixture.book(language)
    bans = tuple(f"ban-{n}-{'x' * 20}" for n in range(300))
    style = book.config.style.model_copy(update={"bans": bans})
    book = book.model_copy(update={"config": book.config.model_copy(update={"style": style})})
    text = layer(book, "rules_and_style")
    assert all(ban in text for ban in bans)
    assert all(ban in layer(fixture.book(language), "rules_and_style") for ban in fixture.CONFIG[language]["bans"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_voices_and_what_only_the_author_reads_stay_out_of_the_bible(language: Language) -> None:
    text = layer(fixture.book(language), "bible")
    voices = [line for lines in fixture.CONFIG[language]["voices"].values() for line in lines]
    assert not any(line in text for line in voices)
    assert fixture.TRUTH[language]["truth"][1].split("，")[0] not in text
    assert fixture.ENTITIES[language]["p1"][0] in text


def test_a_private_section_inside_a_public_file_stays_out_of_the_bible() -> None:
    book = fixture.book("en")
    text = "# Cast\n## Ada\n- Want: calm\n## For the author\n- she did it\n### More\n- at night\n## Pell\n- rope\n"
    shown = layer(book.model_copy(update={"bible": (("bible/cast.md", text),)}), "bible")
    assert "she did it" not in shown and "at night" not in shown and "rope" in shown and "calm" in shown


def peopled(number: int) -> Book:
    """A cast of so many, each with two lines, of which only a part fits into the bible's layer."""
    people = "".join(f"## 人物{n}\n- 要：{'想' * 60}\n- 不在场时：{'走' * 60}\n" for n in range(number))
    book = fixture.book("zh")
    return book.model_copy(update={"bible": (("bible/cast.md", f"# 人物\n{people}"), *book.bible[:1])})


def test_a_bible_over_its_budget_keeps_every_person_and_says_what_it_left_out() -> None:
    made = next(layer for layer in composed(peopled(15), None).layers if layer.name == "bible")
    assert len(made.text) <= made.budget and made.dropped and made.reason
    assert all(f"人物{n}\n" in made.text for n in range(15))
    assert "要什么" in made.text


def test_no_heading_of_the_bible_stands_without_a_line_of_its_own() -> None:
    lines = layer(peopled(40), "bible").splitlines()
    assert "### 人物0" in lines and "### 人物39" not in lines
    assert all(not after.startswith("### 人物") for line, after in pairwise(lines) if line.startswith("### 人物"))
    assert not lines[-1].startswith("#")


def test_the_bibles_layer_is_the_same_whatever_the_entry_and_whom_it_names_is_looked_up() -> None:
    book, name = peopled(40), "人物39"
    known = Entity(id="x.p9", handle="p9", kind="person", name=name)
    book = with_state(book, entities={**book.state.entities, known.id: known})
    here, away = (OutlineEntry(key="x", title="…", function=f"{who}来了") for who in (name, "人物0"))
    assert layer(book, "bible", here) == layer(book, "bible", away)
    assert f"{name} — 要" in layer(book, "open_facts", here) and name not in layer(book, "bible", here)
    assert f"{name} — 要" not in layer(book, "open_facts", away)


def crowded(name: str) -> Book:
    """The Chinese book with a cast too large for the bible's layer, in which `name` fears something."""
    book = with_state(fixture.book("zh"), facts={})
    people = [*(f"人物{n}" for n in range(30)), name]
    text = "".join(f"## {person}\n- 要：{'想' * 99}\n- 怕：{person}怕水里的灯{'，' * 99}\n" for person in people)
    return book.model_copy(update={"bible": (("bible/cast.md", text),)})


def test_whom_the_entry_names_has_in_the_facts_what_the_bibles_layer_left_out() -> None:
    name = fixture.ENTITIES["zh"]["p2"][0]
    book = crowded(name)
    assert f"{name}怕水里的灯" not in layer(book, "bible")
    assert f"{name} — 怕：{name}怕水里的灯" in layer(book, "open_facts")
    made = composed(book, fixture.entry("zh")[0])
    assert name + "怕" not in look_up(fixture.kit("zh"), book, fixture.plan("zh"), made, fixture.rules("zh"))


def test_whom_only_the_plan_names_has_it_looked_up() -> None:
    name = fixture.ENTITIES["zh"]["p6"][0]
    book = crowded(name)
    made = composed(book, fixture.entry("zh")[0])
    plan = fixture.plan("zh").model_copy(update={"places": ("genesis.p6",)})
    assert f"{name}怕水里的灯" not in made.prefix
    assert f"{name}怕水里的灯" in look_up(fixture.kit("zh"), book, plan, made, fixture.rules("zh"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_summaries_keep_the_newest_and_stay_the_same_while_a_chapter_is_added(language: Language) -> None:
    book = fixture.book(language)
    many = tuple(SummaryRow(chapter=n, title=f"T{n}", day=n, text=f"row {n} " + "x" * 40) for n in range(1, 201))
    texts = [layer(with_state(book, summaries=many[:n]), "chapter_summaries") for n in range(150, 200)]
    budget = BUDGETS["chapter_summaries"][language]
    assert all(len(text) <= budget for text in texts)
    grown = sum(new.startswith(old) for old, new in pairwise(texts))
    assert grown >= len(texts) * 0.8


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_closed_volume_is_told_in_one_paragraph_and_the_open_one_by_its_goal(language: Language) -> None:
    book = fixture.book(language)
    first, second = book.outline.volumes
    entries = tuple(c.model_copy(update={"outline_key": f"k{n}"}) for n, c in enumerate(book.index.chapters, 1))
    more = (entries[0].model_copy(update={"outline_key": "k7"}), entries[0].model_copy(update={"outline_key": "k8"}))
    book = book.model_copy(update={"index": book.index.model_copy(update={"chapters": (*entries, *more)})})
    text = layer(book, "arc_summaries")
    lines = text.splitlines()
    assert first.loss in lines[0] and book.state.summaries[-1].text in lines[0]
    assert second.goal in lines[1] and second.loss not in lines[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_open_facts_name_handles_facts_of_the_entry_and_the_time_last(language: Language) -> None:
    text = layer(fixture.book(language), "open_facts")
    names = fixture.ENTITIES[language]
    assert all(f"{handle} {known[0]}" in text for handle, known in names.items())
    assert all(alias in text for known in names.values() for alias in known[1:])
    assert "17:20" in text.splitlines()[-1]
    assert fixture.FACTS[language][2][2] in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_fact_of_long_ago_is_there_when_the_entry_names_its_bearer_by_an_alias(language: Language) -> None:
    book = fixture.book(language)
    old = Entity(id="genesis.p9", handle="p9", kind="person", name={"zh": "石敬", "en": "Brannock"}[language],
                 aliases=({"zh": "石先生", "en": "the pilot"}[language],))  # fmt: skip
    fact = Fact(id="genesis.f99", handle="f99", subject="genesis.p9", predicate="injury", object="left eye: blind",
                valid_from_chapter=1, source_chapter=1, evidence=Evidence(quote="blind"))  # fmt: skip
    state = book.state
    book = with_state(book, entities={**state.entities, old.id: old}, facts={**state.facts, fact.id: fact})
    entry = OutlineEntry(key="x", title="X", beats=()).model_copy(update={"function": f"… {old.aliases[0]} …"})
    assert "f99 " in layer(book, "open_facts", entry)


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_knows_a_secret_is_shown_of_the_viewpoint_only(language: Language) -> None:
    book = fixture.book(language)
    facts = {n: f.model_copy(update={"subject": "genesis.p1"}) if f.predicate == "knows" else f
             for n, f in book.state.facts.items()}  # fmt: skip
    assert "knows" not in layer(book, "open_facts")
    assert "knows" in layer(with_state(book, facts=facts), "open_facts")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_entry_that_names_nobody_gives_the_viewpoint_and_the_recently_active(language: Language) -> None:
    text = layer(fixture.book(language), "open_facts", OutlineEntry(key="x", title="…"))
    assert f"{fixture.ENTITIES[language]['p1'][0]} · location" in text
    assert f"{fixture.ENTITIES[language]['p3'][0]} · location" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_promise_that_the_entry_speaks_of_comes_first(language: Language) -> None:
    book = fixture.book(language)
    core = fixture.HOOKS[language][2][0]
    entry = OutlineEntry(key="x", title=core)
    lines = layer(book, "due_promises", entry).splitlines()
    assert lines[0].startswith("h3 ") or lines[0].startswith("h3（")


def foreseen(language: Language, core: str = "") -> Book:
    """The fixture book before its first chapter: promises are known from founding and none is due."""
    book = fixture.book(language)
    kinds: tuple[PayoffTiming, ...] = ("endgame", "near-term", "mid-arc")
    hooks = {f"g.h{n}": Hook(id=f"g.h{n}", handle=f"h{n}", start_chapter=0, last_advanced_chapter=0,
                             payoff_timing=kinds[n - 1], core=f"<core {n}>{core}") for n in (1, 2, 3)}  # fmt: skip
    return with_state(book, hooks=hooks, last_applied_chapter=0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_promises_that_are_not_due_are_known_by_handle_and_status_the_soonest_first(language: Language) -> None:
    lines = layer(foreseen(language), "due_promises", OutlineEntry(key="x", title="…")).splitlines()
    assert [line[:2] for line in lines] == ["h2", "h3", "h1"]
    kit = fixture.kit(language)
    assert all(kit.say("hook.status.unplanted") in line and f"<core {line[1]}>" in line for line in lines)
    assert not any(kit.say(f"hook.{why}") in line for why in ("due", "named", "overdue") for line in lines)


def test_common_words_do_not_make_an_entry_speak_of_a_promise() -> None:
    hook = Hook(id="g.h1", handle="h1", start_chapter=0, last_advanced_chapter=0, payoff_timing="endgame",
                core="Will Tansy Rook speak of the year of the flood?")  # fmt: skip
    book = with_state(fixture.book("en"), hooks={hook.id: hook})
    named = fixture.kit("en").say("hook.named")
    away = OutlineEntry(key="x", title="Wax", function="What she hides, for a year, and who will speak for her.")
    near = OutlineEntry(key="x", title="Flood", function="Tansy Rook will speak.")
    assert named not in layer(book, "due_promises", away) and named in layer(book, "due_promises", near)


def test_promises_over_the_budget_are_counted() -> None:
    made = next(layer for layer in composed(foreseen("zh", "字" * 300), None).layers if layer.name == "due_promises")
    assert made.taken == 2 and made.dropped == 1 and made.reason
    assert "<core 2>" in made.text and "<core 1>" not in made.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_unit_of_length_counts_is_said_in_the_rules_where_it_may_be_misread(language: Language) -> None:
    book = fixture.book(language)
    length = book.config.length.model_copy(update={"count_punctuation": True})
    config = book.config.model_copy(update={"length": length})
    plain, marks = layer(book, "rules_and_style"), layer(book.model_copy(update={"config": config}), "rules_and_style")
    assert ("只数汉字" in plain, "标点都算" in marks) == ((True, True) if language == "zh" else (False, False))
    assert (plain != marks) == (language == "zh")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_age_has_its_unit_in_the_books_language(language: Language) -> None:
    fact = Fact(id="x.f", handle="f98", subject="genesis.p1", predicate="age", object=22, object_kind="number",
                valid_from_chapter=0, source_chapter=0)  # fmt: skip
    book = with_state(fixture.book(language), facts={fact.id: fact})
    assert {"zh": "age · 22 岁", "en": "age · 22 years"}[language] in layer(book, "open_facts")


def test_sentences_are_joined_without_a_second_mark() -> None:
    zh, en = fixture.kit("zh"), fixture.kit("en")
    assert zh.sentences(["谁送的斗？", "几时？", "粮收了。", "走了。"]) == "谁送的斗？几时？粮收了。走了"
    assert en.sentences(["Who paid?", "He said “now.”", "Why?", "", "It ends."]) == (
        "Who paid? He said “now.” Why? It ends"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_last_page_is_whole_paragraphs_from_the_end(language: Language) -> None:
    book = fixture.book(language)
    paragraphs = [f"{n} " + "字" * 90 for n in range(40)]
    text = layer(book.model_copy(update={"recent": ("\n".join(paragraphs),)}), "last_pages")
    assert text.split("\n\n") == paragraphs[-len(text.split("\n\n")) :]
    assert len(text) <= BUDGETS["last_pages"][language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_looking_up_gives_what_the_layers_do_not_have_within_its_budget(language: Language) -> None:
    book, plan, made = fixture.book(language), fixture.plan(language), composed(fixture.book(language), None)
    text = look_up(fixture.kit(language), book, plan, made, fixture.rules(language))
    assert len(text) <= BUDGETS["looked_up_facts"][language]
    assert not any(line in made.prefix for line in text.splitlines() if " · " in line)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_person_who_returns_after_long_is_shown_where_they_were_last_seen(language: Language) -> None:
    book = fixture.book(language)
    rows = tuple(SummaryRow(chapter=n, title=f"T{n}", text=f"told {n}") for n in range(1, 31))
    book = with_state(book, summaries=rows, last_applied_chapter=30, facts={
        n: f for n, f in book.state.facts.items() if f.subject == "genesis.p6"})  # fmt: skip
    plan = fixture.plan(language).model_copy(update={"pov": "genesis.p6", "cast": (), "places": ()})
    text = look_up(fixture.kit(language), book, plan, composed(book, None), fixture.rules(language))
    assert "told 3" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_chapter_extends_the_prefix_of_the_one_before_and_an_exception_has_its_reason(language: Language) -> None:
    """A provider's cache serves the next chapter too: what stands before the open facts only grows at its end, but for
    the chapter in which a layer is halved or ten chapters become one row, and then the layer says so."""
    entry, broken = fixture.entry(language)[0], 0
    before = composed(grown(language, 40), entry)
    for chapters in range(41, 61):
        now = composed(grown(language, chapters), entry)
        summaries = next(layer for layer in before.layers if layer.name == "chapter_summaries")
        stable = before.prefix[: before.prefix.index(summaries.text) + len(summaries.text)]
        if not now.prefix.startswith(stable):
            broken += 1
            told = [{layer.name: layer.reason for layer in made.layers}["chapter_summaries"] for made in (before, now)]
            assert told[0] != told[1] and "halved" in told[1]
        before = now
    assert broken <= 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_context_of_chapter_two_thousand_is_as_large_as_that_of_chapter_fifty(language: Language) -> None:
    def mean(first: int) -> float:
        """Over chapters that see the saw of halving from every side."""
        entry, numbers = fixture.entry(language)[0], range(first, first + 45, 3)
        sizes = [len(composed(grown(language, n), entry).prefix) for n in numbers]
        return sum(sizes) / len(sizes)

    assert abs(mean(1950) / mean(50) - 1) <= 0.05


def grown(language: Language, chapters: int) -> Book:
    """The fixture book after so many chapters, each with a person, a fact about the viewpoint and a summary."""
    book, rows = fixture.book(language), [_row(n) for n in range(1, chapters + 1)]
    return with_state(
        book,
        summaries=tuple(summary for summary, _, _ in rows),
        entities={**book.state.entities, **{known.id: known for _, known, _ in rows}},
        facts={**book.state.facts, **{fact.id: fact for _, _, fact in rows}},
        last_applied_chapter=chapters,
    )


@cache
def _row(n: int) -> tuple[SummaryRow, Entity, Fact]:
    known = Entity(id=f"c{n}.n1", handle=f"p{n + 9}", kind="person", name=f"Person{n:04}", introduced_at=n)
    fact = Fact(id=f"c{n}.f", handle=f"f{n + 99}", subject="genesis.p1", predicate="note", object=f"noted {n:04}",
                valid_from_chapter=n, source_chapter=n)  # fmt: skip
    return SummaryRow(chapter=n, title=f"T{n:04}", day=n, text="x" * 60), known, fact


# ── names ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_longest_name_wins_its_place_and_latin_names_are_whole_words() -> None:
    def person(name: str, *aliases: str) -> Entity:
        return Entity(id=name, kind="person", name=name, aliases=aliases)

    people = [person("程满"), person("程满仓"), person("Al"), person("Ada", "the keeper")]
    assert [p.name for p in mentioned(people, "程满仓把门带上")] == ["程满仓"]
    assert mentioned(people, "Also there was nobody") == []
    assert [p.name for p in mentioned(people, "Ask the keeper, not Al.")] == ["Ada", "Al"]
    assert mentioned([person("仓")], "程满仓") == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_facts_of_one_person_stand_together(language: Language) -> None:
    lines = [line for line in layer(fixture.book(language), "open_facts").splitlines() if " · " in line]
    subjects = [line.split(" · ")[0].split(" ", 1)[1] for line in lines]
    assert len(set(subjects)) == sum(a != b for a, b in pairwise(["", *subjects]))
