"""What stands in schemas/ is what the records say."""

from __future__ import annotations

import json

import pytest

from inkos.actions.schemas import SCHEMAS
from tests.data import ROOT
from tests.house.schemas import FOLDER, path_of, text_of


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_a_schema_on_disk_is_the_one_of_its_record(name: str) -> None:
    assert path_of(name).read_text(encoding="utf-8") == text_of(name), "run: make schemas"


def test_there_are_no_other_schemas() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {path_of(name).name for name in SCHEMAS}


def test_schemas_refuse_unknown_keys() -> None:
    for name in SCHEMAS:
        assert json.loads(path_of(name).read_text())["additionalProperties"] is False


def test_example_books_carry_a_schema_line() -> None:
    for book in (ROOT / "books").glob("*/book.yaml"):
        assert book.read_text(encoding="utf-8").startswith("# yaml-language-server: $schema=")
