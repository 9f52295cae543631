"""The data that comes with the program can be read, wherever it is installed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from inkos.adapters import package_data
from inkos.messages import Language

STORE_CODES = re.compile(r'(?:InkosError|UsageFault|BookBusy)\(\s*(?:"([a-z-]+)"|f?"book-)')


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_error_that_the_store_raises_has_its_three_texts(language: Language) -> None:
    known = package_data.messages(language)
    folder = Path(package_data.__file__).parent
    codes = {code for path in folder.glob("*.py") for code in STORE_CODES.findall(path.read_text()) if code}
    assert len(codes) > 20
    missing = [f"errors.{code}.{part}" for code in sorted(codes) for part in ("what", "kept", "next")
               if f"errors.{code}.{part}" not in known]  # fmt: skip
    assert missing == []


def test_templates_questions_rules_and_tables_are_there() -> None:
    templates = package_data.templates()
    assert {name.partition("/")[2] for name in templates if name.startswith("zh/")} == {
        name.partition("/")[2] for name in templates if name.startswith("en/")
    }
    assert set(package_data.questions()) >= {"en", "zh"}
    assert "general" in package_data.rule_packs()
    assert set(package_data.gate_tables()) >= {"en", "zh"}


def test_an_absent_folder_has_no_tables() -> None:
    assert package_data.tables("inkos.kernel", "nothing") == {}
