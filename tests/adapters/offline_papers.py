"""A book founded and written by the offline author in memory, through the real machines; for tests of that author."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from inkos.adapters.offline import OfflineAuthor, PlannedFault
from inkos.adapters.package_data import gate_tables, messages, questions, rule_packs, templates
from inkos.adapters.package_data import prompt_tables as tables
from inkos.config import BookConfig, LengthConfig
from inkos.cycle import foundation, moves
from inkos.cycle.acceptance import accept
from inkos.cycle.chapter import ChapterState, Desk, start
from inkos.cycle.foundation import FoundingDesk
from inkos.cycle.wants import Committed, CommitWant, ModelWant, Replied
from inkos.gates.check import HouseLists
from inkos.kernel.book import Book, Index
from inkos.kernel.ids import mint
from inkos.kernel.outline import next_entry, parse_outline
from inkos.kernel.papers import Founded
from inkos.kernel.reduce import apply
from inkos.kernel.rules import Rules
from inkos.kernel.story import StoryState
from inkos.messages import Language
from inkos.prompts.context import compose
from inkos.prompts.kit import Kit
from inkos.prompts.request import Message, Request

BRIEFS: dict[Language, str] = {
    "en": """# Salt and Rope

Nora Pell keeps a net loft on Candle Quay. Nora must pay 40 crowns by 3 May, or the loft goes to Silas Crane, who owns
the ropewalk and lends to half the harbour. Her one proof is a lantern with a stamp under the foot.

Silas Crane is never in a hurry. Old Bet Marlow kept the harbour book before her eyes failed. Tom Arkwright drives the
fish cart to Fell Bridge, an hour on foot.

Every chapter ends on something that somebody does.
""",
    "zh": """# 盐与绳

沈砚在绳子巷开一间补网的铺子。沈砚要在五月初三之前还清四十两，不然铺子归霍三爷。他手里只有一盏铜灯，灯座下有个戳记。

霍三爷，开绳厂，半个码头的人欠他钱。贺青禾，管过码头的账，她眼睛不好，记性却好。马六，赶鱼车，天天过落雁桥，走路一个时辰。

每章末尾落在一件事上。
""",
}
LENGTH: dict[Language, int] = {"en": 1200, "zh": 1800}
FAULTS: dict[str, PlannedFault] = {
    "worn": PlannedFault(position=1, kind="worn", stubborn=True),
    "contradict": PlannedFault(position=1, kind="contradict"),
    "overlong": PlannedFault(position=1, kind="overlong"),
}


@cache
def kit(language: Language) -> Kit:
    return Kit.build(language, templates(), questions(), tables())


def founding(
    language: Language, author: OfflineAuthor, brief: str, chapters: int = 30
) -> tuple[foundation.FoundationState, list[str]]:
    """The founding's end and the ids of the calls it took."""
    config = BookConfig(
        id="b", title="b", language=language, chapters=chapters, length=LengthConfig(target=LENGTH[language])
    )
    desk = FoundingDesk(kit(language), messages(language), tuple(rule_packs().values()))
    state, calls = foundation.start(brief, config), []
    for _ in range(6):
        for want in foundation.wants(state, desk):
            assert isinstance(want, ModelWant)
            calls.append(want.id)
            text = author.reply(want.request.task, want.request.papers)
            state = foundation.absorb(state, Replied(want=want.id, text=text), desk)
    return state, calls


def new_book(founded: Founded, config: BookConfig, rules: Rules) -> Book:
    genesis, minted = mint(founded.genesis, {})
    empty = StoryState(book_id=config.id, language=config.language)
    bible = {path: text for path, text in founded.files.items() if path.startswith("bible/")}
    reduced = apply(empty, genesis, "", rules, sources=bible)
    assert reduced.state is not None, reduced.findings
    return Book(
        revision=1, config=config.model_copy(update={"title": founded.title}),
        index=Index(book_id=config.id, minted=minted), state=reduced.state,
        outline=parse_outline(founded.files["outline.md"]), bible=tuple(sorted(bible.items())),
    )  # fmt: skip


class Written(NamedTuple):
    """A chapter at rest, the ids of its calls, their requests and replies by id, and the book after it."""

    state: ChapterState
    calls: list[str]
    requests: dict[str, Request]
    replies: dict[str, str]
    book: Book


def write(book: Book, author: OfflineAuthor) -> Written:
    language = book.config.language
    rules = Rules.build(list(rule_packs().values()), book.config)
    done = [entry.outline_key for entry in book.index.chapters]
    entry, following = next_entry(book.outline, done)
    assert entry is not None
    lists = HouseLists.model_validate(gate_tables()[language])
    desk = Desk(book, kit(language), rules, messages(language), lists, compose(kit(language), book, entry, rules))
    state = start(desk, f"c{len(done) + 1:04d}", entry, following)
    calls: list[str] = []
    requests: dict[str, Request] = {}
    replies: dict[str, str] = {}
    for _ in range(40):
        wants = moves.wants(state, desk)
        if not wants:
            break
        for want in wants:
            if isinstance(want, CommitWant):
                accepted = accept(state, desk, "run", "2026-01-01T00:00:00Z")
                recent = (*book.recent, accepted.text)[-10:]
                book = book.model_copy(update={"index": accepted.index, "state": accepted.state, "recent": recent})
                state, _ = moves.advance(state, [Committed(want=want.id, revision=2)], desk)
                continue
            calls.append(want.id)
            requests[want.id] = want.request
            replies[want.id] = author.reply(want.request.task, want.request.papers)
            state, _ = moves.advance(state, [Replied(want=want.id, text=replies[want.id])], desk)
    return Written(state, calls, requests, replies, book)


def founded_book(language: Language, author: OfflineAuthor, brief: str = "") -> Book:
    state, _ = founding(language, author, brief or BRIEFS[language])
    assert state.founded is not None, (state.fault, state.notes)
    return new_book(state.founded, state.config, Rules.build(list(rule_packs().values()), state.config))


@cache
def three_chapters(language: Language) -> tuple[Written, ...]:
    """Three clean chapters, one after the other."""
    author = OfflineAuthor()
    book, written = founded_book(language, author), []
    for _ in range(3):
        written.append(write(book, author))
        book = written[-1].book
    return tuple(written)


@cache
def faulty_chapter(language: Language, kind: str) -> Written:
    author = OfflineAuthor(faults=(FAULTS[kind],))
    return write(founded_book(language, author), author)


def plan_request(language: Language) -> Request:
    papers = three_chapters(language)[0].requests["plan.1"].papers
    return Request(task="plan", messages=(Message(role="user", text="plan"),), papers=papers, reply="json", cap=2000)
