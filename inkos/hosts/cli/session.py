"""One command line call: wiring, language, JSON or words, errors, exit code, Ctrl-C; knows no verb."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from inkos.hosts.cli.terminal import as_json, close_output, no_room, say

if TYPE_CHECKING:
    from inkos.actions.table import Door
    from inkos.errors import InkosError
    from inkos.hosts.cli.progress import Progress
    from inkos.messages import Messages
    from inkos.records import Record


@dataclass(frozen=True)
class Options:
    """What stands before the verb."""

    book: str | None = None
    json: bool = False
    quiet: bool = False
    debug: bool = False
    progress: str = "auto"
    stream: bool = False


@dataclass(frozen=True)
class Session:
    """What a command needs after wiring."""

    options: Options
    workspace: Any
    messages: Messages

    def book(self) -> str:
        return str(self.workspace.resolve(self.options.book))


Build = Callable[[Session], "Record"]
Show = Callable[["Messages", Any], Iterable[str]]


def options(
    context: typer.Context, book: str | None, json: bool, progress: str = "", stream: bool = False
) -> Options:
    """Options before and after the verb, the nearer one wins."""
    before = context.find_root().obj or Options()
    return Options(book or before.book, json or before.json, before.quiet, before.debug, progress or before.progress,
                   stream or before.stream)  # fmt: skip


def perform(
    chosen: Options, name: str, build: Build, show: Show, code: Callable[[Any], int] = lambda result: 0
) -> None:
    """Carry out one action of the table and show its result. Exits with the code of design/cli.md."""
    try:
        session = open_session(chosen)
        result = asyncio.run(_run(session, name, build))
        tell(session, result, show, code(result))
    except BaseException as trouble:
        fail(chosen, trouble)
    raise typer.Exit(code(result))


def open_session(chosen: Options) -> Session:
    from inkos.hosts.wire import interface_language, open_workspace

    workspace = open_workspace()
    return Session(chosen, workspace, workspace.messages(interface_language()))


async def _run(session: Session, name: str, build: Build) -> Any:
    from inkos.actions import ACTIONS, Door
    from inkos.hosts.cli.progress import MODES, Progress

    chosen = session.options
    checked_choice("--progress", chosen.progress, MODES)
    progress = Progress(session.messages, quiet=chosen.quiet or chosen.json, mode=chosen.progress, stream=chosen.stream,
                        currency=session.workspace.config.currency)  # fmt: skip
    presses = 0
    task = asyncio.current_task()

    def pressed() -> None:
        # Once: end at the next consistency boundary. Twice: now; what is lost is at most the calls in flight.
        nonlocal presses
        presses += 1
        progress.hint(session.messages.say("cli.stopping" if presses == 1 else "cli.stopping-now"))
        if presses > 1 and task is not None:
            task.cancel()

    loop = asyncio.get_running_loop()
    loop.set_exception_handler(_left_open)
    try:
        loop.add_signal_handler(signal.SIGINT, pressed)
    except NotImplementedError:
        signal.signal(signal.SIGINT, lambda *_: loop.call_soon_threadsafe(pressed))
    door: Door = Door(session.workspace, progress.hear, lambda: presses > 0)
    ticking = asyncio.create_task(_tick(progress))
    try:
        return await ACTIONS[name].run(door, _built(session, build))
    finally:
        ticking.cancel()
        progress.close()


def _left_open(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Client libraries that give up in the middle of a broken reply leave generators behind. Their late closing would
    be printed as a traceback between our lines; what happened to the call has been told as its fault."""
    if "asyncgen" not in context:
        loop.default_exception_handler(context)


def _built(session: Session, build: Build) -> Record:
    """The command as it was typed. UsageFault `option-value` where a value lies outside what its field allows."""
    from pydantic import ValidationError

    from inkos.errors import UsageFault

    try:
        return build(session)
    except ValidationError as error:
        first = error.errors()[0]
        where = "--" + str(first["loc"][0] if first["loc"] else "").replace("_", "-")
        raise UsageFault("option-value", where=where, given=str(first["input"])[:60], detail=first["msg"]) from error


async def _tick(progress: Progress) -> None:
    while True:
        await asyncio.sleep(1)
        progress.tick()


def checked_choice(where: str, given: str, allowed: Sequence[str]) -> str:
    if given not in allowed:
        from inkos.errors import UsageFault

        raise UsageFault("choice", where=where, given=given, allowed=", ".join(allowed))
    return given


def tell(session: Session, result: Record, show: Show, code: int = 0) -> None:
    if session.options.json:
        told = {"ok": code == 0, "exit": code, **result.model_dump(mode="json")}
        print(as_json(told))
    else:
        for line in show(session.messages, result):
            say(line)
    sys.stdout.flush()


def fail(chosen: Options, trouble: BaseException) -> NoReturn:
    """The one place where every failure of a command ends: words, or one JSON object, and the exit code."""
    from inkos.errors import Cancelled, InkosError

    if isinstance(trouble, typer.Exit):
        raise trouble
    if isinstance(trouble, (EOFError, typer.Abort)) and not isinstance(trouble.__context__, KeyboardInterrupt):
        _print_error(chosen, "input-ended", "", {})
        raise typer.Exit(1)
    if isinstance(trouble, (Cancelled, KeyboardInterrupt, asyncio.CancelledError, typer.Abort)):
        _print_error(chosen, "cancelled", "", {}, 130)
        raise typer.Exit(130)
    if isinstance(trouble, InkosError):
        if chosen.debug:
            raise trouble
        _print_error(chosen, trouble.code, trouble.where, trouble.values, trouble.exit_code)
        raise typer.Exit(trouble.exit_code)
    if isinstance(trouble, BrokenPipeError):  # whoever read our output has gone: there is nobody to tell
        close_output()
        raise typer.Exit(1)
    if isinstance(trouble, OSError) and no_room(trouble):
        close_output()
        _print_error(chosen, "output-unwritable", "stdout", {"detail": trouble.strerror or str(trouble)})
        raise typer.Exit(1)
    if isinstance(trouble, OSError):
        if chosen.debug:
            raise trouble
        values: dict[str, object] = {"detail": trouble.strerror or str(trouble)}
        _print_error(chosen, "disk", str(trouble.filename or ""), values)
        raise typer.Exit(1)
    raise trouble  # a bug: the traceback is the message


def _print_error(chosen: Options, code: str, where: str, values: dict[str, object], exit_code: int = 1) -> None:
    words = error_words(code, where, values)
    if chosen.json:
        told = {"ok": False, "error": {"code": code, "where": where, "exit": exit_code, **words}}
        try:
            print(as_json(told), flush=True)
        except OSError:  # told on standard error all the same
            close_output()
    for part in ("what", "kept", "next"):
        if words[part]:
            say(words[part], error=True)


def error_words(code: str, where: str, values: dict[str, object]) -> dict[str, str]:
    """What failed, what was kept, what to do next."""
    from inkos.hosts.wire import interface_language, messages
    from inkos.messages import Field, filled

    catalogue = messages(interface_language())
    known = code if f"errors.{code}.what" in catalogue else "unnamed"
    given = {"where": where, "code": code, "detail": "", **values}
    fields = _Values({name: Field(value) for name, value in given.items()})
    return {part: filled(catalogue.raw(f"errors.{known}.{part}"), fields) for part in ("what", "kept", "next")}


class _Values(dict[str, object]):
    """An error must come out even where one of its values is missing."""

    def __missing__(self, key: str) -> str:
        return "?"


def shown_error(error: InkosError) -> str:
    return " ".join(w for w in error_words(error.code, error.where, error.values).values() if w)
