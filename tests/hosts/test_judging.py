"""`inkos eval judge`: a judge of known noise behind a real service is measured, and the gate uses what was found."""

from __future__ import annotations

from pathlib import Path

from inkos.actions.chapter_run import Bench, open_bench
from inkos.actions.table import Door
from inkos.cycle.moves import gate_of
from inkos.hosts import wire
from tests.adapters.judge_model import NoisyJudge
from tests.adapters.model_server import serving
from tests.hosts.cli import inkos
from tests.hosts.conftest import Shelf
from tests.hosts.surveyed_texts import MODEL_EN, PLAIN_EN

NOISE = 2.0
TRUE_MARGIN = 1.96 * 2**0.5 * NOISE


def workspace_with_judge(shelf: Shelf, folder: Path, url: str, chapters: int = 3) -> Path:
    made = shelf.copy(chapters, folder)
    path = made / "inkos.yaml"
    text = path.read_text("utf-8")
    text = text.replace("providers: {", f"providers: {{judging: {{base_url: '{url}'}}, ")
    text = text.replace("routes: {", "routes: {strict: {provider: judging, model: strict-1}, ")
    path.write_text(text.replace("roles: {", "roles: {auditor: strict, "), "utf-8")
    return made


def opened_bench(folder: Path) -> Bench:
    workspace = wire.open_workspace(folder, {})
    return open_bench(Door(workspace, lambda event: None, lambda: False), "b", workspace.store("b"))


def test_the_margin_of_a_judge_is_measured_kept_and_used(shelf: Shelf, tmp_path: Path) -> None:
    with serving(by=NoisyJudge(NOISE, shift=1.0)) as server:
        folder = workspace_with_judge(shelf, tmp_path / "w", server.base_url)
        ran = inkos(folder, "--json", "eval", "judge", "--texts", "3", "--repeats", "8")
        assert ran.code == 0, ran
        found = ran.json["found"]
        assert (found["texts"], found["repeats"], found["unread"]) == (3, 8, 0)
        assert 0.6 * TRUE_MARGIN < found["margin"] < 1.7 * TRUE_MARGIN
        assert (found["told"], found["twins"]) == (3, 3)
        assert ran.json["calls"] == len(server.seen) == 3 * 8 + 3
        assert [row["task"] for row in wire.open_workspace(folder, {}).runs("b").ledger()][-1] == "audit"
        shown = inkos(folder, "eval", "judge", "--texts", "3", "--repeats", "3")
        assert f"{found['margin']:.1f}" in shown.out  # what held before is told beside
    workspace = wire.open_workspace(folder, {})
    kept = workspace.calibration(workspace.store("b").config().roles)
    assert kept is not None and kept.model == "strict-1"


def test_the_gate_takes_the_margin_of_its_judge_unless_the_author_set_one(shelf: Shelf, tmp_path: Path) -> None:
    with serving(by=NoisyJudge(NOISE)) as server:
        folder = workspace_with_judge(shelf, tmp_path / "w", server.base_url)
        assert inkos(folder, "eval", "judge", "--texts", "3", "--repeats", "3").code == 0
        measured = inkos(folder, "--json", "audit", "3").json["percentile"]
        inkos(folder, "write", "next")
        rows = inkos(folder, "--json", "audit", "--all").json["survey"]["chapters"]
    assert 0 <= measured <= 100
    assert [row["percentile"] is None for row in rows[:3]] == [True] * 3, "another judge scored them"
    assert rows[3]["score"] is not None and rows[3]["percentile"] is not None
    bench = opened_bench(folder)
    assert bench.desk.judge is not None and gate_of(bench.desk).margin == bench.desk.judge.margin
    with (folder / "books" / "b" / "book.yaml").open("a", encoding="utf-8") as file:
        file.write("gate: {margin: 9}\n")
    bench = opened_bench(folder)
    assert gate_of(bench.desk).margin == 9


def test_two_texts_measure_no_judge_and_nothing_is_asked(shelf: Shelf) -> None:
    ran = inkos(shelf.at(2), "eval", "judge")
    assert ran.code == 2 and "3" in ran.err


def test_texts_of_elsewhere_measure_a_judge_of_a_book_without_chapters(shelf: Shelf, tmp_path: Path) -> None:
    with serving(by=NoisyJudge(NOISE)) as server:
        folder = workspace_with_judge(shelf, tmp_path / "w", server.base_url, chapters=0)
        for name, text in (("a", PLAIN_EN), ("b", MODEL_EN), ("c", PLAIN_EN + MODEL_EN)):
            (folder / f"{name}.md").write_text(f"# {name}\n\n{text}\n", "utf-8")
        ran = inkos(folder, "--json", "eval", "judge", "a.md", "b.md", "c.md", "--repeats", "3")
    assert ran.code == 0, ran
    assert (ran.json["found"]["texts"], ran.json["calls"]) == (3, 12)
    assert inkos(folder, "--json", "run", "list").json["runs"][-1]["kind"] == "judging"
