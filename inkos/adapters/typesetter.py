"""The typesetter Typst, where it is installed: source in, PDF out; does not know what a book is."""

from __future__ import annotations

from inkos.errors import InkosError

# Faces that a Chinese book may be set in (export.typst asks for them in this order).
CHINESE = frozenset({"source han serif sc", "noto serif cjk sc", "songti sc", "stsong", "simsun"})


def typeset(source: str, faces: frozenset[str] = frozenset()) -> bytes:
    """The PDF. The same source gives the same bytes where the same fonts are installed. `faces`: families of which one
    must be there. InkosError `export-pdf-missing` without the package, `export-pdf-font` without a face,
    `export-pdf-failed` when it refuses the source."""
    try:
        import typst
    except ImportError as error:
        raise InkosError("export-pdf-missing", where="typst") from error
    if faces and not faces & {name.casefold() for name in typst.Fonts().families()}:
        raise InkosError("export-pdf-font", where=", ".join(sorted(faces)))
    try:
        made = typst.compile(source.encode())
    except typst.TypstError as error:
        raise InkosError("export-pdf-failed", where="typst", detail=str(error)[:300]) from error
    assert isinstance(made, bytes)
    return made
