"""The start of the program: streams, arguments, and what goes wrong before or after a command; knows no command."""

from __future__ import annotations

import os
import sys

import typer

from inkos.hosts.cli.session import Options, fail
from inkos.hosts.cli.terminal import open_streams
from inkos.text.characters import whole


def start(app: typer.Typer) -> None:
    """Run the command line and exit with the code of design/cli.md."""
    open_streams()
    sys.argv[1:] = [_argument(given) for given in sys.argv[1:]]
    asked = sys.argv[1 : sys.argv.index("--")] if "--" in sys.argv else sys.argv[1:]
    chosen = Options(json="--json" in asked)
    try:
        try:
            code = typer.main.get_command(app)(standalone_mode=False)
            sys.stdout.flush()
        except typer.TyperException as fault:
            _wrong(chosen, fault)
        except BaseException as trouble:
            fail(chosen, trouble)
    except typer.Exit as end:
        code = end.exit_code
    sys.exit(code or 0)


def _argument(given: str) -> str:
    """An argument that can be written down: bytes that are no UTF-8 become U+FFFD, but in the name of a file."""
    return given if os.path.lexists(given) else whole(given)


def _wrong(chosen: Options, fault: typer.TyperException) -> None:
    """A command line that the parser does not take: its own words, ours before them where they are not in the user's
    language, and one JSON object where that was asked for."""
    from inkos.errors import UsageFault
    from inkos.hosts.wire import interface_language

    told = fault.format_message()
    if chosen.json:
        fail(chosen, UsageFault("usage", detail=told))
    if told and interface_language() != "en":
        from inkos.hosts.cli.session import error_words
        from inkos.hosts.cli.terminal import say

        say(error_words("usage", "", {"detail": told})["what"], error=True)
    show = getattr(fault, "show", None)
    if show is not None:
        show()
    raise typer.Exit(fault.exit_code)
