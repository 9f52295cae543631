"""Writes schemas/*.json from the records: `make schemas`; knows no test."""

from __future__ import annotations

import json
from pathlib import Path

from inkos.actions.schemas import SCHEMAS, document
from tests.data import ROOT

FOLDER = ROOT / "schemas"


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.schema.json"


def text_of(name: str) -> str:
    return json.dumps(document(name), ensure_ascii=False, indent=2, sort_keys=True) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in SCHEMAS:
        path_of(name).write_text(text_of(name), encoding="utf-8")
