"""What must not stand in tracked files: addresses of registries, paths of one machine, secrets of nobody."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from tests.data import ROOT
from tests.house.tree import tracked

# Written in halves, so that this file does not find itself.
REGISTRIES = re.compile("|".join(["py" r"pi\.org", "python" r"hosted\.", r"registry\.npm" "js", r"deb\.deb" r"ian\."]))
MACHINE = re.compile(r"(?<![\w.])(?:/" r"work/|/" r"root/|/" r"home/(?!user\b|me\b)\w+/|/" r"Users/\w+/)")


def texts() -> list[tuple[str, str]]:
    found = []
    for name in tracked():
        try:
            found.append((name, (ROOT / name).read_text()))
        except UnicodeDecodeError:
            continue
    return found


def test_no_file_names_a_registry_or_a_path_of_one_machine() -> None:
    wrong = [
        f"{name}: {match.group()}"
        for name, text in texts()
        for pattern in (REGISTRIES, MACHINE)
        for match in pattern.finditer(text)
        if name != "tests/house/test_files.py"
    ]
    assert wrong == []


def test_the_locks_hold_hashes_and_no_address() -> None:
    for name, least in (("requirements.txt", 31), ("requirements-dev.txt", 31), ("requirements-local.txt", 2)):
        lock = (ROOT / name).read_text()
        assert "://" not in lock and "--index" not in lock and "--find-links" not in lock
        pins = [line for line in lock.splitlines() if re.match(r"[\w.-]+==", line)]
        assert len(pins) >= least and all(line.endswith("\\") for line in pins), "every pin is followed by its hashes"


def test_the_lock_for_running_holds_every_dependency_and_no_tool() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    pinned = {re.split("==", line)[0] for line in (ROOT / "requirements.txt").read_text().splitlines() if "==" in line}
    wanted = {re.split(r"[\[<>=~ ]", line)[0] for line in project["project"]["dependencies"]}
    tools = {re.split(r"[\[<>=~ ]", line)[0] for line in project["dependency-groups"]["dev"]}
    assert wanted <= pinned
    assert not (tools - wanted) & pinned


def test_both_locks_agree_on_what_they_share() -> None:
    def pins(path: Path) -> dict[str, str]:
        rows = re.findall(r"^([\w.-]+)==(\S+)", path.read_text(), re.MULTILINE)
        return dict(rows)

    running, developing = pins(ROOT / "requirements.txt"), pins(ROOT / "requirements-dev.txt")
    assert {name: developing.get(name) for name in running} == running
