"""The offline author: a model port that writes rehearsal prose from the papers of a request; knows no pipeline."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from inkos.adapters.models import estimate
from inkos.adapters.offline.auditing import Auditor
from inkos.adapters.offline.draft import compose
from inkos.adapters.offline.duel import duel
from inkos.adapters.offline.faults import PlannedFault
from inkos.adapters.offline.founding import Founder
from inkos.adapters.offline.mending import Mender
from inkos.adapters.offline.outlining import Outliner
from inkos.adapters.offline.planning import Planner
from inkos.adapters.offline.settling import Settler
from inkos.ports import OnText, Reply
from inkos.prompts.request import Papers, Request, Task

PIECE = 24  # characters that one event of its stream carries


class OfflineAuthor:
    """ModelPort without a model. It reads `request.papers` only; the same papers and seed give the same reply.

    `faults` are put into the first draft of their chapter (version 1); see faults.py.
    """

    def __init__(self, seed: int = 0, faults: tuple[PlannedFault, ...] = ()) -> None:
        self._seed, self._faults = seed, faults

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        text = self.reply(request.task, request.papers)
        if on_text is not None:
            for at in range(0, len(text), PIECE):
                on_text(text[at : at + PIECE])
        prompt = "\n".join(message.text for message in request.messages)
        return Reply(text=text, usage=estimate.usage(prompt, text), model="offline")

    def reply(self, task: Task, papers: Papers) -> str:
        """The reply to one task in the form its contract asks for."""
        seed, faults = self._seed, tuple(f for f in self._faults if f.position == papers.position)
        if task == "draft":
            return compose(papers, seed, faults if papers.version == 1 else ()).text
        answer: dict[Task, Callable[[], dict[str, Any]]] = {
            "found": lambda: Founder(papers, seed).found(),
            "outline": lambda: Founder(papers, seed).outline(),
            "plan": lambda: Planner(papers, seed).plan(),
            "settle": lambda: Settler(papers, seed, faults).settle(),
            "audit": lambda: Auditor(papers, seed, faults).audit(),
            "revise": lambda: Mender(papers, seed, faults).revise(),
            "length": lambda: Mender(papers, seed, faults).length(),
            "extend": lambda: Outliner(papers, seed).extend(),
            "duel": lambda: duel(papers.text, papers.brief),
            "again": lambda: Mender(papers, seed, faults).again(),
        }
        return json.dumps(answer[task](), ensure_ascii=False, indent=1)
