"""A small call that shows whether a route works; knows no book."""

from __future__ import annotations

from inkos.ports import ModelPort, Usage
from inkos.prompts.request import Message, Papers, Request
from inkos.records import Record

# Long enough that a service which answers only very short prompts is found out (a real prompt has 8,000 to 40,000
# characters), short enough to cost next to nothing.
FILLER_LINES = 150


class Reached(Record):
    """A route that answered: model as the service names itself, seconds, and the first words that came."""

    model: str
    seconds: float
    words: str
    usage: Usage


async def reach(model: ModelPort) -> Reached:
    """Ask for one word after some pages of material. Raises the ModelFault of the call."""
    lines = "\n".join(f"{number}. The ferry left at {number % 12 + 1} and came back by night." for number in
                      range(1, FILLER_LINES + 1))  # fmt: skip
    request = Request(
        task="plan",
        messages=(
            Message(role="system", text="Do only what the last line asks."),
            Message(role="user", text=f"{lines}\n\nReply with the single word: ready"),
        ),
        papers=Papers(language="en"),
        reply="prose",
        cap=512,  # models that reason first need room before the word
        hard_characters=4000,
    )
    reply = await model.complete(request)
    return Reached(model=reply.model, seconds=reply.seconds, words=reply.text.strip()[:80], usage=reply.usage)
