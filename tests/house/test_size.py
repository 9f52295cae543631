"""Modules and functions stay small, and every module says what it is for."""

from __future__ import annotations

import ast

import pytest

from tests.data import ROOT
from tests.house.tree import modules, tracked

MODULE_LINES = 400
FUNCTION_LINES = 50


@pytest.mark.parametrize("name", modules())
def test_a_module_is_small_and_opens_with_its_purpose(name: str) -> None:
    source = (ROOT / name).read_text()
    tree = ast.parse(source)
    assert len(source.splitlines()) <= MODULE_LINES
    if source.strip():
        opening = ast.get_docstring(tree) or ""
        assert opening.splitlines()[:1] != [] and source.startswith('"""'), "the first line is the module's docstring"
        assert opening.splitlines()[0].endswith((".", ":")), "the first line is a whole sentence"
    long = [
        f"{node.name}: {node.end_lineno - node.lineno + 1} lines"
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > FUNCTION_LINES
    ]
    assert not long


def test_no_module_is_named_after_nothing() -> None:
    nameless = {"utils", "util", "common", "helpers", "helper", "services", "managers", "misc"}
    found = [name for name in tracked("*.py") if nameless & set(name.removesuffix(".py").split("/"))]
    assert found == []
