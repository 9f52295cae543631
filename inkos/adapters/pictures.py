"""Cover pictures: a given one read within bounds and fitted, a drawn one rendered; knows no book.

Pillow reads and writes JPEG and PNG, resvg draws SVG with the fonts that it finds on the machine.
"""

from __future__ import annotations

import io
from html import escape

from inkos.errors import InkosError
from inkos.export.profile import CoverForm
from inkos.ports import Picture

MOST_PIXELS = 80_000_000  # a poster; more is a trap, unpacked it would take 240 MB and more
QUALITY = 90
_NO_LETTER = "\U000ffff0"
_CELL = 24  # pixels for one letter of the probe


def fitted(content: bytes, where: str, form: CoverForm) -> Picture:
    """The picture as it goes out, with the size in pixels that it was given in. One that fits stays byte for byte.
    InkosError `export-cover` when it is neither JPEG nor PNG, `export-cover-broken` when it cannot be read."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(content), formats=("JPEG", "PNG")) as image:
            width, height = image.size
            if width * height > MOST_PIXELS:
                raise InkosError("export-cover-broken", where=where, detail=f"{width} × {height}")
            image.load()
            kind = str(image.format)
            turned = image.getexif().get(0x0112, 1) != 1
            picture = ImageOps.exif_transpose(image)
    except UnidentifiedImageError as error:
        raise InkosError("export-cover", where=where) from error
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise InkosError("export-cover-broken", where=where, detail=str(error)) from error
    width, height = picture.size
    odd = turned or picture.mode not in ("RGB", "L", "P", "RGBA", "LA") or (form.jpeg and kind != "JPEG")
    if not odd and width <= form.width and height <= form.height and len(content) <= form.most_kb * 1000:
        return Picture(content=content, media_type="image/jpeg" if kind == "JPEG" else "image/png",
                       width=width, height=height)  # fmt: skip
    picture.thumbnail((form.width, form.height), Image.Resampling.LANCZOS)
    return Picture(content=_jpeg(picture), media_type="image/jpeg", width=width, height=height)


def _jpeg(picture: object) -> bytes:
    """On white, since JPEG knows no transparency; without whatever else the file said about itself."""
    from PIL import Image

    assert isinstance(picture, Image.Image)
    flat = picture
    if "A" in picture.getbands() or "transparency" in picture.info:
        over = picture.convert("RGBA")
        flat = Image.new("RGB", over.size, "white")
        flat.paste(over, mask=over.getchannel("A"))
    out = io.BytesIO()
    flat.convert("RGB").save(out, "JPEG", quality=QUALITY, optimize=True)
    return out.getvalue()


def drawn(svg: str, words: str, form: CoverForm) -> Picture | None:
    """An SVG as JPEG, as wide as the form wants; null where no font on this machine has letters for all the words."""
    import resvg_py
    from PIL import Image

    if not _has_letters(words):
        return None
    with Image.open(io.BytesIO(resvg_py.svg_to_bytes(svg_string=svg, width=form.width))) as image:
        width, height = image.size
        return Picture(content=_jpeg(image), media_type="image/jpeg", width=width, height=height)


def _has_letters(words: str) -> bool:
    """Draw every letter in a cell of its own: for one that no font has, resvg draws nothing, or what it draws for a
    place of private use, which no font fills."""
    import resvg_py
    from PIL import Image

    letters = [*sorted({letter for letter in words if letter.isalnum()}), _NO_LETTER]
    cells = "".join(
        f'<text x="{4 + _CELL * at}" y="{_CELL - 6}" font-size="16" font-family="serif">{escape(letter)}</text>'
        for at, letter in enumerate(letters)
    )
    size = f'width="{_CELL * len(letters)}" height="{_CELL}"'
    probe = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{cells}</svg>'
    with Image.open(io.BytesIO(resvg_py.svg_to_bytes(svg_string=probe))) as image:
        ink = image.getchannel("A")
        drawn = [ink.crop((_CELL * at, 0, _CELL * (at + 1), _CELL)) for at in range(len(letters))]
        return all(cell.getbbox() and cell.tobytes() != drawn[-1].tobytes() for cell in drawn[:-1])
