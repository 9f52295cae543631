"""First steps, asked one by one in the user's language: service, key, test, first book; decides nothing itself."""

from __future__ import annotations

import asyncio
import getpass
import os
import sys
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import typer

from inkos.hosts.cli.books import created_lines
from inkos.hosts.cli.models import tested_lines
from inkos.hosts.cli.progress import Progress
from inkos.hosts.cli.session import Options, Session, fail
from inkos.hosts.cli.terminal import say

if TYPE_CHECKING:
    from inkos.hosts.wire import Workshop
    from inkos.messages import Messages
    from inkos.ports import KnownService

T = TypeVar("T")
ROUTE = "main"
YES = ("y", "yes", "是", "好", "要")
NO = ("n", "no", "否", "不", "不用")


def run(chosen: Options) -> None:
    """Ask, write, test. What was written stays when the user stops half-way."""
    try:
        from inkos.hosts import wire

        language = wire.interface_language()
        dialogue = Dialogue(wire.messages(language))
        workspace = wire.open_workspace()
        dialogue.tell("where", root=workspace.root)
        if not (Path(workspace.root) / "inkos.yaml").exists():
            workspace = wire.make_workspace(Path(workspace.root))
        known = workspace.config.roles.get("default")
        if known is not None and not dialogue.agrees("replace", route=known):
            raise typer.Exit(0)
        service = dialogue.service(workspace.known_services(language))
        dialogue.key(workspace, service)
        model = dialogue.model(service)
        for key, value in (
            (f"routes.{ROUTE}", f"{{provider: {service.name}, model: {_quoted(model)}}}"),
            ("roles.default", ROUTE),
        ):
            workspace.set_config(key, value, "")
        dialogue.tell("written", file=f"{workspace.root}/inkos.yaml")
        well = dialogue.test(chosen)
        dialogue.book(chosen)
    except BaseException as trouble:
        fail(chosen, trouble)
    raise typer.Exit(0 if well else 1)


async def _done(work: Awaitable[T]) -> T:
    return await work


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


class Dialogue:
    """Questions on standard error, answers from standard input; the end of the input takes every default."""

    def __init__(self, messages: Messages) -> None:
        self.messages = messages

    def tell(self, code: str, **values: object) -> None:
        say(self.messages.say(f"cli.setup.{code}", **values), error=True)

    def ask(self, code: str, default: str = "", **values: object) -> str:
        say(self.messages.say(f"cli.setup.{code}", default=default, **values), end=" ", error=True)
        return sys.stdin.readline().strip() or default

    def agrees(self, code: str, **values: object) -> bool:
        """A question whose default is no."""
        return self.ask(code, "n", **values).lower() in YES

    def secret(self, code: str) -> str:
        """Typed blind on a terminal; a line of a pipe otherwise."""
        words = self.messages.say(f"cli.setup.{code}") + " "
        if sys.stdin.isatty():
            return getpass.getpass(words).strip()
        say(words, error=True)
        return sys.stdin.readline().strip()

    def service(self, known: Sequence[KnownService]) -> KnownService:
        for number, service in enumerate(known, 1):
            say(f"  {number:2} {service.label}  [{service.name}]", error=True)
        answer = self.ask("service", "1")
        by_number = {str(number): service for number, service in enumerate(known, 1)}
        found = by_number.get(answer) or next((s for s in known if s.name == answer.lower()), None)
        if found is None:
            from inkos.errors import UsageFault

            raise UsageFault("choice", where="setup", given=answer, allowed=", ".join(s.name for s in known))
        return found

    def key(self, workspace: Workshop, service: KnownService) -> None:
        """Where the service is and where its key lies; the key itself goes to the keyring or nowhere."""
        parts = [f"preset: {service.name}"]
        local = "://127.0.0.1" in service.base_url
        if local or not service.base_url:
            address = self.ask("address", service.base_url)
            if address != service.base_url:
                parts.append(f"base_url: {_quoted(address)}")
            local = "://127.0.0.1" in address or "://localhost" in address
        variable = service.api_key_env
        if not local:
            variable = self._key_place(workspace, variable or "INKOS_MODEL_KEY")
        if variable and variable != service.api_key_env:
            parts.append(f"api_key_env: {variable}")
        workspace.set_config(f"providers.{service.name}", "{" + ", ".join(parts) + "}", "")

    def _key_place(self, workspace: Workshop, variable: str) -> str:
        """The name under which the key is found, in the environment or in the keyring."""
        if os.environ.get(variable):
            self.tell("key-found", variable=variable)
            return variable
        if self.ask("key-place", "1") == "2":
            named = self.ask("variable", variable)
            if not os.environ.get(named):
                self.tell("variable-unset", variable=named)
            return named
        if key := self.secret("key"):
            workspace.store_key(variable, key)
            self.tell("key-stored", variable=variable)
        return variable

    def model(self, service: KnownService) -> str:
        model = self.ask("model", service.model)
        if not model:
            from inkos.errors import UsageFault

            raise UsageFault("choice", where="setup", given="", allowed="MODEL")
        return model

    def test(self, chosen: Options) -> bool:
        """A test of realistic size, if the user wants it. True: well, or not tried."""
        if self.ask("test", "y").lower() in NO:
            return True
        from inkos.actions import Door
        from inkos.actions.models import AboutRoutes, test_models
        from inkos.hosts import wire

        door = Door(wire.open_workspace(), lambda event: None, lambda: False)
        result = asyncio.run(_done(test_models(door, AboutRoutes(route=ROUTE))))
        for line in tested_lines(self.messages, result):
            say(line)
        self.tell("works" if result.well else "broken")
        return result.well

    def book(self, chosen: Options) -> None:
        path = self.ask("book")
        if not path:
            self.tell("next")
            return
        from inkos.actions import Door
        from inkos.actions.founding import CreateBook, create
        from inkos.hosts import wire

        workspace = wire.open_workspace()
        progress = Progress(self.messages, quiet=chosen.quiet)
        brief = workspace.read_text(path)
        door = Door(Session(chosen, workspace, self.messages).workspace, progress.hear, lambda: False)
        try:
            made = asyncio.run(_done(create(door, CreateBook(brief=brief, brief_file=path))))
        finally:
            progress.close()
        for line in created_lines(self.messages, made):
            say(line)
