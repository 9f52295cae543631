"""What holds for all tests: how hypothesis runs, and the guard that keeps pure tests off disk, network and clock."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import settings

# No database: a test run leaves nothing behind. No deadline: no test judges by the clock. The same examples in CI.
# Few examples each time, so that the suite is run often; `make soak` looks longer.
settings.register_profile(
    "house", database=None, deadline=None, derandomize="CI" in os.environ,
    max_examples=int(os.environ.get("EXAMPLES", "30")),
)  # fmt: skip
settings.load_profile("house")

MOST_MEMORY = 6 << 30  # bytes of address space; a whole run takes less than a tenth

# Nothing of whoever runs the tests leaks in: no setting, no language, no keyring. Java starts faster without its second
# compiler, which pays off only in long runs.
for name in [name for name in os.environ if name.startswith("INKOS_") or name in ("LANG", "LC_ALL")]:
    del os.environ[name]
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
os.environ["JDK_JAVA_OPTIONS"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

# A test that eats memory without end fails by its name, before the machine is in trouble.
with contextlib.suppress(ImportError, ValueError, OSError):
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY if hard < 0 else min(MOST_MEMORY, hard), hard))

# Nobody waits for a disk: only a failure of power could show whether it had been waited for.
os.fsync = lambda handle: None

PURE = frozenset({"text", "kernel", "gates", "prompts", "export", "cycle", "laws"})
CLOCKS = ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "sleep")
DISK_OR_NETWORK = ("open", "os.", "shutil.", "tempfile.", "glob.", "sqlite3.", "socket.", "subprocess.", "urllib.")
TESTS = Path(__file__).parent
LIBRARY = os.path.dirname(os.__file__)


class TouchedTheWorldError(AssertionError):
    """A test of a pure room reached for disk, network or clock."""


class Guard:
    """Off by default; on while a pure test runs, for its own thread: a server of an earlier test may still be closing,
    and pure rooms import no threads. `reading` allows opening files, for tests that measure on texts."""

    def __init__(self) -> None:
        self.thread = 0
        self.reading = False

    @property
    def on(self) -> bool:
        return self.thread == threading.get_ident()

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.on or not event.startswith(DISK_OR_NETWORK):
            return
        if self.reading and (event in {"os.listdir", "os.scandir"} or (event == "open" and not _writes(arguments))):
            return
        if _blame(sys._getframe(1), through_libraries=True):
            raise TouchedTheWorldError(f"a pure test must not touch the world: {event} {arguments[:1]}")

    def clock(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def guarded(*arguments: Any) -> Any:
            # A library that reads the clock for its own ends (zip, hypothesis) is not the room's doing.
            if self.on and _blame(sys._getframe(1), through_libraries=False):
                raise TouchedTheWorldError(f"a pure test must not read the clock: time.{name}")
            return real(*arguments)

        return guarded


def _writes(arguments: tuple[Any, ...]) -> bool:
    """From the arguments of an `open` event: path, mode, flags."""
    mode, flags = (*arguments, None, None)[1:3]
    if isinstance(mode, str):
        return any(letter in mode for letter in "wax+")
    return bool((flags or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))


def _blame(frame: FrameType | None, *, through_libraries: bool) -> bool:
    """Is the room or its test the cause? Not when an import, hypothesis or pytest stands between."""
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        if name.startswith(("importlib.", "_frozen_importlib", "hypothesis", "_pytest", "pluggy", "linecache")):
            return False
        if name.startswith(("inkos.", "tests.")) and name != __name__:
            return True
        if not through_libraries and not frame.f_code.co_filename.startswith((LIBRARY, "<")):
            return False
        if not through_libraries and "site-packages" in frame.f_code.co_filename:
            return False
        frame = frame.f_back
    return False


GUARD = Guard()
sys.addaudithook(GUARD.audit)  # can never be removed; it does nothing while the guard is off


@contextmanager
def guarded(*, reading: bool = False) -> Iterator[None]:
    real = {name: getattr(time, name) for name in CLOCKS}
    for name in CLOCKS:
        setattr(time, name, GUARD.clock(name, real[name]))
    GUARD.thread, GUARD.reading = threading.get_ident(), reading
    try:
        yield
    finally:
        GUARD.thread = 0
        for name in CLOCKS:
            setattr(time, name, real[name])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    room = item.path.relative_to(TESTS).parts[0] if item.path.is_relative_to(TESTS) else ""
    if room not in PURE:
        return (yield)
    with guarded(reading=item.get_closest_marker("reads_data") is not None):
        return (yield)
