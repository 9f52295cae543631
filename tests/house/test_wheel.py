"""The built wheel carries everything that the program reads at run time."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from flit_core import buildapi

from tests.data import ROOT
from tests.house.tree import tracked


def test_the_wheel_holds_every_tracked_file_of_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    wheel = tmp_path / buildapi.build_wheel(str(tmp_path))
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    assert set(tracked("inkos")) - held == set()
    assert "inkos/py.typed" in held
    assert any(name.endswith(".yaml") for name in held) and any(name.endswith("LICENSE") for name in held)
