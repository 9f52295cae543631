"""An HTTP answer as it comes off the line, before a client library reads it: bounded, and of the kind asked for or not.

Knows no protocol. A server may be broken or hostile: it may send without end, send a few bytes that unpack to
gigabytes, or send its callers elsewhere. (Redirects are not followed at all, see protocols.py: the libraries would
carry a key in a header of its own, and the whole prompt, to whatever host is named.)
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Callable
from typing import Any, NoReturn

# Bytes of one answer, unpacked. The longest replies known, 64,000 tokens of one event each, come to about 30 MB.
MOST_BYTES = 64 * 1024 * 1024
MOST_LINE = 4 * 1024 * 1024  # bytes of a line in a stream: a whole reply in one event is far below
PIECE = 64 * 1024
PACKED = frozenset({"gzip", "x-gzip", "deflate"})


class Foreign(Exception):
    """A 200 whose body is not of the kind that was asked for, or a redirect; what it was is kept in `Answered`."""


class Spoiled(Exception):
    """A body that nobody can read to its end."""


class Answered:
    """The last HTTP answer of one call as it was before the client library read it. `moved`: where a redirect points.
    `spoiled`: why the body was not read to its end. `alive` is called for each comment of a stream: a service says with
    them that it is still at work."""

    def __init__(self, streaming: bool) -> None:
        self.streaming = streaming
        self.headers: dict[str, str] = {}
        self.kind = ""
        self.body: str | None = None
        self.moved = ""
        self.spoiled = ""
        self.alive: Callable[[], None] = lambda: None

    async def look(self, response: Any) -> None:
        """A hook of the HTTP client: keeps headers, bounds the body, and takes aside a 200 that the library would
        misread (a web page, a stream that nobody asked for, plain JSON in place of a stream)."""
        self.headers = dict(response.headers)
        self.kind = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        response.stream = self._bounded(response)
        if 300 <= response.status_code < 400:
            self.moved = f"{response.status_code} -> {self.headers.get('location', '?')}"
            raise Foreign(self.moved)
        plain = self.kind in ("text/html", "application/xhtml+xml")
        other = self.kind == ("application/json" if self.streaming else "text/event-stream")
        if response.status_code == 200 and (plain or other):
            await response.aread()
            self.body = response.content.decode("utf-8", errors="replace")
            raise Foreign(self.kind)

    def _bounded(self, response: Any) -> Any:
        from httpx2 import AsyncByteStream

        raw = response.stream
        packed = self.headers.get("content-encoding", "").strip().lower() in PACKED
        if packed:  # unpacked here, piece by piece: the library unpacks without any bound
            del response.headers["content-encoding"]

        pieces = self._counted(self._unpacked(raw) if packed else raw)
        if self.kind == "text/event-stream":
            pieces = self._without_comments(pieces)

        class Bounded(AsyncByteStream):
            async def __aiter__(self) -> AsyncIterator[bytes]:
                async for piece in pieces:
                    yield piece

            async def aclose(self) -> None:
                await raw.aclose()

        return Bounded()

    async def _counted(self, pieces: Any) -> AsyncIterator[bytes]:
        came = 0
        async for piece in pieces:
            came += len(piece)
            if came > MOST_BYTES:
                self._stop(f"more than {MOST_BYTES >> 20} MB")
            yield piece

    async def _without_comments(self, pieces: Any) -> AsyncIterator[bytes]:
        """Whole lines of an event stream but for its comments, which not every library knows."""
        rest = b""
        async for piece in pieces:
            lines = (rest + piece).split(b"\n")
            rest = lines.pop()
            if len(rest) > MOST_LINE:
                self._stop(f"a line of more than {MOST_LINE >> 20} MB")
            if kept := [line for line in lines if not line.startswith(b":")]:
                yield b"\n".join(kept) + b"\n"
            if len(kept) < len(lines):
                self.alive()
        if rest and not rest.startswith(b":"):
            yield rest

    async def _unpacked(self, pieces: Any) -> AsyncIterator[bytes]:
        """gzip or zlib, at most PIECE bytes at a time."""
        unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)
        try:
            async for packed in pieces:
                while packed:
                    yield unpacker.decompress(packed, PIECE)
                    packed = unpacker.unconsumed_tail
            yield unpacker.flush(PIECE)
        except zlib.error as error:
            self._stop(f"{self.headers['content-encoding']}: {error}")

    def _stop(self, why: str) -> NoReturn:
        self.spoiled = why  # kept here too: a library may wrap the exception in words of its own
        raise Spoiled(why)
