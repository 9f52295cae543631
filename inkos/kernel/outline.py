"""Reads and writes outline.md: volumes, chapters and their beats; does not know which book it belongs to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from inkos.kernel.papers import Outline, OutlineBeat, OutlineEntry, Volume
from inkos.messages import Language

# Labelled bullets. The first word of each list is the one that `render_outline` writes.
LABELS: dict[str, dict[Language, tuple[str, ...]]] = {
    "function": {"en": ("Function", "Purpose"), "zh": ("功能", "作用")},
    "required": {"en": ("Required", "Must have"), "zh": ("必有", "必须")},
    "pov": {"en": ("Viewpoint", "POV"), "zh": ("视角", "视角人物")},
    "person": {"en": ("Person",), "zh": ("人称",)},
    "end_kind": {"en": ("Chapter end", "End kind", "End"), "zh": ("章末", "结尾")},
    "goal": {"en": ("Goal",), "zh": ("目标",)},
    "loss": {"en": ("Loss", "Lost"), "zh": ("失去", "代价")},
    "last_image": {"en": ("Last image",), "zh": ("末图", "最后的画面", "全书末图")},
}
TITLES: dict[Language, str] = {"en": "Outline", "zh": "大纲"}

_HEADING = re.compile(r"^\s{0,3}([#＃]{1,6})(?:\s+(.*)|([^#＃\s].*))?$")
_KEY = re.compile(r"\s*[{｛][#＃]([^{}｛｝]+)[}｝]\s*$")
_BULLET = re.compile(r"^\s*(?:[-*+•·－—]|\d{1,3}[.)、．）])\s*(.*)$")
_LABEL = re.compile(r"^(?:\*\*([^:：*]{1,20})\*\*\s*[:：]|\*\*([^:：*]{1,20})[:：]\*\*|([^:：*]{1,20})[:：])\s*(.*)$")
_NUMBER = re.compile(
    r"^(?:第\s*[0-9０-９零〇一二三四五六七八九十百千两]+\s*[章回节卷部][\s:：、.．—-]*|(?:chapter|volume|part|book)\s+(?:\d+|[ivxlc]+)\b[\s:：.—-]*)",
    re.IGNORECASE,
)
_LABEL_OF: dict[str, str] = {
    word.casefold(): name for name, words in LABELS.items() for language in words.values() for word in language
}


@dataclass
class _Section:
    """One heading with what stands under it, before it is known to be a volume or a chapter."""

    level: int
    heading: str
    key: str
    labels: dict[str, str] = field(default_factory=dict)
    bullets: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)


def _labelled(words: str) -> tuple[str, str]:
    """The field that a bullet's label names, and what stands behind it; two empty texts where it has none."""
    label = _LABEL.match(words)
    if not label:
        return "", ""
    name = _LABEL_OF.get((label[1] or label[2] or label[3]).strip().casefold(), "")
    return (name, label[4].strip()) if name else ("", "")


def _sections(text: str) -> list[_Section]:
    sections = [_Section(0, "", "")]
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading:
            words = (heading[2] or heading[3] or "").strip()
            key = _KEY.search(words)
            if key:
                words = words[: key.start()].strip()
            sections.append(_Section(len(heading[1]), words, key[1].strip() if key else ""))
            continue
        bullet = _BULLET.match(line)
        words = (bullet[1] if bullet else line).strip()
        if not words:
            continue
        name, value = _labelled(words)
        if name:
            sections[-1].labels.setdefault(name, value)
        elif bullet:
            sections[-1].bullets.append(words.removeprefix("\\"))
        else:
            sections[-1].lines.append(words.removeprefix("\\"))
    return sections


def _title(heading: str) -> str:
    """The heading without its number: numbers are labels, the order of the file is the order of the book."""
    if heading.startswith("\\"):
        return heading[1:]
    bare = _NUMBER.sub("", heading).strip()
    return bare or heading


def _entry(section: _Section, volume: str, taken: set[str]) -> OutlineEntry:
    base = section.key or "/".join(part for part in (volume, section.heading.removeprefix("\\")) if part)
    key, again = base, 2
    while key in taken:
        key, again = f"{base}~{again}", again + 1
    taken.add(key)
    # Bullets are beats; an author who writes plain lines and no bullets means each line as a beat.
    words = section.bullets or section.lines
    return OutlineEntry(
        key=key,
        volume=volume,
        title=_title(section.heading),
        beats=tuple(OutlineBeat(key=f"{key}#{n}", handle=f"o{n}", text=beat) for n, beat in enumerate(words, 1)),
        function=section.labels.get("function", ""),
        required=section.labels.get("required", ""),
        end_kind=section.labels.get("end_kind", ""),
        pov=section.labels.get("pov", ""),
        person=section.labels.get("person", ""),
    )


