"""Law of the outline: what is rendered is read back as it was."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inkos.kernel.outline import parse_outline, render_outline
from inkos.kernel.papers import Outline, OutlineBeat, OutlineEntry, Volume
from inkos.messages import Language

line = st.text(st.characters(categories=("L", "N", "P", "Zs"), exclude_characters="{}｛｝"), max_size=20).map(
    lambda text: " ".join(text.split())
)
words = line.filter(bool)
tricky = st.sampled_from(
    ["Function: none", "功能：无", "\\x", "- dash", "第80章 决战", "Chapter 3", "# head", "1. one", "**Goal**: a"]
)


@st.composite
def outlines(draw: st.DrawFn) -> Outline:
    titles = draw(st.lists(words | tricky, unique=True, max_size=3))
    keys = iter(
        draw(st.lists(words.filter(lambda w: "#" not in w and "＃" not in w), unique=True, min_size=8, max_size=8))
    )
    entries = []
    for volume in ("", *titles):
        for _ in range(draw(st.integers(0, 2))):
            key = next(keys)
            beats = draw(st.lists(words | tricky, max_size=3))
            entries.append(
                OutlineEntry(
                    key=key,
                    volume=volume,
                    title=draw(words | tricky),
                    beats=tuple(OutlineBeat(key=f"{key}#{n}", handle=f"o{n}", text=b) for n, b in enumerate(beats, 1)),
                    function=draw(line),
                    required=draw(line),
                    end_kind=draw(st.sampled_from(["", "danger", "result"])),
                )
            )
    volumes = tuple(Volume(title=title, goal=draw(line), loss=draw(line)) for title in titles)
    return Outline(volumes=volumes, entries=tuple(entries), last_image=draw(line))


@given(outlines(), st.sampled_from(["en", "zh"]))
def test_what_is_rendered_is_read_back(outline: Outline, language: Language) -> None:
    assert parse_outline(render_outline(outline, language)) == outline


@given(st.text(max_size=300) | st.text(alphabet="#-{}：:\n ab功能*1.", max_size=200))
def test_no_text_is_too_odd_to_be_read(text: str) -> None:
    outline = parse_outline(text)
    keys = [entry.key for entry in outline.entries]
    assert len(keys) == len(set(keys))
