"""Each code has a folder with a text that trips it and one that does not, in both languages, and what is expected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from inkos.config import StyleConfig
from inkos.gates.check import CheckContext, HouseLists, StoryView
from inkos.gates.checks import CATALOGUE, run
from inkos.kernel.findings import Finding
from inkos.kernel.papers import Beat, CastMember, OutlineEntry, Plan
from inkos.messages import Language
from inkos.text.count import count
from inkos.text.repeat import shingles

HERE = Path(__file__).parent
DATA = HERE.parents[1] / "inkos" / "gates" / "data"
LANGUAGES: tuple[Language, ...] = ("en", "zh")
LISTS = {lang: HouseLists.build(yaml.safe_load((DATA / f"{lang}.yaml").read_text("utf-8"))) for lang in LANGUAGES}
CASES = [(code, language) for code in CATALOGUE for language in LANGUAGES]


def judged(code: str, name: str, language: Language) -> tuple[dict[str, Any], tuple[Finding, ...]]:
    """The expectation of a case in one language, and the findings of its text `name` (trips, clean)."""
    folder = HERE / code
    case = yaml.safe_load((folder / "case.yaml").read_text("utf-8"))
    given = dict(case.get("context", {}).get(language, {}))
    given |= given.get(name, {})
    text = (folder / f"{name}.{language}.md").read_text("utf-8").strip()
    entry = OutlineEntry.model_validate(given["entry"]) if "entry" in given else None
    next_entry = OutlineEntry.model_validate(given["next_entry"]) if "next_entry" in given else None
    plan = Plan(
        title="",
        pov="",
        target=1,
        keep=given.get("keep", ""),
        end=given.get("end", ""),
        cast=tuple(CastMember(who=who) for who in given.get("cast", ())),
        beats=(Beat(handle="b1", wants="", outline=tuple(given.get("planned", ()))),),
    )
    earlier = folder / f"earlier.{language}.md"
    context = CheckContext(
        language=language,
        target=given["target"] if "target" in given and name == "trips" else count(text, language),
        lists=LISTS[language],
        style=StyleConfig.model_validate(given.get("style", {"person": "third"})),
        title=given.get("title", ""),
        plan=plan,
        entry=entry,
        next_entry=next_entry,
        earlier=(frozenset(shingles(earlier.read_text("utf-8"), language)),) if earlier.exists() else (),
        recent=(text,) * int(given.get("recent", 0) if name == "trips" else 0),
        story=StoryView.model_validate(given["story"]) if "story" in given else None,
        beats_done=tuple(given["beats_done"]) if "beats_done" in given else None,
    )
    return case[language], run(text, context)


@pytest.mark.parametrize(("code", "language"), CASES)
def test_the_text_that_trips_gives_this_finding_and_no_other(code: str, language: Language) -> None:
    expected, found = judged(code, "trips", language)
    assert {f.code for f in found} == {code} | set(expected.get("also", []))
    mine = [f for f in found if f.code == code]
    assert len(mine) == expected.get("number", len(mine))
    assert mine[0].severity == expected["severity"]
    for field in ("expected", "actual"):
        assert getattr(mine[0], field) == expected.get(field, getattr(mine[0], field))
    for field in ("beat", "beats"):
        assert mine[0].values.get(field) == expected.get(field, mine[0].values.get(field))
    quotes = [quote.text for f in mine for quote in f.quotes]
    assert set(expected.get("quotes", [])) <= set(quotes)


@pytest.mark.parametrize(("code", "language"), CASES)
def test_the_clean_text_gives_nothing(code: str, language: Language) -> None:
    _, found = judged(code, "clean", language)
    assert [(f.code, f.actual) for f in found] == []


@pytest.mark.parametrize("code", list(CATALOGUE))
def test_quotes_of_findings_stand_where_they_say(code: str) -> None:
    for language in LANGUAGES:
        text = (HERE / code / f"trips.{language}.md").read_text("utf-8").strip()
        for finding in judged(code, "trips", language)[1]:
            for quote in finding.quotes:
                assert text[quote.start : quote.end] == quote.text


def test_no_golden_folder_without_a_check() -> None:
    assert {path.parent.name for path in HERE.glob("*/case.yaml")} == set(CATALOGUE)
