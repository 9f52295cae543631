"""Run folders and the ledger: written whole, read back, torn lines survived."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from inkos.adapters.disk import Files
from inkos.adapters.run_folder import RunFolder
from inkos.errors import InkosError, UsageFault
from tests.adapters.stopping import StoppedError, StoppingFiles


def test_a_run_and_its_artefacts_are_read_back(tmp_path: Path) -> None:
    runs = RunFolder(tmp_path / "runs")
    assert list(runs.list()) == [] and list(runs.ledger()) == []
    runs.put("r2", "draft.1.reply", b"text")
    assert list(runs.list()) == [], "a run exists from its run.json on"
    runs.save("r2", b'{"revision": 1}')
    runs.save("r1", b"{}")
    runs.save("r2", b'{"revision": 2}')
    assert list(runs.list()) == ["r1", "r2"]
    assert runs.load("r2") == b'{"revision": 2}'
    assert runs.get("r2", "draft.1.reply") == b"text"
    assert runs.get("r2", "nothing") is None


def test_a_stop_while_saving_leaves_the_old_record_or_the_new_one(tmp_path: Path) -> None:
    old, new = b'{"revision": 1}', b'{"revision": 2, "more": true}'
    found = set()
    for torn in (False, True):
        for stop in range(1, 4):
            root = tmp_path / f"{torn}{stop}"
            RunFolder(root).save("r", old)
            with pytest.raises(StoppedError):
                RunFolder(root, StoppingFiles(stop, torn=torn)).save("r", new)
            found.add(RunFolder(root).load("r"))
    assert found == {old, new}


def test_missing_empty_and_damaged_records_are_told_apart(tmp_path: Path) -> None:
    runs = RunFolder(tmp_path)
    for content, code in ((None, "run-missing"), (b"", "file-empty"), (b'{"status":', "file-damaged")):
        if content is not None:
            runs.save("r", content)
        with pytest.raises(InkosError) as raised:
            runs.load("r")
        assert raised.value.code == code


def test_ids_and_names_are_no_paths(tmp_path: Path) -> None:
    runs = RunFolder(tmp_path / "runs")
    for bad in ("../x", "a/b", "a\\b", "", ".", "..", "x" * 130, "con", "C:", "a\0", "é", "a."):
        with pytest.raises(UsageFault):
            runs.save(bad, b"{}")
        with pytest.raises(UsageFault):
            runs.put("r", bad, b"")
        with pytest.raises(UsageFault):
            runs.get("r", bad)
    assert list(tmp_path.rglob("*")) == []


def test_the_ledger_keeps_every_whole_record_around_torn_ones(tmp_path: Path) -> None:
    runs = RunFolder(tmp_path)
    runs.append_ledger({"call": 1, "nested": {"deep": {"tokens": 5}}})
    ledger = tmp_path / "ledger.jsonl"
    whole = ledger.read_bytes()
    runs.append_ledger({"call": 2, "说": "话"})
    runs.append_ledger({"call": 3})
    assert [line["call"] for line in runs.ledger()] == [1, 2, 3]
    assert runs.ledger_problems() == []
    # Every place at which the last line may have been cut, and what is appended behind it by us, or glued to it.
    for cut in range(1, len(whole) - 1):
        ledger.write_bytes(whole + whole[:cut])
        assert [line["call"] for line in runs.ledger()] == ([1, 1] if cut == len(whole) - 1 else [1])
        runs.append_ledger({"call": 4})
        assert [line["call"] for line in runs.ledger()] == [1, 4]
        ledger.write_bytes(whole + whole[:cut] + whole + whole)
        assert [line["call"] for line in runs.ledger()] == [1, 1, 1]
        assert len(runs.ledger_problems()) == 1


def test_half_a_character_at_the_end_of_the_ledger_is_survived(tmp_path: Path) -> None:
    runs = RunFolder(tmp_path)
    runs.append_ledger({"call": "一"})
    ledger = tmp_path / "ledger.jsonl"
    ledger.write_bytes(ledger.read_bytes() + '{"schema_version":1,"call": "二'.encode()[:-1])
    runs.append_ledger({"call": "三"})
    assert [line["call"] for line in runs.ledger()] == ["一", "三"]


def test_a_full_disk_is_named_and_the_old_record_stays(tmp_path: Path) -> None:
    class Full(Files):
        def write(self, path: Path, content: bytes) -> None:
            path.write_bytes(content[:1])
            raise OSError(errno.ENOSPC, "No space left on device", str(path))

        def append(self, path: Path, content: bytes) -> None:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))

    RunFolder(tmp_path).save("r", b"{}")
    full = RunFolder(tmp_path, Full())
    with pytest.raises(InkosError) as saving:
        full.save("r", b'{"a": 1}')
    with pytest.raises(InkosError) as booking:
        full.append_ledger({"call": 1})
    assert saving.value.code == booking.value.code == "disk-full"
    assert RunFolder(tmp_path).load("r") == b"{}"
    assert sorted(path.name for path in (tmp_path / "r").iterdir()) == ["run.json"]
