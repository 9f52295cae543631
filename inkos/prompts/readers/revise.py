"""Reads the reviser's reply into patches that may be applied; does not know whether the text gets better."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Sequence

from inkos.kernel.papers import NotByPatch, NumberedFinding, Patch, PatchSet
from inkos.messages import Language
from inkos.prompts.contracts import PatchReply, ReviseReply, keys_of
from inkos.prompts.readers.figures import new_names, unknown_figures
from inkos.prompts.readers.ladder import read_object
from inkos.prompts.readers.read import Faults, Read
from inkos.prompts.readers.shape import Shape
from inkos.prompts.readers.words import plain
from inkos.text.lang import language_of
from inkos.text.quotes import Haystack
from inkos.text.segment import sentences
from inkos.text.speech import spoken

LENGTH = "L1"  # the finding that stands for the correction of length (design/prompts.md §5.7)
SENTENCES = 3  # longer stretches are shrunk to what differs
WARN_OVER, WARN_UNDER, REFUSE_OVER = 1.5, 0.5, 2.0  # new against old, in characters
SLACK = 24  # characters that a replacement of a short clause may always add
WHOLE = 0.6  # of the text in one `new`: the chapter was sent back


def read_revise(
    text: str,
    *,
    findings: Sequence[NumberedFinding],
    prose: str,
    must_keep: Sequence[str] = (),
    known: Collection[str] = (),
    papers: str = "",
    complete: bool = True,
) -> Read[PatchSet]:
    """Patches for `findings` that may be applied to `prose` one by one, each `old` standing there once.

    `known` are names, `papers` the other text that a new name or figure may come from. A refused patch is in the
    notes; when all of a finding's patches are refused for their `old`, or a finding has no answer, that is the fault.
    """
    listed = {item.id: item for item in findings}
    return _read(text, _Desk(prose, must_keep, known, papers, listed, bounded=True), complete)


def read_length(
    text: str,
    *,
    prose: str,
    must_keep: Sequence[str] = (),
    known: Collection[str] = (),
    papers: str = "",
    complete: bool = True,
) -> Read[PatchSet]:
    """Patches that only change the length; a replacement may be much longer or shorter than what it replaces."""
    return _read(text, _Desk(prose, must_keep, known, papers, {}, bounded=False), complete)


def _read(text: str, desk: _Desk, complete: bool) -> Read[PatchSet]:
    found = read_object(text, keys_of(ReviseReply), complete=complete)
    if found.object is None:
        return Read(None, tuple(found.notes), found.fault)
    desk.notes.extend(found.notes)
    faults = Faults()
    reply = Shape(desk.notes, faults).fit(ReviseReply, found.object)
    if reply is None:
        return Read(None, tuple(desk.notes), faults.first())
    made = desk.patches(reply.patches)
    left = [NotByPatch(finding=name, why=item.why) for item in reply.not_by_patch if (name := desk.name(item.finding))]
    if len(left) < len(reply.not_by_patch):
        desk.notes.append(f"not_by_patch: {len(reply.not_by_patch) - len(left)} without a listed finding dropped")
    desk.look(reply.patches, made, left, faults)
    fault = faults.first(("patches",) if not faults.count("unanswered") or faults.count("old") else _BOTH)
    value = PatchSet(patches=tuple(made), not_by_patch=tuple(left))
    return Read(value if fault is None or made else None, tuple(desk.notes), fault)


_BOTH = ("patches", "not_by_patch")


class _Desk:
    """The text under revision with what may not be lost, and the findings it is mended for (none: length only)."""

    def __init__(
        self,
        prose: str,
        must_keep: Sequence[str],
        known: Collection[str],
        papers: str,
        listed: dict[str, NumberedFinding],
        *,
        bounded: bool,
    ) -> None:
        self.prose = prose
        self.language: Language = "zh" if language_of(prose) == "zh" else "en"
        self.haystack = Haystack(prose)
        wholes = [keep if self.haystack.find(keep) else spoken(keep) for keep in must_keep]
        self.keeps = [keep for keep in wholes if keep and self.haystack.find(keep)]
        self.held = "\n".join([prose, papers, *known])
        self.listed = listed
        self.bounded = bounded
        self.notes: list[str] = []
        self.bad_old: dict[str, list[int]] = {}
        self.taken: list[tuple[int, int]] = []

    def name(self, finding: str) -> str | None:
        """The listed finding that a reply means (`F1`, `f1`, `1`), or null."""
        bare = plain(finding)
        if not self.bounded:
            return LENGTH
        for name in self.listed:
            if bare in (plain(name), plain(name).lstrip("f")):
                return name
        return None

    def patches(self, replies: Sequence[PatchReply]) -> list[Patch]:
        made: list[Patch] = []
        for n, reply in enumerate(replies):
            finding = self.name(reply.finding)
            if finding is None:
                self._refuse(n, f"{reply.finding[:20] or 'no finding'} is not listed")
            elif len(reply.new) >= WHOLE * len(self.prose) and len(self.prose) > 400:
                made.extend(self._from_whole(finding, reply, n))
            else:
                patch = self._patch(n, finding, reply)
                if patch is not None:
                    made.append(patch)
        return made

    def _patch(self, n: int, finding: str, reply: PatchReply) -> Patch | None:
        spans = self.haystack.find(reply.old)
        if len(spans) != 1:
            self.bad_old.setdefault(finding, []).append(n)
            self._refuse(n, "old is not in the text" if not spans else f"old stands {len(spans)} times")
            return None
        start, end = spans[0]
        old, new = self.prose[start:end], reply.new
        if self.bounded:
            start, end, new = self._shrunk(start, end, new)
            old = self.prose[start:end]
        why = self._objection(start, end, new)
        if why:
            self._refuse(n, why)
            return None
        if old == new:
            self._refuse(n, "new is old")
            return None
        if self.bounded and new and not WARN_UNDER * len(old) <= len(new) <= WARN_OVER * len(old):
            self.notes.append(f"patches[{n}]: new is {len(new)} characters for {len(old)}")
        self.taken.append((start, end))
        also = tuple(name for item in reply.also if (name := self.name(item)) and name != finding)
        return Patch(finding=finding, also=also, old=old, new=new)

    def _objection(self, start: int, end: int, new: str) -> str:
        """Why a patch of prose[start:end] may not be applied, or nothing."""
        old = self.prose[start:end]
        if any(start < other_end and other_start < end for other_start, other_end in self.taken):
            return "overlaps an earlier patch"
        if not new.strip() and not self._joins(start, end):
            return "a deletion over a paragraph break"
        if self.bounded and len(new) > REFUSE_OVER * len(old) and len(new) - len(old) > SLACK:
            return f"new is {len(new)} characters for {len(old)}"
        figures = unknown_figures(new, self.held, self.language)
        if figures:
            return f"brings in the figure {figures[0]}"
        names = new_names(new, self.held, self.language)
        if names:
            return f"brings in {names[0]}"
        for keep in self.keeps:
            for keep_start, keep_end in self.haystack.find(keep):
                if keep_start < end and start < keep_end and not self._still_there(keep, start, end, new):
                    return "takes away what must stay"
        return ""

    def _still_there(self, keep: str, start: int, end: int, new: str) -> bool:
        margin = len(keep) + 40
        around = self.prose[max(0, start - margin) : start] + new + self.prose[end : end + margin]
        return bool(Haystack(around).find(keep))

    def _joins(self, start: int, end: int) -> bool:
        """A deletion reads on if it stays within a paragraph or takes whole ones."""
        if "\n" not in self.prose[start:end].strip("\n"):
            return True
        before = self.prose[:start].rstrip(" ")
        after = self.prose[end:].lstrip(" ")
        return (not before or before.endswith("\n")) and (not after or after.startswith("\n"))

    def _shrunk(self, start: int, end: int, new: str) -> tuple[int, int, str]:
        """A long stretch without the sentences that old and new share at either end."""
        old = self.prose[start:end]
        olds = [span.text for span in sentences(old, self.language)]
        if len(olds) <= SENTENCES or not new.strip():
            return start, end, new
        head = len(_common(old, new))
        tail = len(_common(old[head:][::-1], new[head:][::-1]))
        spans = sentences(old, self.language)
        first = max((span.start for span in spans if span.start <= head), default=0)
        last = min((span.end for span in spans if span.end >= len(old) - tail), default=len(old))
        cut = start + first, start + last
        if first >= last or len(self.haystack.find(self.prose[cut[0] : cut[1]])) != 1:
            return start, end, new
        self.notes.append(f"old of {len(olds)} sentences shrunk to what differs")
        return cut[0], cut[1], new[first : len(new) - (len(old) - last)]

    def _from_whole(self, finding: str, reply: PatchReply, n: int) -> list[Patch]:
        """The chapter sent back: only what differs near a finding is taken."""
        self.notes.append(f"patches[{n}]: the chapter was sent back; only what differs near a finding is taken")
        olds, news = sentences(self.prose, self.language), sentences(reply.new, self.language)
        match = difflib.SequenceMatcher(None, [s.text for s in olds], [s.text for s in news], autojunk=False)
        near = self._near()
        made = []
        for tag, a, b, c, d in match.get_opcodes():
            if tag == "equal" or a == b or not any(a - 1 <= place <= b for place in near):
                continue
            start, end = olds[a].start, olds[b - 1].end
            new = reply.new[news[c].start : news[d - 1].end] if c < d else ""
            old = self.prose[start:end]
            if len(self.haystack.find(old)) == 1 and not self._objection(start, end, new):
                self.taken.append((start, end))
                made.append(Patch(finding=finding, old=old, new=new))
        if not made:
            self.bad_old.setdefault(finding, []).append(n)
        return made

    def _near(self) -> list[int]:
        """Numbers of the sentences in which the findings' quotes stand."""
        spans = [
            span for item in self.listed.values() for quote in item.finding.quotes if quote.source == "text"
            for span in self.haystack.find(quote.text)
        ]  # fmt: skip
        return [
            n for n, sentence in enumerate(sentences(self.prose, self.language))
            if any(start < sentence.end and sentence.start < end for start, end in spans)
        ]  # fmt: skip

    def look(
        self, replies: Sequence[PatchReply], made: Sequence[Patch], left: Sequence[NotByPatch], faults: Faults
    ) -> None:
        """Findings that got no patch that can be applied, and no word why."""
        if not self.bounded:
            if not made and self.bad_old:
                for n in self.bad_old[LENGTH]:
                    faults.add("old", f"patches[{n}]")
            return
        answered = {name for patch in made for name in (patch.finding, *patch.also)} | {item.finding for item in left}
        tried = {name for reply in replies for item in (reply.finding, *reply.also) if (name := self.name(item))}
        for name in self.listed:
            if name in answered:
                continue
            if name in self.bad_old:
                for n in self.bad_old[name]:
                    faults.add("old", f"patches[{n}]")
            elif name not in tried:
                faults.add("unanswered", name)

    def _refuse(self, n: int, why: str) -> None:
        self.notes.append(f"patches[{n}] refused: {why}")


def _common(one: str, two: str) -> str:
    for n, (a, b) in enumerate(zip(one, two, strict=False)):
        if a != b:
            return one[:n]
    return one[: min(len(one), len(two))]
