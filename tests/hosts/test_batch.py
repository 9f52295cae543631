"""Batches from the command line, against a service on loopback that fails as it is told to."""

from __future__ import annotations

import csv
import hashlib
import hmac
import io
import json
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.adapters.model_server import Answer, Seen, refusal, serving, stream
from tests.hosts.cli import OFFLINE, Ran, inkos
from tests.journeys.faulty_server import Playing, playing
from tests.journeys.taped import taped

pytest.importorskip("dbos", reason="the extra `batch` is not installed")

CHAPTERS = 3
Tape = tuple[Path, Path, Path]


@pytest.fixture(scope="module")
def tape(tmp_path_factory: pytest.TempPathFactory) -> Tape:
    return taped(tmp_path_factory.mktemp("tape"), CHAPTERS)


def workspace(tape: Tape, folder: Path, url: str, books: int, more: str = "") -> Path:
    shutil.copytree(tape[0], folder)
    for number in range(1, books + 1):
        shutil.copytree(folder / "books/b", folder / f"books/b{number}")
    shutil.rmtree(folder / "books/b")
    (folder / "inkos.yaml").write_text(
        f'schema_version: 1\nlanguage: en\nproviders: {{tape: {{base_url: "{url}"}}}}\n'
        "routes: {tape: {provider: tape, model: m-1}}\nroles: {default: tape}\n"
        f"prices: {{m-1: {{input: 1, output: 2}}}}\n{more}",
        encoding="utf-8",
    )
    return folder


def plan(folder: Path, count: int, chapters: int, **more: Any) -> str:
    data = {"name": "night", "chapters": chapters, "concurrency": {"books": count},
            "books": [{"book": f"b{number}"} for number in range(1, count + 1)], **more}  # fmt: skip
    (folder / "plan.yaml").write_text(yaml.safe_dump(data, sort_keys=False, allow_unicode=True), encoding="utf-8")
    return "plan.yaml"


def rows(ran: Ran) -> dict[str, dict[str, Any]]:
    return {row["book"]: row for row in ran.json["rows"]}


def codes(folder: Path) -> list[str]:
    return [line["code"] for line in inkos(folder, "--json", "batch", "logs").json["lines"]]


@pytest.fixture
def service(tape: Tape) -> Iterator[tuple[Playing, Any]]:
    with playing(tape[2]) as (played, server):
        yield played, server


def test_two_books_from_plan_to_delivery(tape: Tape, service: tuple[Playing, Any], tmp_path: Path) -> None:
    with serving(Answer([b"{}"])) as hook:
        told = tmp_path / "told.jsonl"
        script = f"import sys; open({str(told)!r}, 'ab').write(sys.stdin.buffer.read() + b'\\n')"
        notify = {"webhook": hook.base_url, "secret_env": "HOOK_SECRET", "command": [sys.executable, "-c", script]}
        folder = workspace(tape, tmp_path / "ws", service[1].base_url, 2, yaml.safe_dump({"notify": notify}))
        file = plan(folder, 2, 2, deliver={"every": 1}, budget={"money": 5})
        secret = {"HOOK_SECRET": "s3cret"}
        dry = inkos(folder, "--json", "batch", "run", file, "--dry-run")
        assert dry.code == 0 and dry.json["chapters"] == 4 and dry.json["money"]["p50"] < dry.json["money"]["p90"]
        assert service[0].asked == []
        ran = inkos(folder, "--json", "batch", "run", file, env=secret)
        assert ran.code == 0, ran
        assert {(r["status"], r["done"], r["of"]) for r in ran.json["rows"]} == {("done", 2, 2)}
        assert ran.json["money"] > 0 and ran.json["tokens"] == sum(r["tokens"] for r in ran.json["rows"])
        asked = len(service[0].asked)
        again = inkos(folder, "--json", "batch", "run", file, env=secret)
        assert again.json["added"] == [] and len(service[0].asked) == asked
    assert sorted(p.name for p in (folder / "deliveries/night").iterdir()) == [
        "b1.epub", "b1.report.md", "b2.epub", "b2.report.md"]  # fmt: skip
    report = (folder / "deliveries/night/b1.report.md").read_text(encoding="utf-8")
    assert "| 2 |" in report and "Revision round" not in report
    known = {json.loads(line)["id"] for line in told.read_text(encoding="utf-8").splitlines()}
    assert {"night/b1/chapters/1", "night/b1/done/2", "night/b2/done/2"} <= known
    sent = [s for s in hook.seen if s.body["what"] == "done"]
    assert {s.body["book"] for s in sent} == {"b1", "b2"}
    content = json.dumps(sent[0].body, ensure_ascii=False, sort_keys=True).encode()
    signed = hmac.new(b"s3cret", f"{sent[0].headers['x-inkos-timestamp']}.".encode() + content, hashlib.sha256)
    assert sent[0].headers["x-inkos-signature"] == "sha256=" + signed.hexdigest()
    assert "s3cret" not in ran.out + ran.err + report
    # What the batch says it paid is what the books' own ledgers say.
    ledgers = [inkos(folder, "-b", book, "--json", "status").json["spend"] for book in ("b1", "b2")]
    assert ran.json["tokens"] == sum(s["input"] + s["output"] for s in ledgers)
    for verb in (("status",), ("status", "--line"), ("logs",), ("report",), ("status", "--watch")):
        shown = inkos(folder, "batch", *verb, env={"INKOS_LANG": "zh"})
        assert shown.code == 0 and (shown.out or verb[-1] == "--watch"), (verb, shown)


