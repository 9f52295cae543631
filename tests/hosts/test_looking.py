"""Looking things up, adding up what was spent, and what a reader found: each from the book as it is."""

from __future__ import annotations

import csv
import io
import shutil
from pathlib import Path

import pytest

from tests.hosts.cli import files_of, inkos
from tests.hosts.conftest import Shelf

PRICES = """schema_version: 1
language: en
providers: {offline: {protocol: offline}}
routes: {rehearsal: {provider: offline, model: offline-author}}
roles: {default: rehearsal}
prices: {offline-author: {input: 1, output: 4}}
"""


@pytest.fixture(scope="module")
def written(shelf: Shelf, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = shelf.copy(0, tmp_path_factory.mktemp("w") / "ws")
    (folder / "inkos.yaml").write_text(PRICES)
    assert inkos(folder, "write", "next", "--count", "2").code == 0
    return folder


@pytest.fixture
def folder(written: Path, tmp_path: Path) -> Path:
    shutil.copytree(written, tmp_path / "ws")
    return tmp_path / "ws"


def somebody(folder: Path) -> str:
    """The name of the first person of the book."""
    return str(next(e["name"] for e in inkos(folder, "--json", "state", "show").json["state"]["entities"].values()
                    if e["kind"] == "person"))  # fmt: skip


def test_a_name_is_found_in_prose_and_facts_and_words_in_prose_alone(folder: Path) -> None:
    before = files_of(folder / "books/b")
    name = somebody(folder)
    found = inkos(folder, "--json", "find", name)
    assert found.code == 0 and found.json["count"] > 0 and name in found.json["names"]
    assert {known["kind"] for known in found.json["known"]} >= {"entity", "fact"}
    for hit in found.json["hits"]:
        prose = (folder / f"books/b/chapters/{hit['position']:04d}.md").read_text().split("\n", 1)[1].strip("\n")
        assert prose[hit["start"] :].startswith(hit["words"])
    assert inkos(folder, "find", "no such words anywhere").code == 1
    assert files_of(folder / "books/b") == before, "looking writes nothing"


@pytest.mark.parametrize("by", ["chapter", "role", "task", "model", "day", "run"])
def test_every_way_of_adding_up_gives_what_status_shows(folder: Path, by: str) -> None:
    spend = inkos(folder, "--json", "status").json["spend"]
    stats = inkos(folder, "--json", "stats", "--by", by).json
    for key in ("calls", "input", "output", "cached", "unknown"):
        assert sum(row["spent"][key] for row in stats["rows"]) == stats["total"][key] == spend[key], key
    assert sum(row["spent"]["money"] for row in stats["rows"]) == pytest.approx(spend["money"]) and spend["money"] > 0
    table = list(csv.DictReader(io.StringIO(inkos(folder, "stats", "--by", by, "--csv").out)))
    assert sum(int(row["input"]) + int(row["output"]) for row in table) == spend["input"] + spend["output"]


def test_books_are_compared_with_what_founding_them_cost_and_a_thousand_words_have_a_price(folder: Path) -> None:
    one = inkos(folder, "--json", "stats").json
    assert one["founding"]["money"] is None and one["per_thousand"] is None, "founded before there was a price"
    ledger = folder / ".inkos/runs/ledger.jsonl"
    ledger.write_text(ledger.read_text().replace('"money": null', '"money": 0.5'))
    one = inkos(folder, "--json", "stats").json
    everything = one["total"]["money"] + one["founding"]["money"]
    assert one["founding"]["calls"] > 0 and one["words"] > 0
    assert one["per_thousand"] == pytest.approx(everything / one["words"] * 1000)
    assert one["hit_rate"] == pytest.approx(
        (one["total"]["cached"] + one["founding"]["cached"]) / (one["total"]["input"] + one["founding"]["input"])
    )
    books = inkos(folder, "--json", "stats", "--by", "book").json
    assert [(row["key"], row["words"]) for row in books["rows"]] == [("b", one["words"])]
    assert books["total"]["money"] == pytest.approx(everything)
    assert "per 1,000 accepted words" in inkos(folder, "stats").out


def sentence(folder: Path, chapter: int) -> str:
    """A sentence of a chapter that stands there once."""
    prose = (folder / f"books/b/chapters/{chapter:04d}.md").read_text()
    return next(line for line in prose.split("\n\n")[1:] if line and prose.count(line) == 1).split("\n")[0]


def complain(folder: Path) -> str:
    ran = inkos(folder, "--json", "review", "add", "2", "--quote", sentence(folder, 2), "--against", "1", "--quote",
                sentence(folder, 1), "--note", "both cannot be", "--by", "a reader")  # fmt: skip
    assert ran.code == 0, ran
    assert ran.json["ways"] == ["patch", "explain", "rule", "dismiss"]
    return str(ran.json["complaint"]["id"])


def test_a_complaint_needs_words_that_stand_there(folder: Path) -> None:
    ran = inkos(folder, "--json", "review", "add", "2", "--quote", "Nobody ever wrote this sentence.")
    assert ran.code == 2 and ran.json["error"]["code"] == "quote-absent"
    assert inkos(folder, "review", "add", "9", "--quote", "x").code == 2
    assert inkos(folder, "review", "add", "2", "--quote", sentence(folder, 2), "--against", "1").code == 2
    assert not (folder / "books/b/story/complaints.json").exists()


def test_a_complaint_is_counted_as_a_miss_whatever_comes_of_it(folder: Path) -> None:
    wanted = complain(folder)
    assert inkos(folder, "review", "answer", wanted, "dismiss").code == 0
    stats = inkos(folder, "--json", "stats").json
    assert stats["misses"] == 1 and [row["misses"] for row in stats["rows"]] == [0, 1]
    assert "dismissed" in inkos(folder, "review", "complaints").out


def test_a_patch_changes_the_quote_alone_and_the_chapter_is_settled_again(folder: Path) -> None:
    wanted = complain(folder)
    quote, path = sentence(folder, 2), folder / "books/b/chapters/0002.md"
    before = path.read_text()
    ran = inkos(folder, "--json", "review", "answer", wanted, "patch", "--text", "The rain had stopped by then.")
    assert ran.code == 0, ran
    assert path.read_text() == before.replace(quote, "The rain had stopped by then.")
    assert inkos(folder, "state", "check").code == 0
    assert inkos(folder, "review", "answer", wanted, "patch").code == 2, "a patch needs its words"


def test_what_is_to_be_explained_stands_in_the_plan_request_of_the_next_chapter_only(folder: Path) -> None:
    wanted = complain(folder)
    assert inkos(folder, "review", "answer", wanted, "explain", "--text", "Say why the lamp was lit twice.").code == 0
    steers = []
    for _ in range(2):
        run = inkos(folder, "--json", "write", "next").json["chapters"][0]["run"]
        steers.append(inkos(folder, "--json", "run", "show", run).json["run"]["machine"]["steer"])
    assert steers == ["Say why the lamp was lit twice.", ""]


def test_a_rule_is_a_line_in_the_bible_that_prompts_hold(folder: Path) -> None:
    wanted = complain(folder)
    assert inkos(folder, "review", "answer", wanted, "rule", "--text", "Only ravens carry letters.").code == 0
    assert "Only ravens carry letters." in (folder / "books/b/bible/rules.md").read_text()
    layers = inkos(folder, "--json", "compose").json["layers"]
    assert any("Only ravens carry letters." in layer["text"] for layer in layers)
    assert inkos(folder, "review", "answer", "r0099", "dismiss").code == 2
