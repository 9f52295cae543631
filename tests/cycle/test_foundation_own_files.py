"""A book from the author's own folder: headings name people and things, nothing is rewritten, no model is asked."""

from __future__ import annotations

from typing import Any

import pytest

from inkos.cycle.own_files import from_files, is_name
from inkos.errors import UsageFault
from inkos.kernel.papers import Founded
from tests.cycle.founding_replies import config, desk, done_files

FILES = {
    "intent.md": "# 去向\n守住灯。\n",
    "outline.md": "# 大纲\n\n## 第一卷\n\n### 灯\n- 叶三更添油\n- 账房拦他\n",
    "bible/cast.md": "# 人物\n\n## 叶三更（三更、守灯的）\n守灯人。\n\n"
    "## 阿瑶\n- 别名：瑶娘，茶西施\n\n## 他为什么不走？\n没有答案。\n",
    "bible/places.md": "# 地点\n\n## 寒石渡\n两条船。\n",
    "bible/items.md": "- 铜灯：每夜添油三十九斤\n- **油票**（票）：一张\n- 每天夜里他都要到灯楼去添油，从不间断。\n",
    "bible/world.md": "# 世界\n\n## 势力\n- 渡河会：船工的会\n\n## 历\n- 十月初一\n",
}


def founded(files: dict[str, str] = FILES, language: Any = "zh") -> Founded:
    return from_files(files, config=config(language), packs=desk(language).packs)


def test_headings_and_bullets_name_people_places_and_things() -> None:
    made = founded()
    assert {(e.kind, e.name): e.aliases for e in made.genesis.entities} == {
        ("person", "叶三更"): ("三更", "守灯的"),
        ("person", "阿瑶"): ("瑶娘", "茶西施"),
        ("place", "寒石渡"): (),
        ("item", "铜灯"): (),
        ("item", "油票"): ("票",),
        ("group", "渡河会"): (),
    }
    assert [e.handle for e in made.genesis.entities if e.kind == "person"] == ["p1", "p2"]
    for entity in made.genesis.entities:
        page = FILES[entity.evidence.source]
        assert page[entity.evidence.start : entity.evidence.end] == entity.name


def test_the_authors_files_stay_as_they_are() -> None:
    assert founded().files == FILES


def test_an_outline_without_chapters_is_shown() -> None:
    files = {path: text for path, text in FILES.items() if path != "outline.md"}
    assert [f.code for f in founded(files).findings] == ["found-007"]
    assert founded().findings == ()


def test_a_genesis_of_the_authors_own_is_taken_with_what_headings_add() -> None:
    own = done_files("zh")
    delta, files = own
    made = founded({**files, "genesis.json": delta, "bible/places.md": "## 石桥\n"})
    names = [e.name for e in made.genesis.entities]
    assert names.count("叶三更") == 1 and "石桥" in names
    assert "genesis.json" not in made.files
    assert len({e.handle for e in made.genesis.entities}) == len(names)
    assert made.genesis.facts


@pytest.mark.parametrize("text", ["{", "[]", '{"chapter":1}', ""])
def test_a_genesis_that_cannot_be_read_is_named(text: str) -> None:
    with pytest.raises(UsageFault) as caught:
        founded({**FILES, "genesis.json": text})
    assert (caught.value.code, caught.value.where) == ("found-genesis", "genesis.json")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("叶三更", True),
        ("Nell Harrow", True),
        ("the Old Harbour Office", True),
        ("他为什么不走？", False),
        ("", False),
        ("1. Intro", False),
        ("A heading of far more than five words", False),
        ("一个很长很长很长很长的标题", False),
    ],
)
def test_only_what_may_be_a_name_is_taken_for_one(text: str, name: bool) -> None:
    assert is_name(text) is name
