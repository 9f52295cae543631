"""The picture, the folders and the contracts are the same thing."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib

import pytest

from tests.data import ROOT
from tests.house.tree import PURE_ROOMS, ROOMS, modules


def rooms_in_the_picture() -> set[str]:
    """The `inkos/<room>/` lines of the first fenced tree in ARCHITECTURE.md; shelves end in `.py` and are no rooms."""
    page = (ROOT / "ARCHITECTURE.md").read_text()
    fences = re.findall(r"^```[^\n]*\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    tree = next(fence for fence in fences if re.search(r"^\s*[│├└─ ]*inkos/", fence, re.MULTILINE))
    return set(re.findall(r"^\s*[│├└─ ]*inkos/(\w+)(?![\w.])", tree, re.MULTILINE))


def test_the_picture_names_exactly_the_rooms_that_exist() -> None:
    folders = {
        path.name for path in (ROOT / "inkos").iterdir() if path.is_dir() and not path.name.startswith(("_", "."))
    }
    assert rooms_in_the_picture() == folders


def test_the_import_contract_names_exactly_the_rooms_and_shelves_that_exist() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(contract for contract in contracts if contract["type"] == "layers")["layers"]
    named = {name.strip(" ()") for layer in layers for name in layer.split("|")} - {"__main__"}
    rooms = {path.parent.name for path in (ROOT / "inkos").glob("*/__init__.py")}
    shelves = {path.stem for path in (ROOT / "inkos").glob("*.py")} - {"__init__", "__main__"}
    assert named == rooms | shelves
    assert rooms == set(ROOMS)


@pytest.mark.parametrize("name", [name for name in modules() if name.split("/")[1] in PURE_ROOMS])
def test_a_pure_room_asks_no_clock_and_no_environment(name: str) -> None:
    """What import-linter cannot see: builtins and methods of harmless modules."""
    tree = ast.parse((ROOT / name).read_text())
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    methods = {call.attr for call in calls if isinstance(call, ast.Attribute)}
    names = {call.id for call in calls if isinstance(call, ast.Name)}
    assert not methods & {"now", "utcnow", "today", "read_text", "write_text", "read_bytes", "write_bytes"}
    assert not names & {"open", "print", "input", "eval", "exec", "hash"}


def test_the_command_line_starts_without_what_is_heavy() -> None:
    if not (ROOT / "inkos/hosts/cli/main.py").exists():
        pytest.skip("the command line is not written yet")
    heavy = ["pydantic_ai", "openai", "ebooklib", "lxml", "textual", "starlette", "rich", "jinja2"]
    script = f"import sys, inkos.hosts.cli.main; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
