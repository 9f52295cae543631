"""Writes docs/checks.md from the catalogue, the words and the measured figures: `make checks`."""

from __future__ import annotations

from inkos.adapters.package_data import gate_tables, messages
from inkos.gates.catalogue import describe
from inkos.gates.checks import CATALOGUE
from tests.data import ROOT

PATH = ROOT / "docs" / "checks.md"


def page() -> str:
    return describe(CATALOGUE, messages("en"), gate_tables()["figures"])


if __name__ == "__main__":
    PATH.write_text(page(), "utf-8")
