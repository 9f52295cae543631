"""The rows of design/bars.md that need no model: a table, and with everything measured docs/benchmarks.md.

    python -m tests.bench.run [--quick] [--json] [--without-corpora]

Books are seeded in Chinese and in English (tests/bench/seeded.py), built once and kept. `--quick`: growth ratios only,
on short books, nothing written; a time is compared with another of the same run, never with a limit. Times of the other
form are of the machine that the table names, with its load beside: on a busy one they say little.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from inkos.adapters.package_data import messages
from inkos.config import BookConfig
from inkos.export.epub import to_epub
from inkos.export.manuscript import Manuscript, ManuscriptChapter
from inkos.kernel.casebook import judged, read_cases, tally
from inkos.kernel.delta import Delta
from inkos.kernel.reduce import apply
from inkos.kernel.replay import empty
from inkos.kernel.rules import Rules
from inkos.kernel.story import StoryState
from tests.bench import prompts, recall
from tests.bench.long_book import BOOK, size
from tests.bench.long_story import PACKS, LongStory, bible, genesis, rules
from tests.bench.seeded import LANGUAGES, SIZES, seeded
from tests.data import ROOT, SHARED
from tests.kernel.pairs import cases as own_cases

MARKS = (50, 500, 1_000, 2_000)
QUICK = (50, 200)
ROUNDS = 40
MB = 1_000_000


class Row(NamedTuple):
    number: str
    measure: str
    figures: str
    peer: str
    must: str


class Standing(NamedTuple):
    """A state and the chapter that comes next."""

    state: StoryState
    delta: Delta
    text: str


def standings(marks: Sequence[int], use: Rules) -> dict[int, Standing]:
    """The story before each of `marks`. A warning on it would be a fault of the reducer or of the story."""
    state = apply(empty("long", "en"), genesis(), "", use, sources=bible()).state
    found: dict[int, Standing] = {}
    for chapter in LongStory().chapters(max(marks)):
        assert state is not None
        if chapter.delta.position in marks:
            found[chapter.delta.position] = Standing(state, chapter.delta, chapter.text)
        done = apply(state, chapter.delta, chapter.text, use)
        assert not [f for f in done.findings if f.severity != "info"], (chapter.delta.position, done.findings)
        state = done.state
    return found


def apply_times(marks: Sequence[int]) -> dict[int, float]:
    """Row 1: milliseconds to apply the delta of each position, the median of repetitions that alternate."""
    use = rules()
    stands = standings(marks, use)
    times: dict[int, list[float]] = {mark: [] for mark in marks}
    for _ in range(ROUNDS):
        for mark, stand in stands.items():
            begun = time.perf_counter()
            apply(stand.state, stand.delta, stand.text, use)
            times[mark].append((time.perf_counter() - begun) * 1_000)
    return {mark: statistics.median(each) for mark, each in times.items()}


def shapes(sizes: Sequence[int]) -> Iterator[Row]:
    """Rows 2 and 4 to 6."""
    for language in LANGUAGES:
        found = {size: prompts.shape(language, size) for size in sizes}

        def each(
            take: Callable[[prompts.Shape], float], unit: str, of: dict[int, prompts.Shape] = found
        ) -> str:
            return spread({n: take(one) for n, one in of.items()}, unit, 0)

        if language == "zh":
            some = list(found.values())
            yield Row("2", "local work of one more chapter (zh), processor",
                      each(lambda s: s.chapter.processor * 1_000, "ms"), "139–658 ms", "≤ 60 ms at 1,000")  # fmt: skip
            yield Row("2", "the same by the clock", each(lambda s: s.chapter.wall * 1_000, "ms"), "", "")
            yield Row("2", "a whole command for one chapter, processor",
                      each(lambda s: s.command.processor * 1_000, "ms"), "", "")  # fmt: skip
            calls = f"{max(s.calls for s in some)} / {max(s.in_sequence for s in some)}"
            yield Row("4", "calls of a clean chapter: all / in sequence", calls, "6 / 6", "4 / 3")
        yield Row("5", f"prompt characters of a clean chapter ({language})", each(lambda s: s.characters, "characters"),
                  "104 k / 279 k at 30 / 600" if language == "zh" else "", "≤ 60 k (zh), ±5 %")  # fmt: skip
        yield Row("6", f"shared with an earlier call of the chapter ({language})",
                  each(lambda s: s.within * 100, "%"), "~0", "≥ 60 %")  # fmt: skip
        yield Row("6", f"layers as the chapter before had them ({language})",
                  each(lambda s: s.between * 100, "%"), "~0", "≥ 50 %")  # fmt: skip


def folders() -> Iterator[Row]:
    """Row 3: a book's folder, and one run's; the runs of all but the last ten chapters can be pruned."""
    for language in LANGUAGES:
        for chapters in (500, 2_000):
            found = size(seeded(language, chapters) / "books" / BOOK)
            yield Row("3", f"book folder after {chapters:,} chapters ({language}), without runs",
                      f"{found / MB:.1f} MB", "257 MB at 609, stops there", "≤ 60 / 200 MB")  # fmt: skip


def recalls() -> Iterator[Row]:
    """Row 7."""
    for language in LANGUAGES:
        found = recall.measured(language, 2_000)
        said = "; ".join(f"{n:,}: {got.found}/{got.asked} ({got.found / got.asked:.0%})" for n, got in found.items())
        missed = {way: n for got in found.values() for way, n in got.by_way.items()}
        yield Row("7", f"planted facts in the context, by chapters back ({language})",
                  said + (f"; missed by {', '.join(missed)}" if missed else ""), "–", "≥ 95 %")  # fmt: skip


def commands() -> Iterator[Row]:
    """Row 8: wall time of a process, and its largest resident size."""
    for arguments in (["--version"], ["--help"]):
        wall, processor, peak = _process(["-m", "inkos", *arguments])
        figures = f"{wall:.2f} s ({processor:.2f} s of the processor), {peak / MB:.0f} MB"
        yield Row("8", f"`inkos {arguments[0]}`", figures, "0.87 s, 143 MB", "≤ 0.25 s, ≤ 50 MB")


def _process(arguments: Sequence[str]) -> tuple[float, float, int]:
    """Seconds by the clock and of the processor, the best of five runs; bytes resident at most."""
    code = ("import resource as r,subprocess,sys,time;t=time.perf_counter();"
            "subprocess.run(sys.argv[1:],stdout=subprocess.DEVNULL,check=True);t=time.perf_counter()-t;"
            "u=r.getrusage(r.RUSAGE_CHILDREN);print(t,u.ru_utime+u.ru_stime,u.ru_maxrss*1024)")  # fmt: skip
    runs = []
    for _ in range(5):
        told = subprocess.run([sys.executable, "-c", code, sys.executable, *arguments], capture_output=True, check=True)
        wall, processor, peak = map(float, told.stdout.split())
        runs.append((wall, processor, int(peak)))
    return min(run[0] for run in runs), min(run[1] for run in runs), max(run[2] for run in runs)


def manuscript(chapters: int) -> Manuscript:
    """Chapters of 3,000 words each."""
    story = LongStory()
    text = "\n\n".join(story.chapter(n).text for n in (1, 2))[:17_500]
    told = tuple(ManuscriptChapter(title=f"Letter {n}", text=text) for n in range(1, chapters + 1))
    return Manuscript(title="The Long Quay", language="en", identifier="urn:uuid:0", modified="2026-01-01T12:00:00Z",
                      chapters=told)  # fmt: skip


def epub(chapters: int) -> Row:
    """Row 9. Whether epubcheck agrees is the tests' matter (tests/export)."""
    book, words, times, made = manuscript(chapters), messages("en"), [], set()
    for _ in range(3):
        begun = prompts.Took.now()
        made.add(to_epub(book, words))
        times.append(prompts.Took.now() - begun)
    _, _, peak = _process(["-c", f"from tests.bench.run import *; to_epub(manuscript({chapters}), messages('en'))"])
    same = "the same bytes" if len(made) == 1 else "other bytes each time"
    wall, processor = min(took.wall for took in times), min(took.processor for took in times)
    return Row("9", f"EPUB, {chapters:,} chapters of 3,000 words",
               f"{wall:.2f} s ({processor:.2f} s of the processor), {peak / MB:.0f} MB, {same}",
               "0.36–0.82 s, 146 MB for 200", "200: ≤ 1.0 s, ≤ 120 MB, the same bytes")  # fmt: skip