def parse_outline(text: str) -> Outline:
    """`##` headings are volumes, `###` chapters, bullets beats; labelled bullets (`- 功能：…`, `- Goal: …`) are fields.
    A `##` heading with beats and no `###` below it is a chapter without a volume. Never fails: what it cannot place
    (text before the first heading) it leaves out."""
    sections = _sections(text)
    volumes: list[Volume] = []
    entries: list[OutlineEntry] = []
    taken: set[str] = set()
    last_image, volume = "", ""
    for number, section in enumerate(sections):
        last_image = last_image or section.labels.get("last_image", "")
        if section.level >= 3:
            entries.append(_entry(section, volume, taken))
        elif section.level == 2:
            below = sections[number + 1].level if number + 1 < len(sections) else 0
            if below < 3 and section.bullets and not {"goal", "loss"} & section.labels.keys():
                entries.append(_entry(section, "", taken))
                continue
            volume = _title(section.heading)
            volumes.append(
                Volume(title=volume, goal=section.labels.get("goal", ""), loss=section.labels.get("loss", ""))
            )
    return Outline(volumes=tuple(volumes), entries=tuple(entries), last_image=last_image)


def repeated_keys(text: str) -> list[tuple[str, int]]:
    """Keys that an author wrote behind more than one heading, each with the line of its second one."""
    seen: set[str] = set()
    twice: list[tuple[str, int]] = []
    for number, line in enumerate(text.splitlines(), 1):
        heading = _HEADING.match(line)
        key = _KEY.search(line) if heading else None
        if key is None:
            continue
        name = key[1].strip()
        if name in seen:
            twice.append((name, number))
        seen.add(name)
    return twice


def next_entry(outline: Outline, consumed: Sequence[str]) -> tuple[OutlineEntry | None, OutlineEntry | None]:
    """The first entry that is still to be written, and the one after it."""
    left = entries_left(outline, consumed)
    return (left[0] if left else None), (left[1] if len(left) > 1 else None)


def entries_left(outline: Outline, consumed: Sequence[str]) -> tuple[OutlineEntry, ...]:
    """The entries behind the last consumed one. What stands before it and has no chapter was taken out, or lies behind
    the story by now: it does not come again at the end."""
    done = frozenset(consumed)
    last = max((number for number, entry in enumerate(outline.entries, 1) if entry.key in done), default=0)
    return outline.entries[last:]


def entries_passed(outline: Outline, consumed: Sequence[str]) -> tuple[OutlineEntry, ...]:
    """The entries without a chapter that stand before the last consumed one."""
    done = frozenset(consumed)
    left = len(entries_left(outline, consumed))
    return tuple(entry for entry in outline.entries[: len(outline.entries) - left] if entry.key not in done)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _head(title: str) -> str:
    title = _flat(title)
    return f"\\{title}" if _NUMBER.match(title) or title.startswith("\\") else title


def _beat(text: str) -> str:
    text = _flat(text)
    hidden = text.startswith("\\") or bool(_labelled(text)[0])
    return f"- \\{text}" if hidden else f"- {text}"


def _field(name: str, value: str, language: Language) -> list[str]:
    mark = "：" if language == "zh" else ": "
    return [f"- {LABELS[name][language][0]}{mark}{_flat(value)}"] if value.strip() else []


def _entry_lines(entry: OutlineEntry, language: Language) -> list[str]:
    lines = [f"### {_head(entry.title)} {{#{entry.key}}}"]
    for name in ("function", "required", "pov", "person", "end_kind"):
        lines += _field(name, str(getattr(entry, name)), language)
    return [*lines, *(_beat(beat.text) for beat in entry.beats), ""]


def free_keys(outline: Outline, count: int) -> list[str]:
    """Keys for new entries, in the form that founding gives (`c12`), none of them taken."""
    taken = {entry.key for entry in outline.entries}
    first = len(outline.entries) + 1
    return [key for n in range(first, first + len(taken) + count) if (key := f"c{n}") not in taken][:count]


def with_entries(text: str, entries: Sequence[OutlineEntry], language: Language) -> str:
    """The author's file with entries put at the end of their volumes, those of no known volume at its end; everything
    that stood there stays byte for byte."""
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    line_end = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    at: dict[int, list[OutlineEntry]] = {}
    for entry in entries:
        at.setdefault(_end_of(entry.volume, lines), []).append(entry)
    for place in sorted(at, reverse=True):
        made = [line for entry in at[place] for line in _entry_lines(entry, language)]
        blank = place > 0 and lines[place - 1].strip() != ""
        new = [*([""] if blank else []), *(made if place < len(lines) else made[:-1])]
        lines[place:place] = [line + line_end for line in new]
    return "".join(lines)


def _end_of(volume: str, lines: Sequence[str]) -> int:
    """The number of the line before which a new entry of the volume stands."""
    inside = False
    for number, line in enumerate(lines):
        heading = _HEADING.match(line.rstrip("\r\n"))
        if heading is None or len(heading[1]) > 2:
            continue
        if inside:
            return number
        inside = len(heading[1]) == 2 and bool(volume) and _title((heading[2] or heading[3] or "").strip()) == volume
    return len(lines)


def render_outline(outline: Outline, language: Language) -> str:
    """The outline as the author's file. `parse_outline(render_outline(x)) == x` for one-line texts, volumes with
    distinct titles and entries that stand in the order of their volumes."""
    lines = [f"# {TITLES[language]}", "", *_field("last_image", outline.last_image, language)]
    for entry in (entry for entry in outline.entries if not entry.volume):
        lines += ["", *_entry_lines(entry, language)]
    for volume in outline.volumes:
        lines += ["", f"## {_head(volume.title)}"]
        lines += [*_field("goal", volume.goal, language), *_field("loss", volume.loss, language), ""]
        for entry in outline.entries:
            if entry.volume == volume.title:
                lines += _entry_lines(entry, language)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"
