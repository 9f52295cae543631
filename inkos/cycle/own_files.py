"""A book from the author's own files, without asking a model; proposes conservatively and writes nothing of its own.

Headings of the bible name people, places and things; everything else that is to be true from the start stands in an
optional genesis.json. The author's files are taken as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from inkos.config import BookConfig
from inkos.cycle.founding import admitted
from inkos.cycle.genesis import FOUNDED, Sources
from inkos.errors import UsageFault
from inkos.kernel.delta import ClockSet, Delta
from inkos.kernel.findings import Finding
from inkos.kernel.outline import parse_outline
from inkos.kernel.papers import Founded
from inkos.kernel.rules import Rules
from inkos.kernel.story import HANDLE_LETTERS, Entity, EntityKind, Evidence, StoryClock
from inkos.records import GENESIS

GENESIS_FILE = "genesis.json"
# Pages whose headings name things of one kind, by the file's name without folder and ending.
PAGES: dict[str, EntityKind] = {
    "cast": "person", "characters": "person", "people": "person", "人物": "person", "角色": "person",
    "places": "place", "locations": "place", "地点": "place", "地理": "place",
    "items": "item", "things": "item", "物件": "item", "物品": "item",
    "groups": "group", "factions": "group", "势力": "group",
}  # fmt: skip
# Sections of other pages (world.md) whose bullets name things of one kind.
SECTIONS: dict[str, EntityKind] = {
    "cast": "person", "people": "person", "人物": "person", "places": "place", "地方": "place", "地点": "place",
    "things": "item", "items": "item", "物件": "item", "groups": "group", "势力": "group",
}  # fmt: skip
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*$")
_BULLET = re.compile(r"^\s*[-*+]\s+\**([^:：*（(]{1,40}?)\**\s*(?:[（(]([^）)]*)[）)])?\s*(?:[:：].*)?$")
_NAMED = re.compile(r"^\**([^（(*]+?)\**\s*(?:[（(]([^）)]*)[）)])?$")
_ALSO = re.compile(
    r"^\s*[-*+]\s*\**(?:别名|又名|外号|aliases|also called|also known as)\**\s*[:：]\s*(.+)$", re.IGNORECASE
)
_SENTENCE = re.compile(r"[。！？!?,，;；]")
_SPLIT = re.compile(r"\s*[,，、;；/]\s*")


def from_files(files: Mapping[str, str], *, config: BookConfig, packs: Sequence[Mapping[str, Any]]) -> Founded:
    """The author's folder as a book: `files` are paths inside it → text (intent.md, focus.md, outline.md, bible/*.md).

    `genesis.json`, where there is one, is delta 0 as the author has it; entities that only headings name are added to
    it. Raises UsageFault when it cannot be read. What the rules refuse of it is left out with a finding."""
    rules = Rules.build(packs, config)
    own = {path: text for path, text in files.items() if path != GENESIS_FILE}
    given = _given(files.get(GENESIS_FILE))
    sources = Sources(own)
    entities = _merged(given.entities, proposed(own, sources))
    delta = given.model_copy(update={"entities": entities, "rules_digest": rules.digest})
    delta, findings = admitted(delta, rules, own, config)
    return Founded(
        title=config.title, files=own, genesis=delta, style=config.style, findings=(*_outline(own), *findings)
    )


def _given(text: str | None) -> Delta:
    if text is None:
        clock = ClockSet(clock=StoryClock(), evidence=Evidence(reason=FOUNDED))
        return Delta(kind="genesis", chapter=GENESIS, position=0, clock=clock, reason=FOUNDED)
    try:
        delta = Delta.model_validate_json(text)
    except ValidationError as broken:
        first = broken.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise UsageFault("found-genesis", where=GENESIS_FILE, place=place or "1", detail=str(first["msg"])) from broken
    return delta.model_copy(update={"kind": "genesis", "chapter": GENESIS, "position": 0})


def _outline(files: Mapping[str, str]) -> tuple[Finding, ...]:
    """An outline without a chapter is no fault, but nothing can be written before there is one."""
    if parse_outline(files.get("outline.md", "")).entries:
        return ()
    return (
        Finding(code="found-007", severity="warning", path="outline.md", actual="0", values={"about": "outline.md"}),
    )


def proposed(files: Mapping[str, str], sources: Sources) -> tuple[Entity, ...]:
    """People, places, items and groups that the bible's headings name, in the order of its pages."""
    made: dict[tuple[EntityKind, str], Entity] = {}
    counts: dict[EntityKind, int] = {}
    for path in sorted(path for path in files if path.startswith("bible/") and path.endswith(".md")):
        for kind, name, aliases in _names(path, files[path]):
            if (kind, name) in made:
                continue
            counts[kind] = counts.get(kind, 0) + 1
            handle = f"{HANDLE_LETTERS[kind]}{counts[kind]}"
            made[kind, name] = Entity(
                id=f"{GENESIS}.{handle}", handle=handle, kind=kind, name=name, aliases=aliases,
                evidence=sources.of(name),
            )  # fmt: skip
    return tuple(made.values())


