"""Hands over what a batch has made: the book's EPUB, a report, and a word to the outside; sends nothing itself."""

from __future__ import annotations

from collections.abc import Iterator

from inkos.actions.chapter_run import load_run
from inkos.actions.export import Export, export
from inkos.actions.rounds import rounds_of
from inkos.actions.table import Door
from inkos.batch_ports import Batch, Board, Deed
from inkos.cycle.batch import Item
from inkos.cycle.chapter import ChapterState
from inkos.errors import InkosError
from inkos.kernel.book import ChapterEntry
from inkos.messages import Messages
from inkos.ports import RunStore
from inkos.runs.ledger import add_up, latest


async def announce(door: Door, board: Board, batch: Batch, before: Item, coming: Item) -> int:
    """Before a turn is entered: deliver what is due after it and keep what is to be told. The accepted chapters that
    are delivered then. Made again after a stop it gives the same files and the same word."""
    every = batch.plan.deliver.every
    over = coming.status in ("done", "ended", "failed", "review") and coming.status != before.status
    last = max(before.delivered, before.start)
    due = every is not None and coming.done >= last + every
    if not over and not due:
        return before.delivered
    files: dict[str, str] = {}
    if coming.done and coming.status != "review" and coming.done > before.delivered:
        files = await deliver(door, board, batch, coming)
    what = coming.status if over else "chapters"
    told = {"chapters": str(coming.done), "status": coming.status, "why": coming.why.code, **files}
    board.tell(Deed.model_validate({
        "id": f"{batch.name}/{coming.book}/{what}/{coming.turn}", "at": board.now(), "batch": batch.name,
        "book": coming.book, "what": what, "values": told,
    }))  # fmt: skip
    return coming.done if files else before.delivered


async def deliver(door: Door, board: Board, batch: Batch, item: Item) -> dict[str, str]:
    """EPUB and report in deliveries/<batch>/; a book that cannot be packed is told of, and its writing goes on."""
    workspace = door.workspace
    folder = f"{workspace.root}/deliveries/{batch.name}"
    made: dict[str, str] = {}
    try:
        if batch.plan.deliver.epub:
            packed = await export(door, Export(book=item.book, output=f"{folder}/{item.book}.epub"))
            made["epub"] = packed.file
        report = f"{folder}/{item.book}.report.md"
        workspace.write_file(report, "\n".join([*report_lines(door, item.book), ""]).encode())
        made["report"] = report
        board.log(batch.name, item.book, "delivered", {"chapters": item.done, "folder": folder})
    except InkosError as error:
        board.log(batch.name, item.book, "delivery-failed", {"why": error.code, "where": error.where})
    return made


def report_lines(door: Door, book: str) -> Iterator[str]:
    """The report in the book's language: chapters, scores, open findings, cost, and what revision was worth."""
    store, runs = door.workspace.store(book), door.workspace.runs(book)
    config, index = store.config(), store.index()
    words = door.workspace.messages(config.language)
    spent = add_up(latest(runs.ledger()))
    length = sum(entry.words for entry in index.chapters)
    yield "# " + words.say("batch.report.title", title=config.title)
    yield ""
    yield words.say("batch.report.sums", chapters=len(index.chapters), words=length, tokens=spent.tokens,
                    money=_money(words, spent.money, door.workspace.config.currency))  # fmt: skip
    yield ""
    yield from (words.say("batch.report.head"), "|---:|---|---:|---:|---|")
    for position, entry in enumerate(index.chapters, 1):
        score, findings = judged(runs, entry)
        shown = "–" if score is None else f"{score:.0f}"
        status = words.say(f"batch.report.{entry.status}")
        yield f"| {position} | {_cell(entry.title)} | {entry.words} | {shown} | {status}{_codes(findings)} |"
    rounds = rounds_of(runs, index.chapters)
    for row in rounds:
        yield ""
        yield words.say(
            "batch.report.round", number=row.number, chapters=row.chapters, kept=row.kept, tokens=row.tokens,
            money=_money(words, row.money, door.workspace.config.currency),
            gained="–" if row.gained is None else f"{row.gained:.1f}",
        )  # fmt: skip


def judged(runs: RunStore, entry: ChapterEntry) -> tuple[float | None, list[str]]:
    """Score and the codes of the findings that stand in the accepted text; none where the run is gone."""
    try:
        state = ChapterState.model_validate(load_run(runs, entry.run).machine) if entry.run else None
    except (InkosError, ValueError):
        return None, []
    best = state.version(state.best).assessment if state is not None and state.best else None
    if best is None:
        return None, []
    return best.score, [finding.code for finding in best.findings if finding.severity != "info"]


def _codes(codes: list[str]) -> str:
    return f" ({', '.join(dict.fromkeys(codes))})" if codes else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _money(words: Messages, money: float | None, currency: str) -> str:
    return words.say("batch.report.unknown") if money is None else f"{money:.2f} {currency}"
