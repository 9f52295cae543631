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


@st.composite
def prose(draw: st.DrawFn, language: str) -> str:
    """A few paragraphs of sentences with blank lines between them."""
    words, stops = (zh_words, "。！？") if language == "zh" else (en_words, ".!?")
    sentence = st.builds(lambda text, stop: text + stop, words, st.sampled_from(stops))
    glue = "" if language == "zh" else " "
    paragraph = st.lists(sentence, min_size=1, max_size=4).map(glue.join)
    return "\n\n".join(draw(st.lists(paragraph, min_size=1, max_size=5)))
