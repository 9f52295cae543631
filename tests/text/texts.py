"""Hypothesis strategies for prose-like texts of both languages; knows nothing of the rooms under test."""

from __future__ import annotations

from hypothesis import strategies as st

ZH_WORDS = ["他", "她说", "推开门", "雪已经停了", "灯", "三十两", "WeChat", "3", "后来", "这里", "长街", "不，", "走吧"]
EN_WORDS = ["the", "door", "was", "open", "don't", "forty-two", "he", "said", "Ann", "snow", "3", "a", "I", "well,"]
MARKS = ["。", "，", "……", "——", "“", "”", "「", "」", '"', "'", "’", ".", ",", "...", "--", "?", "！", "…", "‘"]
BLANKS = [" ", "\n", "\n\n", "　", "  ", "\t"]

zh_words = st.lists(st.sampled_from(ZH_WORDS), min_size=1, max_size=12).map("".join)
en_words = st.lists(st.sampled_from(EN_WORDS), min_size=1, max_size=12).map(" ".join)

# Anything that may come: words, marks and blanks in any order, and now and then arbitrary characters.
_anything = st.sampled_from(ZH_WORDS + EN_WORDS + MARKS + BLANKS + ["* * *", "---", "**", "*"]) | st.text(max_size=3)
messy = st.lists(_anything, max_size=30).map("".join)


def _sentences(words: list[str], glue: str, stops: str) -> list[str]:
    """Some forty sentences of one to ten words, drawn whole because drawing word by word is slow."""
    size = len(words)
    starts = ((start, step) for start in range(20) for step in (1, 3))
    runs = ([words[(start + at) * step % size] for at in range(1 + start % 10)] for start, step in starts)
    return [glue.join(run) + stops[number % len(stops)] for number, run in enumerate(runs)]


POOL = {"zh": _sentences(ZH_WORDS, "", "。！？"), "en": _sentences(EN_WORDS, " ", ".!?")}


def prose(language: str) -> st.SearchStrategy[str]:
    """A few paragraphs of sentences with blank lines between them."""
    glue = "" if language == "zh" else " "
    pieces = st.lists(st.sampled_from(POOL[language] + ["\n\n"] * 10), max_size=14)
    last = st.sampled_from(POOL[language])
    return st.builds(lambda some, end: _paragraphs([*some, end], glue), pieces, last)


def _paragraphs(pieces: list[str], glue: str) -> str:
    blocks: list[list[str]] = [[]]
    for piece in pieces:
        if piece == "\n\n":
            blocks.append([])
        else:
            blocks[-1].append(piece)
    return "\n\n".join(glue.join(block) for block in blocks if block)