def case_figures() -> Iterator[Row]:
    """Row 12: the shared sample, where it lies, and the project's own pairs."""
    use = Rules.build(PACKS, BookConfig(id="cases", title="cases", language="en", genre="all"))
    shared = SHARED / "seeded-state/cases.jsonl"
    books = {"own pairs": own_cases()}
    if shared.exists():
        books = {"seeded sample": list(map(dict, read_cases(shared.read_text("utf-8"), str(shared)))), **books}
    for name, rows in books.items():
        total = tally(judged(rows, use))
        said = (f"{total.found}/{total.seeded} found ({total.found_share:.0%}), "
                f"{total.flagged}/{total.clean} twins flagged ({total.flagged_share:.0%})")  # fmt: skip
        yield Row("12", f"labelled cases, {name}", said, "–", "≥ 95 % / ≤ 4 %")


def spread(values: dict[int, float], unit: str, digits: int) -> str:
    """`0.21 / 0.22 ms at 50 / 500; ratio 1.05`."""
    said = " / ".join(f"{value:,.{digits}f}" for value in values.values())
    marks = " / ".join(f"{mark:,}" for mark in values)
    first, *_, last = values.values()
    return f"{said} {unit} at {marks}; last over first {last / first:.2f}"


def table(rows: Sequence[Row]) -> str:
    head = "| # | measure | inkos | peer | must |\n|---|---|---|---|---|\n"
    return head + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def machine() -> str:
    model = next(
        (line.split(":", 1)[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")),
        platform.processor() or platform.machine(),
    )
    cores = sum(line.startswith("processor") for line in _lines("/proc/cpuinfo")) or os.cpu_count()
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{model}, {cores} cores, {platform.system()}, Python {platform.python_version()}{load}"


def _lines(path: str) -> list[str]:
    place = Path(path)
    return place.read_text("utf-8").splitlines() if place.exists() else []


class Growth(NamedTuple):
    """How a figure of a longer book stands to that of a short one of the same run, and what it may be at most."""

    number: str
    measure: str
    ratio: float
    most: float

    @property
    def row(self) -> Row:
        return Row(self.number, self.measure, f"{self.ratio:.2f}", "", f"≤ {self.most}")


def quick() -> Iterator[Growth]:
    """What must not grow with the book, as ratios between a short and a longer one."""
    times = apply_times((50, 1_000))
    yield Growth("1", "apply one delta at 50 / 1,000", times[1_000] / times[50], 1.5)
    marks = " / ".join(f"{n:,}" for n in QUICK)
    for language in LANGUAGES:
        short, long = (prompts.shape(language, n) for n in QUICK)
        yield Growth("5", f"prompt characters ({language}) at {marks}", long.characters / short.characters, 1.2)
        work = long.chapter.processor / short.chapter.processor
        yield Growth("2", f"local work ({language}) at {marks}", work, 2.5)


def measured(*, corpora: bool) -> Iterator[Row]:
    yield Row("1", "apply one delta of 25 items", spread(apply_times(MARKS), "ms", 3), "4.0 ms, linear",
              "≤ 0.4 ms at 1,000; 2,000 ≤ 1.5 × 50")  # fmt: skip
    yield from shapes(SIZES)
    yield from folders()
    yield from recalls()
    yield from commands()
    yield from (epub(chapters) for chapters in (200, 2_000))
    yield Row("10", "wall time over model time, calls of 2 s, at 1,000 chapters",
              f"{prompts.waiting('zh', 1_000):.3f}", "–", "≤ 1.05")  # fmt: skip
    yield from case_figures()
    if corpora:
        from tests.bench.rows import rows as prose

        yield from (Row(*line) for line in prose())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--without-corpora", action="store_true", help="leave out rows 13 to 18, which read novels")
    told = parser.parse_args()
    grown = list(quick()) if told.quick else []
    rows = [growth.row for growth in grown]
    for row in () if told.quick else measured(corpora=not told.without_corpora):
        print(" | ".join(row), file=sys.stderr, flush=True)
        rows.append(row)
    print(json.dumps([row._asdict() for row in rows], ensure_ascii=False) if told.json else table(rows))
    print(machine())
    if beyond := [growth.measure for growth in grown if growth.ratio > growth.most]:
        sys.exit("grows with the book: " + "; ".join(beyond))
    if not told.quick:
        page = ROOT / "docs/benchmarks.md"
        page.write_text(
            "# Benchmarks\n\nWritten by `make bench`. Books are seeded (tests/bench/long_story.py), the model is the "
            "offline author, its time is not counted. The peer is the TypeScript InkOS 1.7.2, measured on 2 cores.\n\n"
            f"{table(rows)}\nMeasured on: {machine()}.\n",
            encoding="utf-8",
        )


if __name__ == "__main__":
    main()
