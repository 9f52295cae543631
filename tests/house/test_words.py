"""Both catalogues say the same things: same topics, same codes, same fields."""

from __future__ import annotations

import string

import pytest
import yaml

from inkos.adapters.package_data import messages, rule_packs
from inkos.messages import Messages
from tests.data import ROOT
from tests.house.tree import tracked

WORDS = "inkos/words"
TOPICS = sorted({name.split("/")[-1] for name in tracked(f"{WORDS}/*.yaml")})


class NoDuplicates(yaml.SafeLoader):
    """Plain YAML keeps the last of two equal keys silently; here that is an error."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[object, object]:
        keys = [key.value for key, _ in node.value]
        assert len(keys) == len(set(keys)), f"doubled keys in {node.start_mark}: {sorted(keys)}"
        return super().construct_mapping(node, deep)


def catalogue(language: str, topic: str) -> dict[str, frozenset[str]]:
    """Code → the fields in its text."""
    path = ROOT / WORDS / language / topic
    assert path.exists(), f"{topic} is missing in {language}"
    messages = Messages("en", yaml.load(path.read_text(), Loader=NoDuplicates))
    return {
        code: frozenset(field for _, field, _, _ in string.Formatter().parse(messages.raw(code)) if field is not None)
        for code in messages.codes()
    }


@pytest.mark.parametrize("topic", TOPICS)
def test_english_and_chinese_have_the_same_codes_and_fields(topic: str) -> None:
    assert catalogue("en", topic) == catalogue("zh", topic)


def _leaves(node: object) -> list[object]:
    return [leaf for value in node.values() for leaf in _leaves(value)] if isinstance(node, dict) else [node]


@pytest.mark.parametrize("topic", TOPICS)
def test_every_text_is_a_text_and_says_something(topic: str) -> None:
    for language in ("en", "zh"):
        leaves = _leaves(yaml.safe_load((ROOT / WORDS / language / topic).read_text()))
        assert all(isinstance(leaf, str) and leaf.strip() for leaf in leaves), language


def test_every_predicate_of_the_packs_has_its_word() -> None:
    names = {name for pack in rule_packs().values() for name in pack.get("predicates", {})}  # type: ignore[attr-defined]
    assert {code for code in messages("zh").codes() if code.startswith("predicates.")} == {
        f"predicates.{name}" for name in names}  # fmt: skip


def test_a_value_with_a_stop_of_its_own_takes_no_second_one_and_one_is_counted_as_one() -> None:
    said = Messages("zh", {"a": "找不到原话：“{q}”。", "b": "写着：{q}。往后", "c": "See {q}. Then {n:page|pages}."})
    assert said.say("a", q="这就是回话。") == "找不到原话：“这就是回话。”"
    assert (said.say("b", q="谁？"), said.say("b", q="无")) == ("写着：谁？往后", "写着：无。往后")
    assert said.say("c", q="why?", n=1) == "See why? Then 1 page."
    assert said.say("c", q="x", n=2) == "See x. Then 2 pages."
