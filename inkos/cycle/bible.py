"""The author's files of a new book, written out of the founder's replies; does not know the state that rests on them.

Every string of the reply stands in a page letter for letter, so that delta 0 can quote it and replay find it again;
only where several are joined in one line is the full stop at their end left out.
Truths, beliefs, promises and voices stand in pages that no shared layer of a prompt shows (bible/truths.md, voices.md).
"""

from __future__ import annotations

from collections.abc import Sequence

from inkos.kernel.outline import render_outline
from inkos.kernel.papers import Outline, OutlineBeat, OutlineEntry, Volume
from inkos.messages import Messages
from inkos.prompts.contracts import FoundReply, OutlineReply, PromiseReply, ThingReply
from inkos.prompts.readers.words import is_nothing

BRIEF = "brief.md"
TRUTHS = "bible/truths.md"
VOICES = "bible/voices.md"
WORLD = "bible/world.md"


def pages(found: FoundReply, words: Messages, quoted: Sequence[str] = ()) -> dict[str, str]:
    """The bible that prompts may show: path → text. `quoted` are the brief's words that the opening state rests on."""
    return {
        "bible/engine.md": _engine(found, words),
        "bible/cast.md": _cast(found, words, handles=False),
        "bible/rules.md": _rules(found, words),
        WORLD: _world(found, words, handles=False, quoted=quoted),
    }


def papers(found: FoundReply, words: Messages) -> str:
    """What the outline's founder reads: the pages with handles, then truths and beliefs under their own heading."""
    return "\n\n".join(
        page.strip()
        for page in (
            _engine(found, words),
            _cast(found, words, handles=True),
            _rules(found, words),
            _world(found, words, handles=True),
            _authors(found, words),
        )
    )


def _say(words: Messages, code: str, **values: object) -> str:
    return words.say(f"found.{code}", **values)


def _lines(words: Messages, group: str, record: object, names: Sequence[str]) -> list[str]:
    """One labelled line for each field that says something."""
    return [_say(words, f"{group}.{name}", text=text) for name in names if (text := str(getattr(record, name)).strip())]


def _row(words: Messages, group: str, record: object, names: Sequence[str]) -> str:
    """A record as one bullet, its fields joined, each without a full stop of its own."""
    row = _say(words, "join").join(line.rstrip("。.") for line in _lines(words, group, record, names))
    return row if row.startswith("- ") else f"- {row}"


def _page(title: str, *sections: tuple[str, list[str]]) -> str:
    parts = [f"# {title}"]
    for heading, lines in sections:
        if lines:
            parts.append("\n".join([f"## {heading}", *lines] if heading else lines))
    return "\n\n".join(parts) + "\n"


def _engine(found: FoundReply, words: Messages) -> str:
    engine = _lines(words, "engine", found.engine, ("want", "opposition", "locked_in", "each_win_worsens"))
    ladder = [_row(words, "engine", rung, ("arena", "opponent", "price", "breaks")) for rung in found.ladder]
    ladder += _lines(words, "engine", found, ("ceiling",))
    return _page(_say(words, "title.engine"), ("", engine), (_say(words, "engine.ladder"), ladder))


def _cast(found: FoundReply, words: Messages, *, handles: bool) -> str:
    sections = []
    for person in found.cast:
        name = _say(words, "cast.name", handle=person.h, name=person.name) if handles else person.name
        lines = []
        if person.aliases:
            lines.append(_say(words, "cast.aliases", text=_say(words, "list").join(person.aliases)))
        lines += _lines(words, "cast", person, ("function", "want", "limit", "tie", "offstage"))
        sections.append((name, lines or [f"- {person.name}"]))
    return _page(_say(words, "title.cast"), *sections)


def _rules(found: FoundReply, words: Messages) -> str:
    rules = [_row(words, "rules", rule, ("can", "cannot", "price", "enforcer")) for rule in found.rules]
    units = [_say(words, "rules.unit", text=unit) for unit in found.units]
    return _page(_say(words, "title.rules"), (_say(words, "rules.list"), rules), (_say(words, "rules.units"), units))