def test_an_empty_purse_pauses_the_route_and_nothing_storms(tape: Tape, tmp_path: Path) -> None:
    """B16: the money goes in the middle; what was accepted stays, the rest can be resumed."""
    with playing(tape[2]) as (played, server):
        folder = workspace(tape, tmp_path / "ws", server.base_url, 3)
        file = plan(folder, 3, 1)
        assert inkos(folder, "--json", "batch", "run", file).code == 0
        before = len(played.asked)
        empty = dict.fromkeys(("plan", "draft", "settle", "audit"), lambda text: refusal(402, {"error": "empty"}))
        played.always = empty
        file = plan(folder, 3, 3)
        stopped = inkos(folder, "--json", "batch", "run", file)
        assert stopped.code == 4, stopped
        assert stopped.json["paused_routes"]["tape"]["code"] == "model-balance"
        assert all((r["status"], r["done"]) == ("waiting", 1) for r in stopped.json["rows"])
        assert len(played.asked) - before <= 3  # one call of each book that was in work, none again
        said = inkos(folder, "batch", "status", env={"INKOS_LANG": "zh"}).out
        assert "tape 已暂停" in said and "inkos batch resume" in said
        inkos(folder, "batch", "run", file)
        assert len(played.asked) - before <= 3  # nothing restarts by itself
        played.always = {}
        assert inkos(folder, "batch", "resume").code == 0
        ended = inkos(folder, "--json", "batch", "worker")
        assert ended.code == 0 and all(r["done"] == 3 for r in ended.json["batches"][0]["rows"])


def test_a_service_that_asks_to_wait_is_not_asked_by_any_book_before(tape: Tape, tmp_path: Path) -> None:
    """B08, B09: four books at once; the first call is told to wait, and the one limiter tells all the others."""
    times: list[tuple[float, bool]] = []
    played = Playing(tape[2])

    def answer(seen: Seen) -> Answer:
        first = not times
        times.append((time.monotonic(), first))
        return refusal(429, {"error": "slow down"}, Retry_After="2") if first else played(seen)

    with serving(by=answer) as server:
        folder = workspace(tape, tmp_path / "ws", server.base_url, 4)
        file = plan(folder, 4, 1, concurrency={"books": 4, "providers": {"tape": {"concurrent": 1}}})
        ran = inkos(folder, "--json", "batch", "run", file)
        assert ran.code == 0 and ran.json["done"] == 4, ran
    begun = times[0][0]
    assert [round(at - begun, 1) for at, _ in times[1:] if at - begun < 1.9] == []
    assert len(times) == 1 + 4 * 4  # each call of each book once, and the one that was refused


def test_a_serial_gets_what_is_due_today_and_goes_home(
    tape: Tape, service: tuple[Playing, Any], tmp_path: Path
) -> None:
    folder = workspace(tape, tmp_path / "ws", service[1].base_url, 2)
    daily = ("batch", "run", plan(folder, 2, 3), "--every", "24h", "--chapters", "1", "--stock", "5")
    for _ in range(2):
        ran = inkos(folder, "--json", *daily)
        assert ran.code == 0 and [r["done"] for r in ran.json["rows"]] == [1, 1], ran


def test_a_storm_of_failures_ends_after_a_few(tape: Tape, tmp_path: Path) -> None:
    """F03: every call fails fast, unattended, a hundred chapters wanted."""
    with serving(refusal(500, {"error": "down"})) as server:
        folder = workspace(tape, tmp_path / "ws", server.base_url, 2, "limits: {attempts: 1}\n")
        file = plan(folder, 2, 100, stop={"failures": 2, "strikes": 3, "pause": 0})
        ran = inkos(folder, "--json", "batch", "run", file)
    assert ran.code in (1, 4) and len(server.seen) <= 4
    assert ran.json["done"] == 0
    assert ran.json["paused_routes"] or all(r["status"] == "failed" for r in ran.json["rows"])
    told = [line for line in inkos(folder, "--json", "batch", "logs").json["lines"] if line["code"] == "turn-fault"]
    assert len(told) == len(server.seen) and told[0]["values"]["why"] == "model-server"


