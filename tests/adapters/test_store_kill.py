"""Real processes: killed with SIGKILL at random moments, two at once, out of room, without permission.

`KILLS=200` makes the first test long; the default is short.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from inkos.adapters.disk import Files
from inkos.adapters.folder_store import FolderStore
from inkos.errors import BookBusy, InkosError
from tests.adapters import stories
from tests.adapters.test_store import a_book, contents, without_token, write

resource = pytest.importorskip("resource", reason="needs limits of a POSIX system")
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and signals")

KILLS = int(os.environ.get("KILLS", "10"))


def in_a_process(work: Callable[[], None]) -> int:
    """Runs `work` in a process of its own; its pid. It ends with 0, or 1 and a trace when `work` raised."""
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    try:
        work()
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        os._exit(1)


def ended(pid: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def write_for_ever(root: Path, ready: int) -> None:
    store = FolderStore(root)
    with store.hold("write next"):
        while True:
            book = store.read()
            store.accept(stories.accepted(book.index, book.state))
            os.write(ready, b".")


def test_a_writer_killed_at_any_moment_loses_nothing_that_it_reported(tmp_path: Path) -> None:
    root = a_book(tmp_path).root
    chance = random.Random(20261130)
    reported = 0
    for _ in range(KILLS):
        reading, writing = os.pipe()
        pid = in_a_process(lambda ready=writing: write_for_ever(root, ready))  # type: ignore[misc]
        os.close(writing)
        os.read(reading, 1)
        reported += 1
        time.sleep(chance.uniform(0, 0.03))
        os.kill(pid, signal.SIGKILL)
        assert ended(pid) == -signal.SIGKILL
        while more := os.read(reading, 4096):
            reported += len(more)
        os.close(reading)
        store = FolderStore(root)
        book = store.read()
        assert store.problems() == [], "a reader meets a whole book even before anybody recovers it"
        assert len(book.index.chapters) - reported in (0, 1), "what was reported stands; one more may be unreported"
        reported = len(book.index.chapters)
    with FolderStore(root).hold("look"):
        pass
    store = FolderStore(root)
    assert store.problems(deep=True) == []
    files = [path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()]
    assert not [path for path in files if path.startswith(".inkos/stage") or path.endswith((".new", "pending.json"))]
    expected = stories.genesis()[0]
    for position in range(1, reported + 1):
        expected = stories.following(expected)[0]
        if position % 7 == 0 or position == reported:
            assert store.snapshot(stories.chapter_id(position)) == expected
    assert store.read().state == expected


def test_of_two_writers_at_once_one_works_and_the_other_is_told(tmp_path: Path) -> None:
    root = a_book(tmp_path).root
    reading, writing = os.pipe()

    def slow() -> None:
        store = FolderStore(root)
        with store.hold("write next"):
            os.write(writing, b".")
            time.sleep(1.0)
            book = store.read()
            store.accept(stories.accepted(book.index, book.state))

    pid = in_a_process(slow)
    os.read(reading, 1)
    with pytest.raises(BookBusy) as raised:
        write(FolderStore(root), 1)
    assert raised.value.values["pid"] == pid
    assert FolderStore(root).read().next_position == 1, "reading goes on meanwhile"
    assert ended(pid) == 0
    assert len(FolderStore(root).index().chapters) == 1


def test_many_writers_one_after_the_other_make_one_chapter_each(tmp_path: Path) -> None:
    root = a_book(tmp_path).root

    def patient() -> None:
        for _ in range(200):
            try:
                return write(FolderStore(root), 1)
            except BookBusy:
                time.sleep(0.01)
        raise AssertionError("never had its turn")

    assert [ended(pid) for pid in [in_a_process(patient) for _ in range(4)]] == [0, 0, 0, 0]
    assert [entry.id for entry in FolderStore(root).index().chapters] == ["c0001", "c0002", "c0003", "c0004"]
    assert FolderStore(root).problems() == []


def test_readers_beside_a_writer_see_whole_chapters_only(tmp_path: Path) -> None:
    root = a_book(tmp_path).root
    pid = in_a_process(lambda: write(FolderStore(root, files=Files(durable=False)), 25))
    looks = set()
    while os.waitpid(pid, os.WNOHANG) == (0, 0):
        book = FolderStore(root).read(recent=3)
        count = len(book.index.chapters)
        assert book.state.last_applied_chapter == count == len(book.state.summaries)
        assert book.recent == tuple(stories.prose(position) for position in range(max(1, count - 2), count + 1))
        looks.add(count)
    assert len(looks) > 1
    assert len(FolderStore(root).index().chapters) == 25


def test_a_file_size_limit_is_named_as_a_full_disk_and_leaves_the_book_whole(tmp_path: Path) -> None:
    root = a_book(tmp_path, 3).root
    before = contents(root)

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
        try:
            write(FolderStore(root), 1)
        except InkosError as error:
            os._exit(7 if error.code == "disk-full" else 1)

    assert ended(in_a_process(limited)) == 7
    assert contents(root) == before
    write(FolderStore(root), 1)


def test_a_folder_without_permission_is_named_and_stays_readable(tmp_path: Path) -> None:
    root = a_book(tmp_path, 1).root
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.getuid() and folder.name.startswith(("pytest-", "test_", "popen-")):
            folder.chmod(0o755)
    before = contents(root)

    def stranger() -> None:
        if os.getuid() == 0:
            os.setgid(65534)
            os.setuid(65534)
        else:
            for folder in [root, *(path for path in root.rglob("*") if path.is_dir())]:
                folder.chmod(0o555)
        if FolderStore(root).read().next_position != 2:
            os._exit(1)
        try:
            write(FolderStore(root), 1)
        except InkosError as error:
            os._exit(7 if error.code == "folder-read-only" else 1)

    status = ended(in_a_process(stranger))
    for folder in [root, *(path for path in root.rglob("*") if path.is_dir())]:
        folder.chmod(0o755)
    assert status == 7
    assert without_token(contents(root)) == without_token(before)
