"""Every prompt of both fixture books as it is sent: a changed prompt shows as a changed file.

`python -m tests.prompts.test_render_golden` writes the files anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from inkos.messages import Language
from tests.prompts import fixture
from tests.prompts.test_render_laws import LANGUAGES, requests

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "prompts"
TASKS = ("found", "outline", "extend", "plan", "draft", "rewrite", "settle", "audit", "revise", "length", "again")
# Read when the module is imported: a pure test touches no disk.
KEPT = {path.relative_to(GOLDEN).as_posix(): path.read_text(encoding="utf-8") for path in GOLDEN.glob("*/*.txt")}


def shown(language: Language, task: str) -> str:
    """The messages of a request. What the calls of a chapter share stands in the plan's file (layers) and in the
    draft's (plan), and is named in the others."""
    made = requests(language)
    request = made[task]
    system, user = request.messages
    text, points = user.text, user.cache_points
    # The registry is the kernel's data and has tests of its own.
    registry = fixture.rules(language).registry_lines(language, None)
    if task not in ("found", "outline", "plan"):
        first, kept = (points[0], "plan.txt") if task in ("draft", "extend") else (points[1], "draft.txt")
        text = f"[{first} characters as in {kept}]\n\n" + text[first:]
    lines = ["[registry]" if line in registry else line for line in text.split("\n")]
    text = "\n".join(line for n, line in enumerate(lines) if line != "[registry]" or lines[n - 1] != line)
    head = f"[{request.task}, cap {request.cap}, reply {request.reply}, cache points {', '.join(map(str, points))}]"
    return f"{head}\n\n[system]\n{system.text}\n\n[user]\n{text}\n"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("task", TASKS)
def test_a_prompt_is_as_it_was_kept(language: Language, task: str) -> None:
    assert shown(language, task) == KEPT[f"{language}/{task}.txt"]


if __name__ == "__main__":
    for language in LANGUAGES:
        (GOLDEN / language).mkdir(parents=True, exist_ok=True)
        for task in TASKS:
            (GOLDEN / language / f"{task}.txt").write_text(shown(language, task), encoding="utf-8")