def test_caps_hold_over_all_books_and_the_ladder_is_logged(tape: Tape, tmp_path: Path) -> None:
    with playing(tape[2]) as (_, server):
        folder = workspace(tape, tmp_path / "ws", server.base_url, 2)
        file = plan(folder, 2, 3, budget={"tokens": 20_000}, ladder=[{"at": 0.2, "rounds": 0}])
        ran = inkos(folder, "--json", "batch", "run", file)
        assert ran.code == 4 and 0 < ran.json["tokens"] <= 20_000
        ended = [r for r in ran.json["rows"] if r["status"] == "ended"]
        assert ended and all(r["why"]["code"] == "batch-cap-batch" for r in ended)
        assert "ladder-rounds" in codes(folder)
        done = ran.json["done"]
        inkos(folder, "batch", "run", file)
        assert inkos(folder, "--json", "batch", "status").json["done"] == done
        file = plan(folder, 2, 1, budget={"tokens": 10**7})
        inkos(folder, "batch", "run", file)
        assert inkos(folder, "batch", "retry").code == 0


def test_the_outline_ends_and_it_is_said_once(tape: Tape, tmp_path: Path) -> None:
    """D16: more chapters are asked for than the outline has."""
    folder = workspace(tape, tmp_path / "ws", "http://127.0.0.1:1/v1", 1)
    (folder / "inkos.yaml").write_text(OFFLINE, encoding="utf-8")
    outline = folder / "books/b1/outline.md"
    outline.write_text("\n### ".join(outline.read_text(encoding="utf-8").split("\n### ")[:2]), encoding="utf-8")
    ran = inkos(folder, "--json", "batch", "run", plan(folder, 1, 5))
    assert (rows(ran)["b1"]["status"], rows(ran)["b1"]["done"]) == ("ended", 1), ran
    assert rows(ran)["b1"]["why"]["code"] == "outline-ends" and ran.code == 4
    assert "inkos outline extend -b b1" in inkos(folder, "batch", "status").out
    inkos(folder, "batch", "run", "plan.yaml")
    assert codes(folder).count("turn-outline-ends") == 1


def test_what_waits_is_one_queue_and_decisions_come_back_in_it(tape: Tape, tmp_path: Path) -> None:
    garbled = {"audit": lambda text: stream("nothing that can be read")}
    with playing(tape[2], always=garbled) as (played, server):
        played.always["other"] = garbled["audit"]
        folder = workspace(tape, tmp_path / "ws", server.base_url, 3)
        for book in ("b1", "b2", "b3"):
            config = folder / f"books/{book}/book.yaml"
            config.write_text(config.read_text(encoding="utf-8") + "gate: {on_low_score: hold}\n", encoding="utf-8")
        ran = inkos(folder, "--json", "batch", "run", plan(folder, 3, 1, stop={"strikes": 9}))
        assert ran.code == 3 and all(r["status"] == "review" for r in ran.json["rows"]), ran
        listed = inkos(folder, "review", "list", "--all-books", "--csv", "queue.csv")
        assert listed.code == 0 and "queue.csv" in listed.out
        content = (folder / "queue.csv").read_bytes()
        assert content.startswith(b"\xef\xbb\xbf")
        table = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
        assert [row["book"] for row in table] == ["b1", "b2", "b3"]
        table[0]["way"], table[1]["way"], table[2]["way"] = "drop", "drop", "again"
        table[1]["mark"] = "0" * 16  # the text has changed since
        out = io.StringIO(newline="")
        writer = csv.DictWriter(out, table[0], delimiter=";")
        writer.writeheader()
        writer.writerows(table)
        (folder / "queue.csv").write_text(out.getvalue(), encoding="utf-8-sig")
        assert inkos(folder, "review", "decide", "queue.csv").code == 2  # nobody decides
        played.always = {}
        decided = inkos(folder, "--json", "review", "decide", "queue.csv", "--by", "Wei")
        assert decided.code == 1
        assert [(r["book"], r["result"], r["code"]) for r in decided.json["rows"]] == [
            ("b1", "decided", ""), ("b2", "refused", "review-stale"), ("b3", "decided", "")]  # fmt: skip
        kept = next((folder / "books/b1/runs").glob("*/decision-1.json"))
        said = json.loads(kept.read_bytes())
        assert said["by"] == "Wei" and said["way"] == "drop" and said["at"].endswith("Z")
        again = inkos(folder, "--json", "batch", "run", "plan.yaml")
        assert rows(again)["b2"]["status"] == "review" and rows(again)["b1"]["done"] == 1


