"""Safe names for folders and files, whatever a title or a path says; does not touch the disk but to resolve links."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from inkos.errors import UsageFault

# What no common file system, or no shell in daily use, takes in a name (Windows, exFAT, APFS, ext4).
_FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f-\x9f]+')
_BLANKS = re.compile(r"\s+")
# Device names of Windows, with or without an ending; the superscript digits count there, too.
_RESERVED = re.compile(r"^(con|prn|aux|nul|conin\$|conout\$|clock\$|(com|lpt)[0-9¹²³])(\..*)?$", re.IGNORECASE)
# 255 bytes is the limit of a name on Linux; a book's folder stands in longer paths (260 characters on Windows).
MAX_BYTES = 120
_ARTEFACT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@#+-]{0,119}")


def key_of(name: str) -> str:
    """What two names have in common when a case-blind, form-blind disk takes them for one."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _clean(title: str) -> str:
    name = unicodedata.normalize("NFC", title)
    name = "".join(" " if unicodedata.category(mark) in ("Cc", "Cf", "Cs", "Zl", "Zp") else mark for mark in name)
    name = _FORBIDDEN.sub(" ", name)
    name = _BLANKS.sub(" ", name).strip(" .").lstrip("-~ .")
    return name.replace(" ", "-")


def _cut(name: str, limit: int) -> str:
    """As many whole characters as fit; a combining mark does not lose its letter."""
    while len(name.encode()) > limit:
        name = name[:-1]
    while name and unicodedata.combining(name[-1]) and len(name) > 1 and len(name.encode()) >= limit - 4:
        name = name[:-1]
    return name.rstrip(" .-")


def folder_name(title: str, taken: Iterable[str] = ()) -> str:
    """A folder name for any title: the same on every system, never one that is taken (case and form aside).

    The title itself is kept in book.yaml; this is only where the book lies.
    """
    name = _cut(_clean(title), MAX_BYTES) or "book"
    if _RESERVED.match(name):
        name = f"book-{name}"
    used = {key_of(other) for other in taken}
    candidate, number = name, 1
    while key_of(candidate) in used:
        number += 1
        candidate = f"{_cut(name, MAX_BYTES - 8)}-{number}"
    return candidate


def is_safe_name(name: str) -> bool:
    """Whether a name that a person typed can be used for a folder as it stands."""
    return (
        bool(name)
        and unicodedata.normalize("NFC", name) == name
        and not _FORBIDDEN.search(name)
        and name == name.strip().strip(".")
        and not re.search(r"[^\S ]", name)
        and not name.startswith(("-", "~", "."))
        and not _RESERVED.match(name)
        and len(name.encode()) <= MAX_BYTES
        and not any(unicodedata.category(mark) in ("Cc", "Cf", "Cs", "Zl", "Zp") for mark in name)
    )


def check_name(name: str) -> str:
    """The name, or UsageFault `name-unsafe` with one that would do."""
    if not is_safe_name(name):
        raise UsageFault("name-unsafe", where=name, suggestion=folder_name(name))
    return name


def check_artefact(name: str) -> str:
    """A run's id or an artefact's name: ASCII letters, digits and `._@#+-`, no path."""
    if not _ARTEFACT.fullmatch(name) or ".." in name or name.endswith(".") or _RESERVED.match(name):
        raise UsageFault("path-unsafe", where=name)
    return name


def _writable(part: str) -> bool:
    return not any("\ud800" <= mark <= "\udfff" for mark in part)


def inside(root: Path, relative: str) -> Path:
    """The path of a file inside `root`. Refuses (UsageFault `path-unsafe`) absolute paths, drive letters, `..`, empty
    parts, control characters, and links that lead out of `root`."""
    parts = relative.split("/")
    bad = any(part in ("", ".", "..") or _FORBIDDEN.search(part) or _RESERVED.match(part) for part in parts)
    bad = bad or any(part != part.rstrip(" .") for part in parts)
    # Half a surrogate pair cannot be written, and no file system takes more than 255 bytes.
    bad = bad or any(len(part.encode("utf-8", "surrogatepass")) > 255 or not _writable(part) for part in parts)
    if bad:
        raise UsageFault("path-unsafe", where=relative)
    path = root.joinpath(*parts)
    # Without a link among them the parts cannot lead out, and resolving costs ten times as much.
    linked = any(os.path.islink(root.joinpath(*parts[:upto])) for upto in range(1, len(parts) + 1))
    if linked and not path.resolve().is_relative_to(root.resolve()):
        raise UsageFault("path-unsafe", where=relative)
    return path
