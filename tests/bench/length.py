"""Row 17 of design/bars.md: chapters within ±10 % and ±25 % of their target, with writers of measured bias.

    python -m tests.bench.length

The writers are the models of shared/data/ai-novellas-en: each was asked for 1,000 words a chapter, and what it wrote
over what it was asked, loops taken off as the program's reader does, is its measure. A simulated draft is what was
asked times one of the writer's own ratios, drawn at random, cut at the cap of the request; one that was cut, or stops
before half its length, is continued once. A simulated correction makes up a share of the distance drawn from a normal
distribution (mean 0.85, deviation 0.35, an assumption) in patches of 40 words each; those beyond the target are left
out, and what moves away is refused. Asking and correcting are the program's own (gates/bias.py, cycle/mend.py).
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable

from inkos.cycle.mend import ASKED_OF_CORRECTION
from inkos.gates.bias import to_ask
from inkos.gates.verdict import moved_away
from inkos.prompts.render import DRAFT_ROOM
from inkos.text.count import count
from inkos.text.repeat import loop_start
from tests.data import SHARED

CHAPTERS = 40  # of one simulated book
BOOKS = 20  # of one writer
TARGET = 2400
SOFT, HARD = 0.10, 0.25
LEAST = 0.1  # of what was asked: a draft that was nothing but a loop is asked for anew
LAST_BEAT = 0.18  # of what was asked
PATCH = 40


def writers(loops: bool = True) -> dict[str, list[float]]:
    """Got over asked, chapter by chapter, of each model; `loops`: without the ends that only repeat."""
    found: dict[str, list[float]] = {}
    for line in (SHARED / "ai-novellas-en" / "novellas.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        texts = [c if isinstance(c, str) else c["text"] for c in row["chapters"]]
        texts = [text[: loop_start(text, "en")] if loops else text for text in texts]
        found.setdefault(row["model"], []).extend(max(LEAST, count(t, "en") / row["target_words"]) for t in texts)
    return found


Ask = Callable[[int, list[tuple[int, int]]], int]


def book(ratios: list[float], chance: random.Random, ask: Ask, correct: float) -> tuple[list[int], int]:
    """Lengths of a simulated book, and the calls that corrections cost. `correct`: off by more than this share."""
    lately: list[tuple[int, int]] = []
    lengths, calls = [], 0
    for _ in range(CHAPTERS):
        asked = ask(TARGET, lately)
        got = round(asked * chance.choice(ratios))
        if got > DRAFT_ROOM * asked:  # cut at the cap, and continued once, for the last beat
            calls += 1
            got = round(asked * (DRAFT_ROOM + LAST_BEAT * min(DRAFT_ROOM, chance.choice(ratios))))
        elif got < TARGET / 2:  # one that stops early is continued once, for what the plan still holds
            calls += 1
            got += round((asked - got) * min(DRAFT_ROOM, chance.choice(ratios)))
        lately.append((asked, got))
        if correct < abs(got - TARGET) / TARGET < 1.0:
            calls += 1
            mended = corrected(got, chance)
            got = got if moved_away(got, mended, TARGET) else mended
        lengths.append(got)
    return lengths, calls


def corrected(got: int, chance: random.Random) -> int:
    """The length after patches of PATCH words each, as many of them as bring it nearest."""
    wanted = round(ASKED_OF_CORRECTION * (TARGET - got) * chance.gauss(0.85, 0.35))
    step = PATCH if wanted > 0 else -PATCH
    lengths = [got, *(got + step * n for n in range(1, abs(wanted) // PATCH + 1)), got + wanted]
    return min(lengths, key=lambda length: abs(length - TARGET))


def shares(ask: Ask, correct: float, only: str = "") -> tuple[float, float, float]:
    """Within ±10 %, within ±25 %, extra calls a chapter, over all writers or `only` one."""
    chance, lengths, calls = random.Random(1), [], 0
    for ratios in (r for name, r in writers().items() if only in ("", name)):
        for _ in range(BOOKS):
            got, more = book(ratios, chance, ask, correct)
            lengths += got
            calls += more
    off = [abs(n - TARGET) / TARGET for n in lengths]
    return sum(o <= SOFT for o in off) / len(off), sum(o <= HARD for o in off) / len(off), calls / len(off)


def main() -> None:
    for name, ratios in writers().items():
        print(f"{name:<28} got/asked {min(ratios):.2f} – {max(ratios):.2f}, mean {sum(ratios) / len(ratios):.2f}")

    def plain(target: int, lately: list[tuple[int, int]]) -> int:
        return target

    rows: dict[str, tuple[Ask, float]] = {
        "nothing": (plain, 9.0),
        "one correction over 25 %": (plain, HARD),
        "asking by bias": (to_ask, 9.0),
        "asking by bias, one correction over 10 %": (to_ask, SOFT),
    }
    print(f"{'row 17':<48}{'±10 %':>8}{'±25 %':>8}{'calls':>8}")
    for name, (ask, correct) in rows.items():
        near, far, calls = shares(ask, correct)
        print(f"{name:<48}{near:>8.0%}{far:>8.0%}{calls:>8.2f}")
    for name in writers():
        near, far, calls = shares(to_ask, SOFT, name)
        print(f"   the last, {name:<35}{near:>8.0%}{far:>8.0%}{calls:>8.2f}")


if __name__ == "__main__":
    main()