def test_a_book_made_anew_under_an_old_name_begins_anew(tape: Tape, tmp_path: Path) -> None:
    """D11: nothing that is known of the old one holds for the new."""
    with playing(tape[2]) as (_, server):
        folder = workspace(tape, tmp_path / "ws", server.base_url, 1)
        file = plan(folder, 1, 1)
        inkos(folder, "batch", "run", file)
        shutil.rmtree(folder / "books/b1")
        shutil.copytree(tape[0] / "books/b", folder / "books/b1")
        delta = next((folder / "books/b1/story").rglob("genesis*.json"))
        assert delta.exists()
        ran = inkos(folder, "--json", "batch", "run", plan(folder, 1, 2))
        assert ran.code == 0 and rows(ran)["b1"]["done"] == 2, ran
        assert len(list((folder / "books/b1/chapters").iterdir())) == 2


def test_paused_it_stands_and_cancelled_it_is_over(tape: Tape, tmp_path: Path) -> None:
    with playing(tape[2]) as (played, server):
        folder = workspace(tape, tmp_path / "ws", server.base_url, 2)
        later = [f"{(time.localtime().tm_hour + hours) % 24:02d}:00" for hours in (6, 8)]
        night = inkos(folder, "--json", "batch", "run", plan(folder, 2, 1), "--between", "-".join(later))
        assert (night.code, night.json["done"], played.asked) == (0, 0, [])
        file = plan(folder, 2, 1)
        assert inkos(folder, "batch", "cancel", "--book", "b2").code == 0
        ran = inkos(folder, "--json", "batch", "run", file)
        assert (rows(ran)["b1"]["status"], rows(ran)["b2"]["status"]) == ("done", "cancelled")
        assert inkos(folder, "batch", "retry", "--book", "b2").code == 0
        assert inkos(folder, "batch", "pause").code == 0
        assert inkos(folder, "--json", "batch", "worker").json["batches"][0]["done"] == 1
        assert inkos(folder, "batch", "cancel").code == 0
        assert inkos(folder, "--json", "batch", "status").json["status"] == "cancelled"
        refused = inkos(folder, "batch", "run", file)
        assert refused.code == 1 and "cancelled" in refused.err


def test_the_lines_for_the_systems_own_clock(tape: Tape, tmp_path: Path) -> None:
    folder = workspace(tape, tmp_path / "w s%", "http://127.0.0.1:1/v1", 1)
    file = plan(folder, 1, 1)
    for words, cron, calendar in (
        (("--between", "22:30-07:00"), "30 22 * * * cd ", "*-*-* 22:30:00"),
        (("--every", "24h", "--chapters", "2"), "0 3 * * * cd ", "*-*-* 03:00:00"),
        (("--every", "6h"), "0 */6 * * * cd ", "*-*-* 00/6:00:00"),
        (("--every", "7d"), "0 3 */7 * * cd ", "*-*-01/7 03:00:00"),
        (("--every", "45m"), "*/30 * * * * cd ", "*-*-* *:00/30:00"),
    ):
        made = inkos(folder, "--json", "batch", "schedule", file, *words)
        assert made.json["cron"].startswith(cron) and f"OnCalendar={calendar}\n" in made.json["timer"], made
        assert "w s\\%" in made.json["cron"] and 'w s%%/plan.yaml"' in made.json["service"]
        assert all(word in made.json["cron"] for word in words)
    assert inkos(folder, "batch", "schedule", file, "--every", "often").code == 2


def test_a_plan_that_cannot_be_is_told_before_anything_is_entered(tape: Tape, tmp_path: Path) -> None:
    folder = workspace(tape, tmp_path / "ws", "http://127.0.0.1:1/v1", 1)
    for change, word in (
        ({"books": [{"book": "nobody"}]}, "nobody"),
        ({"routes": {"writer": "nowhere"}}, "nowhere"),
        ({"between": "late"}, "22:00-07:00"),
        ({"nmae": "x"}, "name"),
        ({"books": [{"book": "new", "brief": "absent.md"}]}, "absent.md"),
    ):
        ran = inkos(folder, "batch", "run", plan(folder, 1, 1, **change))
        assert ran.code == 2 and word in ran.err, (change, ran)
    assert inkos(folder, "batch", "status").code == 2
    assert inkos(folder, "batch", "run", "plan.yaml", "--database-url", "mysql://x").code == 2
