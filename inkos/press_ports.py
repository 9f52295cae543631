"""What the shell asks of the world when a book leaves, as protocols: profiles, pictures, the typesetter, the judge."""

from __future__ import annotations

from typing import Protocol

from inkos.export.manuscript import CoverType
from inkos.export.profile import CoverForm, Profile
from inkos.messages import Language
from inkos.records import Record


class Picture(Record):
    """A picture as it goes out; `width` and `height` are those that it was given in, in pixels."""

    content: bytes
    media_type: CoverType
    width: int
    height: int


class EpubReport(Record):
    """Messages of epubcheck by severity; `lines` are its own words."""

    errors: int
    warnings: int
    lines: tuple[str, ...] = ()


class Press(Protocol):
    """The part of the workspace that makes files for readers."""

    def profile(self, name: str) -> tuple[Profile, str]:
        """A platform's profile, and the workspace's file that was laid over it (empty: none). UsageFault `choice`."""
        ...

    def fitted_cover(self, content: bytes, where: str, form: CoverForm) -> Picture:
        """A given picture as the form wants it. InkosError `export-cover`, `export-cover-broken`."""
        ...

    def drawn_cover(self, svg: str, words: str, form: CoverForm) -> Picture | None:
        """A drawn picture, or null where no font on this machine has letters for its words."""
        ...

    def typeset(self, source: str, language: Language) -> bytes:
        """A printed book as PDF. InkosError `export-pdf-…`."""
        ...

    def epubcheck_version(self) -> str: ...
    def epubcheck(self, epub: bytes) -> EpubReport | None:
        """What epubcheck says, or null where it is not installed."""
        ...