def _world(found: FoundReply, words: Messages, *, handles: bool, quoted: Sequence[str] = ()) -> str:
    calendar = found.calendar
    dates = [_say(words, "world.day", day=calendar.day, text=calendar.label)] if calendar.label else []
    dates += _lines(words, "world", calendar, ("season",))
    names = {thing.h: thing.name for thing in (*found.places, *found.items, *found.groups)}
    routes = []
    for route in found.routes:
        ends = {"start": names.get(route.from_, route.from_), "stop": names.get(route.to, route.to)}
        code = "world.route" if route.by else "world.route_bare"
        routes.append(_say(words, code, **ends, by=route.by, takes=route.takes))
    return _page(
        _say(words, "title.world"),
        (_say(words, "world.calendar"), dates),
        (_say(words, "world.places"), [_thing(words, thing, handles) for thing in found.places]),
        (_say(words, "world.routes"), routes),
        (_say(words, "world.items"), [_thing(words, thing, handles) for thing in found.items]),
        (_say(words, "world.groups"), [_thing(words, thing, handles) for thing in found.groups]),
        (_say(words, "world.brief"), [f"- {quote}" for quote in dict.fromkeys(quoted)]),
    )


def _thing(words: Messages, thing: ThingReply, handles: bool) -> str:
    name = _say(words, "cast.name", handle=thing.h, name=thing.name) if handles else thing.name
    return _say(words, "world.thing" if thing.note else "world.bare", name=name, note=thing.note)


def _authors(found: FoundReply, words: Messages, promises: Sequence[PromiseReply] = ()) -> str:
    names = {person.h: person.name for person in found.cast}
    sections = []
    for secret in found.secrets:
        known = _say(words, "list").join(names.get(who, who) for who in secret.known_by)
        lines = [_say(words, "author.truth", text=secret.truth)]
        lines += [_say(words, "author.known", text=known)] if known else []
        lines += _lines(words, "author", secret, ("surface",))
        lines += [_say(words, "author.clue", text=clue) for clue in secret.clues]
        if secret.out_from and secret.out_by:
            lines.append(_say(words, "author.window", out_from=secret.out_from, out_by=secret.out_by))
        sections.append((_say(words, "author.secret", handle=secret.h, question=secret.question), lines))
    believed = [
        _say(words, "author.believes", name=person.name, text=person.believes)
        for person in found.cast
        if not is_nothing(person.believes)
    ]
    awaited = []
    for promise in promises:
        code = "author.promise" if promise.trigger else "author.promise_bare"
        awaited.append(_say(words, code, core=promise.core, trigger=promise.trigger))
    return _page(
        _say(words, "title.author"),
        *sections,
        (_say(words, "author.beliefs"), believed),
        (_say(words, "author.promises"), awaited),
    )


def outline_of(reply: OutlineReply, words: Messages) -> Outline:
    """The outline as a record. A chapter's key is `c<n>` by its place in the reply; it stays when chapters move."""
    volumes = tuple(
        Volume(title=_distinct(volume.title, n, reply), goal=volume.goal, loss=volume.loss)
        for n, volume in enumerate(reply.volumes)
    ) or (Volume(title=_say(words, "volume")),)
    entries = []
    for n, chapter in enumerate(reply.chapters, 1):
        key = f"c{n}"
        at = next((v for v, volume in enumerate(reply.volumes) if volume.from_ <= n <= volume.to), 0)
        beats = tuple(
            OutlineBeat(key=f"{key}#{b}", handle=f"o{b}", text=text) for b, text in enumerate(chapter.beats, 1)
        )
        entries.append(
            OutlineEntry(
                key=key, volume=volumes[at].title, title=chapter.title, beats=beats, function=chapter.function,
                required="" if is_nothing(chapter.required) else chapter.required, end_kind=chapter.end_kind,
            )
        )  # fmt: skip
    return Outline(volumes=volumes, entries=tuple(entries), last_image=reply.last_image)


def _distinct(title: str, n: int, reply: OutlineReply) -> str:
    """Volumes are told apart by their titles."""
    earlier = [volume.title for volume in reply.volumes[:n]]
    return f"{title} ({n + 1})" if title in earlier or not title else title


def author_files(
    brief: str, found: FoundReply, reply: OutlineReply, words: Messages, quoted: Sequence[str] = ()
) -> dict[str, str]:
    """Everything that belongs to the author from now on, path inside the book → text."""
    files = {
        BRIEF: brief if brief.endswith("\n") else f"{brief}\n",
        "intent.md": f"# {_say(words, 'title.intent')}\n\n{reply.intent}\n",
        "focus.md": f"# {_say(words, 'title.focus')}\n\n{reply.focus}\n",
        "outline.md": render_outline(outline_of(reply, words), words.language),
        TRUTHS: _authors(found, words, reply.promises),
    }
    files |= pages(found, words, quoted)
    spoken = [(person.name, [f"- {line}" for line in person.lines]) for person in found.cast if person.lines]
    if spoken:
        files[VOICES] = _page(_say(words, "title.voices"), *spoken)
    return files
