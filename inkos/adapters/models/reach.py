"""Prompts that show whether a route works, with a mark at their beginning; knows no book."""

from __future__ import annotations

from inkos.adapters.models import estimate
from inkos.errors import ModelFault
from inkos.ports import ModelPort, Usage
from inkos.prompts.request import Message, Papers, Request
from inkos.records import Record

# Tokens. A real prompt has 8,000 to 40,000 characters: a service that answers only short ones is found out at this
# size (some refuse above 6,000 tokens), and it costs next to nothing.
REALISTIC = 8_000
MARK = "heron-4721"  # stands at the very beginning: a window that is too small loses it first, and says nothing


class Reached(Record):
    """A route that answered: model as the service names itself, seconds, and the first words that came."""

    model: str
    seconds: float
    words: str
    usage: Usage


def marked_request(tokens: int) -> Request:
    """A prompt of about `tokens` that asks for the mark at its beginning."""
    opening = f"The password of this page is {MARK}. Keep it in mind.\n"
    question = "\nReply with the password that the first line of this page names, and nothing else."
    text, number = opening, 0
    characters = int(tokens / estimate.tokens(opening * 20) * len(opening * 20))  # all of it is plain Latin
    while len(text) + len(question) < characters:
        number += 1
        text += f"{number}. The ferry left at {number % 12 + 1} and came back by night with {number * 7 % 90} crates.\n"
    return asked(text + question)


def asked(text: str, *, cap: int = 1024, reply: str = "prose") -> Request:
    """One question outside any book; models that reason first need room before their word."""
    system = Message(role="system", text="Do only what the last line asks.")
    return Request.model_validate(
        {
            "task": "plan",
            "messages": [system, Message(role="user", text=text)],
            "papers": Papers(language="en"),
            "reply": reply,
            "cap": cap,
            "hard_characters": 20_000,
        }
    )


async def reach(model: ModelPort) -> Reached:
    """One call of realistic size. Raises the ModelFault of the call, also where the beginning did not arrive."""
    reply = await model.complete(marked_request(REALISTIC))
    if MARK not in reply.text:
        words = reply.text.strip()[:80]
        raise ModelFault("context", detail=f"the beginning of a prompt of {REALISTIC} tokens is lost: {words}")
    return Reached(model=reply.model, seconds=reply.seconds, words=reply.text.strip()[:80], usage=reply.usage)
