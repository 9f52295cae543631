"""One writer a folder: real processes compete, die, and are taken over; another host is never overruled by itself."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from inkos.adapters.file_set import PRIVATE
from inkos.adapters.lease import Lease
from inkos.errors import BookBusy, InkosError

HOLDER = """
import sys, time
from pathlib import Path
from inkos.adapters.lease import Lease
with Lease(Path(sys.argv[1])).hold(sys.argv[2]):
    print("held", flush=True)
    time.sleep(60)
"""


def a_holding_process(private: Path, doing: str = "write next") -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", HOLDER, str(private), doing], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_process_is_told_who_holds_the_book_since_when_and_what_for(tmp_path: Path) -> None:
    private = tmp_path / PRIVATE
    process = a_holding_process(private, "write next")
    try:
        with pytest.raises(BookBusy) as raised, Lease(private).hold("export"):
            pass
        assert raised.value.code == "book-busy"
        assert raised.value.values["pid"] == process.pid
        assert raised.value.values["doing"] == "write next"
        seen = Lease(private).holder()
        assert seen is not None and seen.pid == process.pid
    finally:
        process.kill()
        process.wait()
    assert Lease(private).holder() is None


def test_a_killed_holder_is_taken_over_with_a_note_and_a_higher_token(tmp_path: Path) -> None:
    private = tmp_path / PRIVATE
    process = a_holding_process(private)
    with_token = Lease(private).holder()
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    with Lease(private).hold("write next") as holder:
        assert holder.took_over is not None and holder.took_over.pid == process.pid
        assert with_token is not None and holder.token > with_token.token
    with Lease(private).hold("again") as holder:
        assert holder.took_over is None, "who left in order needs no note"


def test_a_holder_of_another_host_is_left_alone_until_a_person_says_so(tmp_path: Path) -> None:
    private = tmp_path / PRIVATE
    with pytest.raises(KeyboardInterrupt), Lease(private, host="elsewhere").hold("write next"):
        record = (private / "holder.json").read_bytes()
        raise KeyboardInterrupt
    (private / "holder.json").write_bytes(record)
    with pytest.raises(BookBusy) as raised, Lease(private, host="here").hold("write next"):
        pass
    assert raised.value.code == "book-held-elsewhere" and raised.value.values["host"] == "elsewhere"
    assert (private / "holder.json").read_bytes() == record
    with Lease(private, host="here").hold("write next", take_over=True) as holder:
        assert holder.took_over is not None and holder.took_over.host == "elsewhere"
    with Lease(private, host="here").hold("write next") as holder:
        assert holder.took_over is None


def test_tokens_rise_even_when_the_folder_was_copied_without_its_lock(tmp_path: Path) -> None:
    with Lease(tmp_path / PRIVATE).hold("write", least_token=41) as holder:
        assert holder.token == 42
    with Lease(tmp_path / PRIVATE).hold("write", least_token=3) as holder:
        assert holder.token == 43


def test_the_holder_may_hold_again_and_two_stores_of_one_process_may_not(tmp_path: Path) -> None:
    lease = Lease(tmp_path / PRIVATE)
    with lease.hold("outer") as outer:
        with lease.hold("inner") as inner:
            assert inner == outer
        lease.check()
        with pytest.raises(BookBusy), Lease(tmp_path / PRIVATE).hold("other"):
            pass
    with Lease(tmp_path / PRIVATE).hold("other"):
        pass


def test_a_lost_lease_is_noticed(tmp_path: Path) -> None:
    lease = Lease(tmp_path / PRIVATE)
    with lease.hold("write"):
        path = tmp_path / PRIVATE / "holder.json"
        record = json.loads(path.read_bytes())
        path.write_text(json.dumps({**record, "token": record["token"] + 1, "host": "elsewhere"}))
        with pytest.raises(InkosError) as raised:
            lease.check()
        assert raised.value.code == "lease-lost"
    assert json.loads(path.read_bytes())["host"] == "elsewhere", "leaving must not wipe out the other's record"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_read_only_folder_is_named_as_such(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    try:
        with pytest.raises(InkosError) as raised, Lease(tmp_path / PRIVATE).hold("write"):
            pass
        assert raised.value.code == "folder-read-only"
    finally:
        tmp_path.chmod(0o755)


def test_a_damaged_note_beside_the_lock_holds_nobody_up(tmp_path: Path) -> None:
    (tmp_path / PRIVATE).mkdir()
    for content in (b"", b"{", b'{"pid": 1}', b"\xff\xfe"):
        (tmp_path / PRIVATE / "holder.json").write_bytes(content)
        with Lease(tmp_path / PRIVATE).hold("write") as holder:
            assert holder.token >= 1
