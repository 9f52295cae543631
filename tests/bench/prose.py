"""Rows 13 to 16 of design/bars.md, each book judged with thresholds that were fitted on the other books.

    python -m tests.bench.prose

Human works are published novels out of copyright; no contemporary one is among them. Nothing was fitted on models, but
the groups of habits were chosen with an eye on them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from inkos.config import StyleConfig
from inkos.gates.check import CheckContext, HouseLists
from inkos.gates.checks import CATALOGUE, run
from inkos.kernel.findings import Finding
from inkos.messages import Language
from inkos.text.count import count
from inkos.text.repeat import shingles
from inkos.text.segment import paragraphs
from tests.bench import corpora
from tests.bench.fit import fitted, house

AI_PROSE = ("prose-004", "prose-005", "prose-006", "prose-011", "prose-012")
SHARES = (0.0, 0.05, 0.07, 0.10, 0.15, 0.30)


def judged(texts: list[str], language: Language, lists: HouseLists, name: str = "") -> Iterator[tuple[Finding, ...]]:
    """The findings of each chapter of one work, told what stood before it. Its length is its target."""
    earlier: list[frozenset[int]] = []
    for number, text in enumerate(texts):
        first = any(word in name for word in corpora.FIRST_PERSON)
        context = CheckContext(
            language=language,
            target=max(1, count(text, language)),
            lists=lists,
            style=StyleConfig(person="first" if first else "third"),
            earlier=tuple(earlier),
            recent=tuple(texts[max(0, number - 9) : number]),
        )
        yield run(text, context)
        earlier.append(frozenset(shingles(text, language)))


class Counted:
    """How many chapters tripped each code, and how many there were."""

    def __init__(self) -> None:
        self.chapters = self.blocked = self.warned = 0
        self.codes: Counter[str] = Counter()

    def add(self, findings: tuple[Finding, ...]) -> None:
        codes = {f.code for f in findings}
        self.chapters += 1
        self.blocked += any(f.blocking for f in findings)
        self.warned += any(f.code in AI_PROSE and f.severity != "info" for f in findings)
        self.codes.update(codes)


def counted(works: dict[str, list[str]], language: Language) -> Counted:
    """Every chapter of every work, each human work with thresholds that do not know it."""
    seen = Counted()
    for name, texts in works.items():
        for findings in judged(texts, language, lists_for(name, language), name):
            seen.add(findings)
    return seen


def lists_for(name: str, language: Language) -> HouseLists:
    """Fitted on the other novels; for a work of a model the house's."""
    return fitted(language, name) if name in corpora.novels(language) else house(language)


def windows(works: dict[str, list[str]], language: Language) -> tuple[int, int]:
    """Windows of up to ten chapters that are warned of as a window, and how many there are. Fewer than three chapters
    are no window; fewer than five are looked at twice over, as a book of that hand would go on."""
    warned, total = 0, 0
    for name, texts in works.items():
        for at in range(0, len(texts), 10):
            window = texts[at : at + 10]
            if len(window) < 3:
                continue
            total += 1
            whole = window if len(window) >= 5 else window * 2
            found = list(judged(whole[-10:], language, lists_for(name, language), name))[-1]
            warned += any(f.code == "prose-012" for f in found)
    return warned, total


def retold(language: Language, share: float) -> tuple[int, int]:
    """Chapters of novels with `share` of their words taken from an earlier chapter of the same work, found by
    prose-006, and how many were tried. With 0 none should be found."""
    lists, found, total = house(language), 0, 0
    for name, texts in corpora.novels(language).items():
        held = texts[1::2][:24]
        for number in range(2, len(held), 3):
            text = planted(held[number], held[number - 2], share, language)
            total += 1
            context = CheckContext(
                language=language, target=count(text, language), lists=lists,
                style=StyleConfig(person="first" if any(w in name for w in corpora.FIRST_PERSON) else "third"),
                earlier=tuple(frozenset(shingles(t, language)) for t in held[:number]),
            )  # fmt: skip
            found += any(f.code == "prose-006" for f in run(text, context))
    return found, total


def planted(text: str, source: str, share: float, language: Language) -> str:
    """`text` with whole paragraphs of `source` put in its middle, until they are at least `share` of all words."""
    if not share:
        return text
    taken: list[str] = []
    length = count(text, language)
    for paragraph in paragraphs(source):
        taken.append(paragraph.text)
        inside = count("\n\n".join(taken), language)
        if inside >= share * (length + inside):
            break
    parts = [p.text for p in paragraphs(text)]
    middle = len(parts) // 2
    return "\n\n".join([*parts[:middle], *taken, *parts[middle:]])


def main() -> None:
    print("human: novels out of copyright, each judged by what was fitted on the others")
    print(f"{'row':<44}{'en':>18}{'zh':>18}")
    rows: dict[str, list[str]] = {}
    for language in ("en", "zh"):
        human = counted(corpora.novels(language), language)
        model = counted(corpora.models(language), language)
        n = max(1, human.chapters)
        rows.setdefault("13 blocking per 100 human chapters", []).append(f"{human.blocked * 100 / n:.1f} of {n}")
        rows.setdefault("14 human chapters with an AI-prose warning", []).append(f"{human.warned / n:.1%} of {n}")
        warned, total = windows(corpora.models(language), language)
        rows.setdefault("15 model windows warned (prose-012)", []).append(f"{warned}/{total}")
        rows.setdefault("   model chapters warned (prose-004)", []).append(
            f"{model.codes['prose-004'] / max(1, model.chapters):.0%} of {model.chapters}")  # fmt: skip
        warned, total = windows(corpora.novels(language), language)
        rows.setdefault("   human windows warned", []).append(f"{warned}/{total}")
        for share in SHARES:
            found, total = retold(language, share)
            rows.setdefault(f"16 chapters with {share:.0%} told before, found", []).append(f"{found}/{total}")
        seen = {code: human.codes[code] for code in CATALOGUE if human.codes[code]}
        rows.setdefault("   codes on human chapters", []).append(str(seen))
    for row, values in rows.items():
        print(f"{row:<44}{values[0]:>18}{values[1]:>18}")


if __name__ == "__main__":
    main()
