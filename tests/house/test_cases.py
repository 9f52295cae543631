"""Every test that docs/cases.md names exists, and no case stands there without one."""

from __future__ import annotations

import ast
import re
from functools import cache

from tests.data import ROOT

_ROW = re.compile(r"^\| ([A-Z]\d\d) \|", re.M)
_TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


@cache
def names_in(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def test_each_case_names_tests_that_are_there() -> None:
    rows = [line for line in (ROOT / "docs/cases.md").read_text(encoding="utf-8").splitlines() if _ROW.match(line)]
    assert len(rows) >= 29
    for row in rows:
        named = _TEST.findall(row)
        assert named, row
        for path, name in named:
            assert (ROOT / path).exists() and name in names_in(path), (path, name)
