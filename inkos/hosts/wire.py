"""Puts the program together: the one module of the hosts that knows adapters, the environment and the home folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from inkos.hosts.wire_batch import BatchBench, Leases
from inkos.hosts.wire_models import ModelBench
from inkos.messages import Language, Messages

if TYPE_CHECKING:
    from inkos.adapters.disk import Files
    from inkos.batch_ports import Board, Engine
    from inkos.config import BookConfig, CallLimits, WorkspaceConfig
    from inkos.export.profile import CoverForm, Profile
    from inkos.gates.check import HouseLists
    from inkos.kernel.delta import Delta
    from inkos.kernel.rules import Rules
    from inkos.kernel.story import History, StoryState
    from inkos.ports import (
        BookMoves,
        BookStore,
        Clock,
        EpubReport,
        Limiter,
        Mender,
        ModelPort,
        OutsideFile,
        Picture,
        Purse,
        RecallIndex,
        RunStore,
        ShingleIndex,
    )
    from inkos.prompts.kit import Kit

# A text named on the command line; larger than any chapter or brief, small enough to read at once.
MOST_BYTES = 4 * 1024 * 1024
TEXT_ENDINGS = frozenset({".md", ".txt", ".json", ".yaml", ".yml"})


def interface_language() -> Language:
    """INKOS_LANG, else the locale: a Chinese one gives Chinese, everything else English."""
    told = os.environ.get("INKOS_LANG") or os.environ.get("LC_ALL") or os.environ.get("LANG") or ""
    return "zh" if told.lower().startswith("zh") else "en"


def messages(language: Language) -> Messages:
    from inkos.adapters import package_data

    return package_data.messages(language)


def help_texts(language: Language) -> Messages:
    """Only the help texts: `--help` must not wait for the rest of the catalogues."""
    from inkos.adapters import package_data

    return package_data.help_texts(language)


class Workshop(ModelBench, BatchBench):
    """The Workspace port over a folder (inkos/ports.py says what each method does). `offline` replaces the built-in
    author where a caller plans its faults; `environment` holds keys and settings."""

    def __init__(
        self, root: Path, here: Path, environment: Mapping[str, str], offline: ModelPort | None, clock: Clock | None,
        files: Files | None = None, limiter: Limiter | None = None,
    ) -> None:  # fmt: skip
        from inkos.adapters.clock import SystemClock
        from inkos.adapters.limiter import ProcessLimiter
        from inkos.adapters.workspace import WorkspaceFolder

        self._folder, self._here = WorkspaceFolder(root, files), here
        self._environment, self._offline = environment, offline
        self.clock: Clock = clock or SystemClock()
        self.limiter: Limiter = limiter or ProcessLimiter(self.clock)
        self.purse: Purse | None = None
        self._leases: Leases | None = None
        self.config: WorkspaceConfig
        self.origins: Mapping[str, str]
        self.config, self.origins = self._folder.config(environment)  # a broken inkos.yaml is told whatever is asked

    @property
    def root(self) -> str:
        return str(self._folder.root)

    # ── books ──

    def books(self) -> Sequence[str]:
        return self._folder.books()

    def resolve(self, book: str | None) -> str:
        return self._folder.resolve(book, self._here)

    def store(self, book: str) -> BookStore:
        return self._folder.store(book)

    def runs(self, book: str | None) -> RunStore:
        from inkos.adapters.names import inside
        from inkos.adapters.run_folder import RunFolder

        home = self._folder.root / ".inkos" if book is None else self._folder.path(book)
        folder = inside(home, "runs")
        if book is None or self._leases is None:
            return RunFolder(folder, self._folder.files)
        return RunFolder(folder, self._folder.files, partial(self._leases.check, home))

    def at_work(self, board: Board, engine: Engine, purse: Purse, narrower: Mapping[str, CallLimits]) -> Workshop:
        from inkos.adapters.batch.engine import DbosEngine

        assert isinstance(engine, DbosEngine)
        limiter = engine.workers.limiter(narrower)
        same = Workshop(self._folder.root, self._here, self._environment, self._offline, self.clock,
                        self._folder.files, limiter)  # fmt: skip
        same.purse, same._leases = purse, Leases(engine, same._folder)
        same._folder.lease_of = same._leases.of
        return same

    def book_folder(self, book: str) -> str:
        return str(self._folder.path(book))

    def unwritable(self) -> str:
        from inkos.adapters.outside import unwritable

        return unwritable(self._folder.root)

    def free_name(self, title: str) -> str:
        return self._folder.free_name(title)

    def check_new(self, name: str) -> None:
        self._folder.require()
        self._folder.check_new(name)

    def rehearses(self) -> bool:
        config = self.config
        routes = [config.routes[name] for name in config.roles.values() if name in config.routes]
        providers = [config.providers[route.provider] for route in routes if route.provider in config.providers]
        return any(provider.protocol == "offline" for provider in providers)

    def create(
        self, name: str, config: BookConfig, files: Mapping[str, str], genesis: Delta, state: StoryState,
        history: History, minted: Mapping[str, int],
    ) -> None:  # fmt: skip
        self._folder.create_book(name, config, files, genesis, state, history, minted)

    @property
    def moves(self) -> BookMoves:
        from inkos.adapters.book_moves import BookMoves

        return BookMoves(self._folder)

    def mender(self, book: str) -> Mender:
        from inkos.adapters.mending import FolderMender

        return FolderMender(self._folder.store(book))

    # ── tables that come with the program ──

    def kit(self, language: Language, overrides: Mapping[str, str]) -> Kit:
        start = f"prompts/{language}/"
        ours = {path.removeprefix(start): text for path, text in self.own_prompts().items() if path.startswith(start)}
        return self._kit(language, {**ours, **overrides})

    def own_prompts(self) -> Mapping[str, str]:
        return self._folder.prompts()

    def house_kit(self, language: Language) -> Kit:
        return self._kit(language, {})

    def _kit(self, language: Language, overrides: Mapping[str, str]) -> Kit:
        from inkos.adapters import package_data
        from inkos.prompts.kit import Kit

        return Kit.build(language, package_data.templates(), package_data.questions(), package_data.prompt_tables(),
                         overrides)  # fmt: skip

    def packs(self, genre: str) -> Sequence[Mapping[str, object]]:
        from inkos.adapters import package_data
        from inkos.errors import UsageFault

        packs = package_data.rule_packs()
        if genre == "all":
            return [packs["general"], *(pack for name, pack in packs.items() if name != "general")]
        if genre not in packs:
            raise UsageFault("choice", where="--genre, book.yaml: genre", given=genre, allowed=", ".join(sorted(packs)))
        return [packs["general"], *([packs[genre]] if genre != "general" else [])]

    def rules(self, config: BookConfig) -> Rules:
        from inkos.errors import UsageFault
        from inkos.kernel.rules import Rules

        try:
            return Rules.build(self.packs(config.genre), config)
        except UsageFault as fault:
            if fault.where.startswith(("predicates.", "events.")):  # the packs are right
                raise UsageFault(fault.code, where=f"book.yaml: {fault.where}", **fault.values) from fault
            raise

    def messages(self, language: Language) -> Messages:
        return messages(language)

    def house_lists(self, language: Language) -> HouseLists:
        from inkos.adapters import package_data
        from inkos.gates.check import HouseLists

        return HouseLists.build(package_data.gate_tables()[language])

    def recall(self, book: str) -> RecallIndex:
        from inkos.adapters.recall_index import RecallIndex

        return RecallIndex(self._folder.path(book) / ".inkos")

    def shingles(self, book: str) -> ShingleIndex:
        from inkos.adapters.shingle_index import ShingleIndex

        return ShingleIndex(self._folder.path(book) / ".inkos")

    # ── files that a person named ──

    def read_text(self, path: str) -> str:
        from inkos.adapters.outside import read_text

        return read_text(sys.stdin.buffer.read(MOST_BYTES + 1) if path == "-" else Path(path), MOST_BYTES)

    def book_settings(self, text: str, where: str) -> BookConfig:
        from inkos.adapters.config_files import parse_book

        return parse_book(text.encode(), where)

    def read_folder(self, path: str) -> Mapping[str, str]:
        from inkos.adapters.outside import read_folder

        return read_folder(Path(path), TEXT_ENDINGS, MOST_BYTES)

    def read_chapters(self, book: str, paths: Sequence[str]) -> Sequence[OutsideFile]:
        from inkos.adapters.outside import read_chapters

        return read_chapters(paths, self._folder.path(book), self._here, MOST_BYTES)

    def read_book_file(self, book: str, path: str) -> bytes:
        from inkos.adapters.disk import read_bytes
        from inkos.adapters.names import inside

        return read_bytes(inside(self._folder.path(book), path))

    def write_file(self, path: str, content: bytes) -> None:
        from inkos.adapters.outside import write_file

        write_file(Path(path), content)

    def write_folder(self, folder: str, files: Mapping[str, bytes]) -> Sequence[str]:
        from inkos.adapters.outside import write_file

        for name, content in files.items():
            write_file(Path(folder) / name, content)
        return sorted({path.name for path in Path(folder).iterdir() if path.is_file()} - set(files))

    # ── what draws, sets type and judges ──

    def profile(self, name: str) -> tuple[Profile, str]:
        from inkos.adapters.profile_files import load_profile

        return load_profile(self._folder.root, name)

    def fitted_cover(self, content: bytes, where: str, form: CoverForm) -> Picture:
        from inkos.adapters.pictures import fitted

        return fitted(content, where, form)

    def drawn_cover(self, svg: str, words: str, form: CoverForm) -> Picture | None:
        from inkos.adapters.pictures import drawn

        return drawn(svg, words, form)

    def typeset(self, source: str, language: Language) -> bytes:
        from inkos.adapters.typesetter import CHINESE, typeset

        return typeset(source, CHINESE if language == "zh" else frozenset())

    def epubcheck(self, epub: bytes) -> EpubReport | None:
        from inkos.adapters import epubcheck
        from inkos.ports import EpubReport

        found = epubcheck.check(epub)
        if found is None:
            return None
        errors = sum(1 for message in found.messages if message.level != "WARNING")
        lines = tuple(f"{m.code} {m.place}: {m.message}" for m in found.messages)
        return EpubReport(errors=errors, warnings=len(found.messages) - errors, lines=lines)

    def epubcheck_version(self) -> str:
        from inkos.adapters import epubcheck

        return epubcheck.version()


def open_workspace(
    folder: Path | None = None, environment: Mapping[str, str] | None = None, *, offline: ModelPort | None = None,
    clock: Clock | None = None, files: Files | None = None, limiter: Limiter | None = None,
) -> Workshop:  # fmt: skip
    """The workspace around `folder` (default: where we stand); where there is none, one that is not written yet."""
    from inkos.adapters.workspace import find_workspace

    here = folder or Path.cwd()
    told = os.environ if environment is None else environment
    return Workshop(find_workspace(here) or here, here, told, offline, clock, files, limiter)


def make_workspace(folder: Path, config: WorkspaceConfig | None = None) -> Workshop:
    """A new workspace. `config` null: no provider yet, with an example in the comments of inkos.yaml."""
    from inkos.adapters.workspace import create_workspace
    from inkos.config import WorkspaceConfig

    create_workspace(folder, config or WorkspaceConfig(language=interface_language()))
    return open_workspace(folder)


def read_brief(path: Path) -> str:
    """A brief where there is no workspace yet."""
    from inkos.adapters.outside import read_text

    return read_text(path, MOST_BYTES)


def demo_brief(language: Language) -> str:
    from inkos.adapters import package_data

    return package_data.demo_brief(language)


def demo_workspace(folder: Path, language: Language) -> Workshop:
    """A workspace whose every role is played by the offline author, with the three faults that the demo shows."""
    from inkos.adapters.offline import OfflineAuthor, PlannedFault
    from inkos.errors import UsageFault

    if folder.exists() and any(folder.iterdir()):
        raise UsageFault("demo-exists", where=str(folder))
    faults = (
        PlannedFault(position=1, kind="worn", stubborn=True),
        PlannedFault(position=2, kind="contradict"),
        PlannedFault(position=3, kind="overlong"),
    )
    make_workspace(folder, rehearsal_config(language))
    return open_workspace(folder, offline=OfflineAuthor(faults=faults))


def rehearsal_config(language: Language) -> WorkspaceConfig:
    """Every role is played by the offline author."""
    from inkos.config import Provider, Route, WorkspaceConfig

    return WorkspaceConfig(
        language=language,
        providers={"offline": Provider(protocol="offline")},
        routes={"rehearsal": Route(provider="offline", model="offline-author")},
        roles={"default": "rehearsal"},
    )
