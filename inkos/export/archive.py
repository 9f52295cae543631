"""Zip files that are the same bytes for the same content: EPUB and DOCX; knows neither."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable, Mapping

Late = Mapping[str, Callable[[], bytes | Iterable[bytes]]]

EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip entry can carry


def packed_anew(raw: io.BytesIO, late: Late) -> bytes:
    """The same entries with fixed times and owner, `mimetype` (which EPUB wants first) stored and all else packed. The
    content of the entries named in `late` is made here, one at a time, in place of what they held."""
    packed = io.BytesIO()
    with zipfile.ZipFile(raw) as source, zipfile.ZipFile(packed, "w") as target:
        for name in source.namelist():
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            content = late[name]() if name in late else source.read(name)
            with target.open(entry, "w") as out:
                for part in [content] if isinstance(content, bytes) else content:
                    out.write(part)
    return packed.getvalue()
