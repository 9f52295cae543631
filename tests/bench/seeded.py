"""Seeded books of the sizes that benches need, built once and kept under .bench/, which git ignores.

    python -m tests.bench.seeded [chapters …]

One book a language is grown and copied at each size. What it is made of names the folder, so that a changed story, rule
or format makes new books; the old ones are removed.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from inkos.kernel.story import SCHEMA_VERSION
from inkos.messages import Language
from inkos.records import digest
from tests.bench import long_book, long_story, tongues
from tests.data import ROOT

HOME = ROOT / ".bench"
SIZES = (50, 500, 1_000, 2_000)
LANGUAGES: tuple[Language, ...] = ("zh", "en")


def home() -> Path:
    made_of = [Path(str(module.__file__)).read_text("utf-8") for module in (long_book, long_story, tongues)]
    rules = [long_story.rules(language).digest for language in LANGUAGES]
    return HOME / digest("\0".join([*made_of, *rules, str(SCHEMA_VERSION)]))[:12]


def seeded(language: Language, chapters: int, sizes: Sequence[int] = SIZES) -> Path:
    """The workspace of a book with so many chapters, to be copied by whoever writes in it. Building one builds all of
    `sizes` up to it: about a minute for 2,000 chapters."""
    place = home() / f"{language}-{chapters}"
    if not place.exists():
        _build(language, [size for size in sorted({*sizes, chapters}) if size <= chapters])
    return place


def _build(language: Language, sizes: Sequence[int]) -> None:
    here = home()
    for old in HOME.glob("*") if HOME.exists() else ():
        if old != here:
            shutil.rmtree(old)
    growing = here / f"{language}-growing"
    shutil.rmtree(growing, ignore_errors=True)
    growing.parent.mkdir(parents=True, exist_ok=True)
    book = long_book.LongBook(growing, max(sizes), language)
    for size in sizes:
        book.grow(size)
        made = here / f"{language}-{size}"
        if not made.exists():
            shutil.copytree(growing, here / f"{language}-copy")
            (here / f"{language}-copy").rename(made)
    shutil.rmtree(growing)


def main() -> None:
    sizes = [int(word) for word in sys.argv[1:]] or list(SIZES)
    for language in LANGUAGES:
        begun = time.perf_counter()
        seeded(language, max(sizes), sizes)
        print(language, max(sizes), f"{time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