def _names(path: str, text: str) -> Iterator[tuple[EntityKind, str, tuple[str, ...]]]:
    page = PAGES.get(path.removeprefix("bible/").removesuffix(".md").casefold())
    lines = text.splitlines()
    section: EntityKind | None = None
    headed = any(line.startswith("## ") for line in lines)
    for number, line in enumerate(lines):
        heading = _HEADING.match(line)
        if heading is not None:
            section = SECTIONS.get(heading[2].casefold()) if page is None else None
            found = _NAMED.match(heading[2]) if page is not None and len(heading[1]) == 2 else None
            if found is not None and is_name(found[1]):
                assert page is not None
                yield page, found[1].strip(), (*_aliases(found[2]), *_also(lines[number + 1 :]))
            continue
        kind = section or (page if not headed else None)
        found = _BULLET.match(line) if kind is not None and not line.startswith((" ", "\t")) else None
        if found is not None and kind is not None and is_name(found[1]):
            yield kind, found[1].strip(), _aliases(found[2])


def is_name(text: str) -> bool:
    """Whether a heading may be a name: short, and no sentence."""
    bare = text.strip()
    han = sum("\u4e00" <= char <= "\u9fff" for char in bare)
    short = han <= 10 if han else len(bare.split()) <= 5
    return bool(bare) and short and not _SENTENCE.search(bare) and not bare[0].isdigit()


def _aliases(words: str | None) -> tuple[str, ...]:
    names = [name.removeprefix("又名").removeprefix("aka").strip() for name in _SPLIT.split(words or "")]
    return tuple(dict.fromkeys(name for name in names if name and is_name(name)))


def _also(lines: Sequence[str]) -> tuple[str, ...]:
    """The labelled bullet of other names under a heading."""
    for line in lines:
        if line.startswith("#"):
            break
        found = _ALSO.match(line)
        if found is not None:
            return _aliases(found[1])
    return ()


def _merged(given: tuple[Entity, ...], found: tuple[Entity, ...]) -> tuple[Entity, ...]:
    """The author's entities, and those that only headings name, under ids and handles that are still free."""
    names = {name for entity in given for name in (entity.name, *entity.aliases)}
    ids, handles = {entity.id for entity in given}, {entity.handle for entity in given}
    added = []
    for entity in found:
        if entity.name in names:
            continue
        number = 1
        letter = HANDLE_LETTERS[entity.kind]
        while f"{letter}{number}" in handles or f"{GENESIS}.{letter}{number}" in ids:
            number += 1
        handle = f"{letter}{number}"
        handles.add(handle)
        ids.add(f"{GENESIS}.{handle}")
        added.append(entity.model_copy(update={"id": f"{GENESIS}.{handle}", "handle": handle}))
    return (*given, *added)
