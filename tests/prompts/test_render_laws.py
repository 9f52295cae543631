"""The laws of design/prompts.md that every request keeps, in both languages."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import get_args

import pytest
from jinja2 import Environment, StrictUndefined, meta

from inkos.adapters.package_data import prompt_tables, questions, rule_packs, templates
from inkos.errors import UsageFault
from inkos.kernel.delta import Delta, FactChange
from inkos.kernel.findings import Finding, Quote
from inkos.kernel.papers import NumberedFinding, ReplyFault
from inkos.kernel.rules import Rules
from inkos.kernel.story import Evidence
from inkos.messages import Language, Messages
from inkos.prompts import render
from inkos.prompts.context import Context, compose
from inkos.prompts.contracts import HookOpReply
from inkos.prompts.kit import CONTRACT, TASKS, Kit, task_parts
from inkos.prompts.questions import choose
from inkos.prompts.request import Request
from tests.prompts import fixture

LANGUAGES: tuple[Language, ...] = ("zh", "en")
LIMITS = {"zh": 1200, "en": 2400}
FOUNDING = {"zh": 1500, "en": 3000}
SYSTEM = 600
# What each part measures without the values of its placeholders: design/prompts.md §7, as changed by
# docs/decisions/0003-prompts-after-the-first-desk.md.
SIZES: dict[str, tuple[int, int]] = {
    "system": (249, 581), "found": (1492, 2657), "outline": (1473, 2579), "plan": (1199, 2354), "draft": (456, 1394),
    "settle": (1200, 2391), "audit": (853, 1883), "revise": (440, 1058), "again": (325, 841), "length": (262, 605),
    "extend": (538, 1256),
}  # fmt: skip


def context(language: Language) -> Context:
    entry, _ = fixture.entry(language)
    return compose(fixture.kit(language), fixture.book(language), entry, fixture.rules(language))


def finding(language: Language) -> NumberedFinding:
    quotes = (
        Quote(text=fixture.PLAN[language]["end"][:8], source="text"),
        Quote(text=fixture.FACTS[language][2][4], source="chapter", chapter=4),
    )
    about = Finding(code="continuity-001", severity="blocking", path="facts[0]", quotes=quotes, by="rules",
                    values={"about": "genesis.p1.injury"})  # fmt: skip
    return NumberedFinding(id="F1", wrong="<wrong>", settle="<settle>", finding=about)


def delta(language: Language) -> Delta:
    subject, predicate, value, _, quote = fixture.FACTS[language][2]
    change = FactChange(id="c0007.1", subject=f"genesis.{subject}", predicate=predicate, object=value,
                        evidence=Evidence(quote=quote))  # fmt: skip
    return Delta(chapter="c0007", position=7, facts=(change,))


def requests(language: Language, text: str = "") -> dict[str, Request]:
    """Every request of a chapter, and the two of founding."""
    kit, book, rules = fixture.kit(language), fixture.book(language), fixture.rules(language)
    (entry, following), made, plan = fixture.entry(language), context(language), fixture.plan(language)
    text = text or fixture.prose(language)
    asked, keep = choose(kit, book, plan, text), (plan.keep,)
    found = (finding(language),)
    brief, papers = fixture.CONFIG[language]["intent"], fixture.BIBLE[language]["bible/cast.md"]
    registry = rules.registry_lines(language, {"person", "place"})
    common = {"title": book.config.title, "brief": brief, "chapters": 60, "length": plan.target}
    return {
        "found": render.found_request(kit, **common),
        "outline": render.outline_request(kit, **common, found={"ceiling": ""}, papers=papers, registry=registry),
        "extend": render.extend_request(kit, book, made, 10),
        "plan": render.plan_request(kit, book, made, entry, following, plan.target),
        "draft": render.draft_request(kit, book, made, plan, rules),
        "rewrite": render.draft_request(kit, book, made, plan, rules, text=text, findings=found, version=2),
        "settle": render.settle_request(kit, book, made, plan, text, entry, following, rules),
        "audit": render.audit_request(kit, book, made, plan, text, asked, rules),
        "revise": render.revise_request(kit, book, made, plan, text, found, keep, rules),
        "length": render.length_request(kit, book, made, plan, text, keep, -310, (), rules),
        "again": render.again_request(kit, book, made, plan, text, delta(language), found[0].finding, rules),
    }  # fmt: skip


def blank(language: Language, name: str) -> str:
    """A template with nothing in its placeholders."""
    kit = fixture.kit(language)
    names = meta.find_undeclared_variables(Environment(autoescape=True).parse(kit.sources[name]))
    return kit.render(name, **dict.fromkeys(names, ""))


def shared(one: Request, other: Request) -> int:
    a, b = one.messages[1].text, other.messages[1].text
    return next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


# ── size ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SIZES)
def test_a_template_is_as_large_as_the_design_measured_and_within_its_limit(language: Language, name: str) -> None:
    size = len(blank(language, name))
    limit = SYSTEM if name == "system" else (FOUNDING if name in ("found", "outline") else LIMITS)[language]
    # What stands only under a condition counts as well.
    whole = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "", fixture.kit(language).sources[name].strip())
    assert size <= len(whole) <= limit
    assert abs(size - SIZES[name][LANGUAGES.index(language)]) <= 2


def test_a_clean_chinese_chapter_of_2500_takes_at_most_60000_characters() -> None:
    made = requests("zh", fixture.prose("zh", 2900))
    total = sum(len(m.text) for name in ("plan", "draft", "settle", "audit") for m in made[name].messages)
    assert total <= 60_000
    # The fixture's layers are nearly empty; full ones may not break the limit either.
    held = sum(layer.budget - len(layer.text) for layer in context("zh").layers)
    assert total + 4 * held <= 60_000


# ── order and prefix ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_calls_of_a_book_have_the_same_system_message(language: Language) -> None:
    assert len({request.messages[0].text for request in requests(language).values()}) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_calls_of_a_chapter_share_layers_then_plan_then_text_byte_for_byte(language: Language) -> None:
    made = requests(language)
    layers, planned, text = (made["settle"].messages[1].cache_points[n] for n in range(3))
    groups = {
        layers: ("plan", "draft", "settle", "audit", "revise", "again", "length", "rewrite"),
        planned: ("draft", "settle", "audit", "revise", "again", "length", "rewrite"),
        text: ("settle", "audit", "revise", "again", "length", "rewrite"),
    }
    for point, names in groups.items():
        for one, other in pairwise(names):
            assert shared(made[one], made[other]) >= point, (one, other)
            assert point in made[one].messages[1].cache_points and point in made[other].messages[1].cache_points


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_task_is_the_last_section_and_nothing_of_a_role_stands_before_it(language: Language) -> None:
    head = {"zh": "# 任务：", "en": "# Task: "}[language]
    for name, request in requests(language).items():
        user = request.messages[1]
        assert user.text[user.cache_points[-1] :].startswith(head), name
        assert user.text.count(head) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reask_extends_the_messages_that_were_sent(language: Language) -> None:
    kit, request = fixture.kit(language), requests(language)["settle"]
    fault = ReplyFault(code="reply-quote", where=("facts[2]",), keys=("facts",))
    again = render.reask_request(kit, request, "{}", fault)
    assert again.messages[:2] == request.messages
    assert [m.role for m in again.messages] == ["system", "user", "assistant", "user"]


# ── what may stand in a prompt ───────────────────────────────────────────────────────────────────────────────────────

URGING = re.compile(
    r"\b(?:detailed|carefully|at least|very|thoroughly|make sure|must always)\b|详细|仔细|至少|务必|一定要",
    re.IGNORECASE,
)
PRAISE = re.compile(r"\b(?:expert|world-class|excellent|language model|as an AI|reward|penal)|大师|优秀|模型|罚")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", sorted({name.split("/")[1] for name in templates()}))
def test_no_template_urges_praises_or_names_a_model(language: Language, name: str) -> None:
    text = templates()[f"{language}/{name}"]
    assert URGING.search(text) is None
    assert PRAISE.search(text) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_founding_gives_chapter_numbers(language: Language) -> None:
    number = re.compile(r"第\s*[0-9零一二三四五六七八九十百]+\s*章|\bchapters? \d+", re.IGNORECASE)
    for name, request in requests(language).items():
        found = number.search("\n".join(message.text for message in request.messages))
        assert (found is None) or name in ("found", "outline"), (name, found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_rule_stands_once_in_what_a_model_receives(language: Language) -> None:
    for name, request in requests(language).items():
        user = request.messages[1]
        own = [line for line in user.text[user.cache_points[-1] :].splitlines() if len(line) > 24]
        rules = [line for line in own if line in blank(language, name if name != "rewrite" else "draft")]
        everything = "\n".join(message.text for message in request.messages)
        assert rules and all(everything.count(line) == 1 for line in rules), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_length_stands_once_in_the_draft(language: Language) -> None:
    text = requests(language)["draft"].messages[1].text
    assert text.count(str(fixture.plan(language).target)) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_truth_reaches_only_those_who_plan_and_audit(language: Language) -> None:
    _, truth, clue = fixture.TRUTH[language]["truth"]
    belief = fixture.TRUTH[language]["belief"]
    for name, request in requests(language).items():
        text = "\n".join(message.text for message in request.messages)
        told = truth.rstrip("。.") in text
        knows = name in ("plan", "audit", "extend")
        assert told == knows, name
        assert clue not in text or knows
        if not knows:
            assert belief not in text.replace(fixture.PLAN[language]["believes"][0], "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_knows_a_secret_is_kept_from_the_layers(language: Language) -> None:
    assert "knows" not in context(language).prefix


# ── templates and values ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", sorted({name.split("/")[1] for name in templates()}))
def test_both_languages_have_the_same_placeholders(name: str) -> None:
    parse = Environment(autoescape=True).parse
    zh, en = (meta.find_undeclared_variables(parse(templates()[f"{language}/{name}"])) for language in LANGUAGES)
    # Only the English system message and prompts for prose differ by grammar, never by what is filled in.
    assert zh == en


def test_labels_have_the_same_codes_and_fields_in_both_languages() -> None:
    zh, en = (Messages(language, prompt_tables()[f"{language}/labels"]) for language in LANGUAGES)
    fields = re.compile(r"\{(\w+)\}")
    assert zh.codes() == en.codes()
    assert {code: set(fields.findall(zh.raw(code))) for code in zh.codes()} == {
        code: set(fields.findall(en.raw(code))) for code in en.codes()
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_missing_value_is_an_error_never_an_empty_place(language: Language) -> None:
    with pytest.raises(UsageFault):
        fixture.kit(language).render("system", title="x")
    assert StrictUndefined is fixture.kit(language)._environment.undefined


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_brief_says_is_a_value_and_never_a_template(language: Language) -> None:
    brief = "{{ 7 * 7 }} {% for x in y %} {{ config.secret }} <b>&amp;</b>"
    request = render.found_request(fixture.kit(language), title="{{ title }}", brief=brief, chapters=9, length=900)
    assert brief in request.messages[1].text
    assert "{{ title }}" in request.messages[0].text


# ── overrides ────────────────────────────────────────────────────────────────────────────────────────────────────────


def built(language: Language, **overrides: str) -> Kit:
    return Kit.build(language, templates(), questions(), prompt_tables(), overrides)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("task", TASKS)
def test_an_override_replaces_the_rules_and_never_material_or_contract(language: Language, task: str) -> None:
    mine = f"MY RULES\n\n{CONTRACT[language]} (anything): {{}}"
    house = task_parts(task, fixture.kit(language).sources[task], language)
    own = task_parts(task, built(language, **{task: mine}).sources[task], language)
    assert (own.head, own.contract) == (house.head, house.contract)
    assert own.rules == "MY RULES" and house.rules and house.contract


def test_an_override_that_is_no_tasks_or_no_template_is_refused_by_name() -> None:
    for overrides in ({"prompts/nothing.md": "x"}, {"draft.md": "{{ oops"}, {"plan.j2": "{% bogus %}"}):
        with pytest.raises(UsageFault) as caught:
            Kit.build("en", templates(), questions(), prompt_tables(), overrides)
        assert caught.value.code == "prompt-override" and next(iter(overrides)).split("/")[-1] in caught.value.where


def test_an_override_with_an_unknown_placeholder_is_a_fault_of_the_authors_file() -> None:
    kit = built("en", draft="Write about {{ nobody }}.")
    with pytest.raises(UsageFault):
        render.draft_request(kit, fixture.book("en"), context("en"), fixture.plan("en"), fixture.rules("en"))


def test_an_override_cannot_reach_out_of_the_sandbox() -> None:
    kit = built("en", draft="{{ voices.__class__.__mro__ }}")
    with pytest.raises(UsageFault):
        render.draft_request(kit, fixture.book("en"), context("en"), fixture.plan("en"), fixture.rules("en"))


# ── caps ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("language", LANGUAGES)
def test_prose_has_a_cap_and_a_hard_limit_that_follow_the_target(language: Language) -> None:
    draft = requests(language)["draft"]
    target = fixture.plan(language).target
    assert draft.reply == "prose" and draft.task == "draft" and draft.role == "writer"
    assert target < draft.cap < 3 * target
    assert draft.hard_characters == 2.5 * target * {"zh": 1, "en": 6}[language]
    others = [request for request in requests(language).values() if request.task != "draft"]
    assert all(request.reply == "json" and request.cap >= 1000 for request in others)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_papers_go_with_the_request(language: Language) -> None:
    made = requests(language)
    assert made["plan"].papers.entry == fixture.entry(language)[0]
    assert made["audit"].papers.questions and made["audit"].papers.text == fixture.prose(language)
    assert made["length"].papers.amount == -310
    assert all(request.papers.language == language for request in made.values())
    assert made["settle"].papers.position == fixture.CHAPTERS + 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_founding_is_told_up_to_twelve_names_and_none_that_the_brief_uses(language: Language) -> None:
    kit = fixture.kit(language)
    stock = kit.say("stock_names").split("|")
    brief = f"… {stock[0]} …"
    request = render.found_request(kit, title="x", brief=brief, chapters=9, length=900, taken_names=("Zed",))
    line = next(line for line in request.messages[1].text.splitlines() if "Zed" in line)
    assert stock[0] not in line and stock[1] in line
    assert sum(name in line for name in stock) == 11


@pytest.mark.parametrize("language", LANGUAGES)
def test_founding_says_nothing_of_taken_names_where_there_are_none(language: Language) -> None:
    kit = fixture.kit(language)
    brief = kit.say("stock_names").replace("|", " ")
    text = render.found_request(kit, title="x", brief=brief, chapters=9, length=900).messages[1].text
    line = next(line for line in text.splitlines() if line.startswith("4. cast"))
    assert kit.none not in line and "{" not in line


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_settler_chooses_an_operation_on_promises_from_a_list(language: Language) -> None:
    allowed = get_args(HookOpReply.model_fields["op"].annotation)
    assert f'"op":"{"|".join(allowed)}"' in blank(language, "settle")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_settlers_table_says_how_a_needed_event_is_read_and_whose_the_last_beat_is(language: Language) -> None:
    text, kit = requests(language)["settle"].messages[1].text, fixture.kit(language)
    _, following = fixture.entry(language)
    assert following is not None
    after = kit.say("settle.next", name="").strip()
    assert f"{following.beats[0].text}{'' if language == 'zh' else ' '}{after}" in text
    assert text.index(kit.say("settle.needs")) < text.index(kit.say("settle.location")) < text.index("o1 ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_settler_has_the_books_own_predicates_and_those_of_every_kind_that_is_known(language: Language) -> None:
    book, kit = fixture.book(language), fixture.kit(language)
    own = {"toll": {"subject": "concept", "value": "number", "rule": "none", "means": "the toll"}}
    book = book.model_copy(update={"config": book.config.model_copy(update={"predicates": own})})
    rules = Rules.build([rule_packs()["general"]], book.config)
    entry, following = fixture.entry(language)
    made, plan = context(language), fixture.plan(language)
    text = render.settle_request(kit, book, made, plan, "x", entry, following, rules).messages[1].text
    assert "\ntoll · " in text and "\nsize · " in text
    assert kit.say("settle.sets", names="").rstrip(".。 ") in text


@pytest.mark.parametrize(
    ("form", "chapters", "said"),
    [("serial", 40, "1"), ("serial", 100, "2"), ("serial", 200, "3–5"), ("standalone", 20, "1–4")],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_outline_is_told_how_many_volumes(language: Language, form: str, chapters: int, said: str) -> None:
    kit = fixture.kit(language)
    request = render.outline_request(kit, title="x", brief="y", found={}, papers="z", registry=(), chapters=chapters,
                                     length=900, form=form)  # fmt: skip
    line = next(line for line in request.messages[1].text.splitlines() if line.startswith("2. volumes"))
    assert re.split("[:：]", line)[1].strip().startswith(f"{said}{',' if language == 'en' else ' 卷'}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_second_look_is_given_the_words_of_the_fact_where_the_finding_has_none(language: Language) -> None:
    bare = finding(language).finding.model_copy(update={"quotes": finding(language).finding.quotes[:1]})
    kit, book, rules = fixture.kit(language), fixture.book(language), fixture.rules(language)
    plan, text = fixture.plan(language), fixture.prose(language)
    request = render.again_request(kit, book, context(language), plan, text, delta(language), bare, rules)
    task = request.messages[1].text[request.messages[1].cache_points[-1] :]
    assert fixture.FACTS[language][2][4] in task.split("\n\n")[0].splitlines()[-1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_finding_that_ends_with_a_quoted_sentence_has_one_full_stop(language: Language) -> None:
    wrong = {"zh": "少了这句：“请隔着看。”。", "en": "A line is missing: “Hat.”."}[language]
    one = finding(language).model_copy(update={"wrong": wrong})
    kit, book, rules = fixture.kit(language), fixture.book(language), fixture.rules(language)
    plan, text = fixture.plan(language), fixture.prose(language)
    request = render.revise_request(kit, book, context(language), plan, text, (one,), (), rules)
    assert f"F1 {wrong[:-1]}\n" in request.messages[1].text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_author_says_about_numbers_takes_the_place_of_the_houses_rule(language: Language) -> None:
    book, house = fixture.book(language), fixture.kit(language).say("style.numbers")
    wants = ({"zh": "数目用阿拉伯数字", "en": "All numbers in digits"}[language],)
    style = book.config.style.model_copy(update={"wants": wants})
    own = book.model_copy(update={"config": book.config.model_copy(update={"style": style})})
    kit, rules = fixture.kit(language), fixture.rules(language)
    assert house in compose(kit, book, None, rules).prefix
    assert house not in compose(kit, own, None, rules).prefix


@pytest.mark.parametrize("language", LANGUAGES)
def test_another_plan_or_another_book_gives_another_part_for_the_same_context(language: Language) -> None:
    kit, rules, made = fixture.kit(language), fixture.rules(language), context(language)
    book, plan = fixture.book(language), fixture.plan(language)
    first = render.planned_part(kit, book, made, plan, rules)
    other = render.planned_part(kit, book, made, plan.model_copy(update={"title": "Other"}), rules)
    later = book.model_copy(update={"state": book.state.model_copy(update={"facts": {}})})
    assert "Other" in other and first != other
    assert render.planned_part(kit, later, made, plan, rules) != first
    assert render.planned_part(kit, book, made, plan, rules) == first
    assert made == context(language)
