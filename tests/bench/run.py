"""Rows of design/bars.md on seeded books and novels (1–3, 12–18): a table, with everything measured docs/benchmarks.md.

    python -m tests.bench.run [--quick]

`--quick`: growth ratios only, on shorter books, nothing written. A time is a median over repetitions on the machine
that the table names; ratios between positions come from repetitions that alternate, so a busy machine slows both.
"""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from inkos.config import BookConfig
from inkos.kernel.casebook import judged, read_cases, tally
from inkos.kernel.delta import Delta
from inkos.kernel.reduce import apply
from inkos.kernel.replay import empty
from inkos.kernel.rules import Rules
from inkos.kernel.story import StoryState
from tests.bench.long_book import BOOK, LongBook, size, write
from tests.bench.long_story import PACKS, LongStory, bible, genesis, rules
from tests.bench.rows import rows as rows_of_prose
from tests.data import ROOT, SHARED
from tests.kernel.pairs import cases as own_cases

MARKS = (50, 500, 1_000, 2_000)
SIZES = (609, 2_000)  # at 609 chapters the peer stopped
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


class Disk(NamedTuple):
    """Row 2: milliseconds of local work of one more chapter in a batch, and of a whole command for one chapter, by the
    number of chapters in the book. Row 3: bytes of the folder by chapters, and of one run's folder."""

    chapter: dict[int, float]
    command: dict[int, float]
    folder: dict[int, int]
    run: int


def on_disk(marks: Sequence[int], sizes: Sequence[int]) -> Disk:
    """Grow one book and stop at each mark to write chapters on a copy of it."""
    disk = Disk({}, {}, {}, 0)
    run = 0
    with tempfile.TemporaryDirectory() as place:
        book = LongBook(Path(place) / "grown", max((*marks, *sizes)))
        for until in sorted({*marks, *sizes}):
            book.grow(until)
            if until in sizes:
                disk.folder[until] = size(book.folder)
            if until in marks:
                disk.chapter[until], disk.command[until], run = _written(book, Path(place) / f"at{until}")
    return disk._replace(run=run)


def _written(book: LongBook, copy: Path) -> tuple[float, float, int]:
    shutil.copytree(book.folder.parent.parent, copy)
    write(copy, 1)  # imports and tables are read here
    one = min(write(copy, 1)[0] for _ in range(2))
    four = min(write(copy, 4)[0] for _ in range(2))
    runs = [path for path in (copy / "books" / BOOK / "runs").iterdir() if path.is_dir()]
    run = max(size(path) for path in runs)
    shutil.rmtree(copy)
    return (four - one) / 3, one, run


def case_figures() -> Iterator[tuple[str, str]]:
    """Row 12: the shared sample, where it lies, and the project's own pairs."""
    use = Rules.build(PACKS, BookConfig(id="cases", title="cases", language="en", genre="all"))
    shared = SHARED / "seeded-state/cases.jsonl"
    books = {"own pairs": own_cases()}
    if shared.exists():
        books = {"seeded sample": list(map(dict, read_cases(shared.read_text("utf-8"), str(shared)))), **books}
    for name, rows in books.items():
        total = tally(judged(rows, use))
        yield name, (f"{total.found}/{total.seeded} found ({total.found_share:.0%}), "
                     f"{total.flagged}/{total.clean} twins flagged ({total.flagged_share:.0%})")  # fmt: skip


def spread(values: dict[int, float], unit: str, digits: int) -> str:
    """`0.21 / 0.22 ms at 50 / 500; ratio 1.05`."""
    said = " / ".join(f"{value:.{digits}f}" for value in values.values())
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
    cores = sum(line.startswith("processor") for line in _lines("/proc/cpuinfo"))
    return f"{model}, {cores} cores, {platform.system()}, Python {platform.python_version()}"


def _lines(path: str) -> list[str]:
    place = Path(path)
    return place.read_text("utf-8").splitlines() if place.exists() else []


def measured(*, quick: bool) -> list[Row]:
    marks = (50, 300) if quick else MARKS
    times = apply_times((50, 2_000) if quick else MARKS)
    rows = [Row("1", "apply one delta of 22 items", spread(times, "ms", 3), "4.0 ms, linear",
                "≤ 0.4 ms at 1,000; 2,000 ≤ 1.5 × 50")]  # fmt: skip
    disk = on_disk(marks, marks[-1:] if quick else SIZES)
    more = spread(disk.chapter, "ms", 0)
    rows.append(Row("2", "local work of one more chapter", more, "139–658 ms", "≤ 60 ms at 1,000"))
    rows.append(Row("2", "the same with the command around it", spread(disk.command, "ms", 0), "", ""))
    for chapters, found in disk.folder.items():
        text = f"{(found + 10 * disk.run) / MB:.1f} MB, with ten runs of {disk.run / MB:.2f} MB"
        rows.append(Row("3", f"book folder after {chapters:,} chapters of 1,700 words", text,
                        "257 MB / stops at 609", "≤ 60 / 200 MB"))  # fmt: skip
    rows += [Row("12", f"labelled cases, {name}", said, "–", "≥ 95 % / ≤ 4 %") for name, said in case_figures()]
    rows += [] if quick else [Row(*line) for line in rows_of_prose()]
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", action="store_true")
    told = parser.parse_args()
    rows = measured(quick=told.quick)
    print(json.dumps([row._asdict() for row in rows], ensure_ascii=False) if told.json else table(rows))
    print(machine())
    if not told.quick:
        page = ROOT / "docs/benchmarks.md"
        page.write_text(
            "# Benchmarks\n\nWritten by `make bench`. Books are seeded (tests/bench/long_story.py), the model is the "
            f"offline author, its time is not counted.\n\n{table(rows)}\nMeasured on: {machine()}.\n",
            encoding="utf-8",
        )


if __name__ == "__main__":
    main()
