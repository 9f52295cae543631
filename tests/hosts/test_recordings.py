"""A run handed out: it plays again where its words are in it, and tells nobody the book where they are not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from inkos.runs.tape import masked
from tests.adapters.model_server import refusal, serving
from tests.hosts.cli import files_of, inkos
from tests.hosts.conftest import Shelf

KEY = "sk-test-0000-secret-key"
TAPE = """schema_version: 1
language: en
providers: {tape: {protocol: cassette, base_url: run.jsonl}}
routes: {tape: {provider: tape, model: offline-author}}
roles: {default: tape}
"""


def test_any_run_is_recorded_and_played_again_to_the_same_files(shelf: Shelf, tmp_path: Path) -> None:
    folder = shelf.copy(0, tmp_path / "ws", "zh")
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    assert inkos(folder, "write", "next").code == 0
    run = inkos(folder, "--json", "run", "list").json["runs"][0]["id"]
    exported = inkos(folder, "run", "export", run, "--with-prose", "-o", str(copy / "run.jsonl"))
    assert exported.code == 0, exported.err
    (copy / "inkos.yaml").write_text(TAPE, encoding="utf-8")
    again = inkos(copy, "write", "next")
    assert again.code == 0, again.err
    for path in ("books/b/chapters/0001.md", "books/b/story/state/current_state.json"):
        assert (copy / path).read_bytes() == (folder / path).read_bytes(), path


def test_j06_a_report_holds_neither_key_nor_prose_unless_asked(shelf: Shelf, tmp_path: Path) -> None:
    folder = shelf.copy(1, tmp_path / "ws", "zh")
    echo = {"error": {"message": f"bad header: Authorization: Bearer {KEY}"}}
    with serving(refusal(400, echo)) as server:
        config = (
            f"providers: {{far: {{base_url: '{server.base_url}', api_key_env: FAR_KEY}}}}\n"
            "routes: {far: {provider: far, model: m}}\nroles: {default: far}\n"
        )
        (folder / "inkos.yaml").write_text(config, encoding="utf-8")
        failed = inkos(folder, "write", "next", env={"FAR_KEY": KEY})
        as_json = inkos(folder, "--json", "doctor", env={"FAR_KEY": KEY})
    assert failed.code == 1 and "bad header" in failed.err
    runs = [row["id"] for row in inkos(folder, "--json", "run", "list").json["runs"]]
    bundle = ""
    for run in runs:
        assert inkos(folder, "run", "export", run, "-o", f"{run}.jsonl").code == 0
        bundle += (folder / f"{run}.jsonl").read_text(encoding="utf-8")
    everything = [failed.out, failed.err, as_json.out, as_json.err, bundle]
    assert all(KEY not in text for text in everything)
    assert all(KEY.encode() not in content for content in files_of(folder).values())
    prose = (folder / "books/b/chapters/0001.md").read_text(encoding="utf-8").splitlines()[2:]
    assert all(line[:8] not in bundle for line in prose if len(line) > 8)
    assert any(json.loads(line).get("fault") == "request" for line in bundle.splitlines())


@given(st.text(max_size=80))
def test_masking_keeps_the_shape_and_no_letter(text: str) -> None:
    hidden = masked(text)
    assert len(hidden) == len(text)
    assert [c for c in hidden if c.isspace()] == [c for c in text if c.isspace()]


def test_masking_keeps_the_keys_of_json_and_nothing_of_its_values() -> None:
    assert masked('{"title": "雨夜", "words": 12}') == '{"title": "字字", "words": 00}'
