"""The guard of the pure tests really bites."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkos.records import digest
from tests.conftest import TouchedTheWorldError, guarded

HERE = Path(__file__)


def test_a_pure_test_may_not_read_a_file() -> None:
    with guarded(), pytest.raises(TouchedTheWorldError):
        HERE.read_text()


def test_a_pure_test_marked_as_reading_data_may_read_but_not_write(tmp_path: Path) -> None:
    with guarded(reading=True):
        assert HERE.read_text()
        with pytest.raises(TouchedTheWorldError):
            (tmp_path / "new").write_text("x")


def test_a_pure_test_may_not_list_a_folder() -> None:
    with guarded(), pytest.raises(TouchedTheWorldError):
        list(HERE.parent.iterdir())


def test_a_pure_test_may_not_use_the_network() -> None:
    with socket.socket() as plug, guarded(), pytest.raises(TouchedTheWorldError):
        plug.connect(("127.0.0.1", 9))


def test_a_pure_test_may_not_read_the_clock() -> None:
    with guarded(), pytest.raises(TouchedTheWorldError):
        time.time()
    assert time.time() > 0


def test_computing_and_lazy_imports_are_free() -> None:
    with guarded():
        import this  # noqa: F401  (a module that nothing else has loaded)

        assert digest("x")


@given(st.text())
def test_hypothesis_works_under_the_guard(text: str) -> None:
    with guarded():
        assert digest(text) == digest(text)
