"""A picture that somebody uploads: checked by what it is, not by what it says it is, and written anew."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from math import sqrt

from flask_babel import gettext as _
from PIL import Image, ImageOps

from app.faults import Fault, InvalidInput
from app.sources.classroom.publication.table.picture_types import refusal

LARGEST_FILE = 10 * 1024 * 1024
LARGEST_RESULT = 6 * 1024 * 1024
"""Bytes. As PNG a photo is several times what it was as JPEG; it is made smaller until a phone can load it."""

MOST_PIXELS = 40_000_000
LONGEST_SIDE = 12_000
SHORTEST_SIDE = 100
LONGEST_RESULT = 4_096
"""Pixels."""

QUICK = 3
"""Level of compression. More takes several times as long for a photo, and saves a tenth."""

# Pillow's own guard, set to our limit: it looks before a file is decoded. Pictures are decoded nowhere else.
Image.MAX_IMAGE_PIXELS = MOST_PIXELS
warnings.simplefilter("error", Image.DecompressionBombWarning)


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG of nothing but pixels: upright, opaque, no metadata, no colour profile."""

    png: bytes
    width: int
    height: int


def read_picture(uploaded: bytes) -> Picture:
    """The picture in an uploaded PNG, JPEG or WebP file, written anew with at most 4,096 pixels on its longest side.

    Raises InvalidInput for anything else, with a fault on `image`.
    """
    if not uploaded:
        raise _fault(_("Choose a picture: a PNG, JPEG or WebP file."))
    if len(uploaded) > LARGEST_FILE:
        raise _fault(_("The file is larger than 10 MB. Choose a smaller picture."))
    if why := refusal(uploaded):
        raise _fault(why)
    with _decoding(), Image.open(BytesIO(uploaded), formats=("PNG", "JPEG", "WEBP")) as image:
        _check(image)
        pixels = _pixels(image)
    return _written_anew(pixels)


@contextmanager
def _decoding() -> Iterator[None]:
    try:
        yield
    except InvalidInput:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _too_many_pixels() from None
    except Exception:  # what a decoder raises for broken bytes is no closed list
        raise _fault(_("The picture is damaged or incomplete. Save it again, or choose another file.")) from None


def _check(image: Image.Image) -> None:
    """Refuse by the header alone: nothing is decoded yet."""
    width, height = image.size
    if width * height > MOST_PIXELS or max(width, height) > LONGEST_SIDE:
        raise _too_many_pixels()
    if min(width, height) < SHORTEST_SIDE:
        raise _fault(_("The picture is too small to be read: each side needs at least 100 pixels."))
    # A JPEG may hold a second picture, a preview or a depth map: that is a photo, and moves no more than others.
    if image.format in ("PNG", "WEBP") and getattr(image, "n_frames", 1) > 1:
        raise _fault(_("The picture moves. Choose one that stands still."))


def _pixels(image: Image.Image) -> Image.Image:
    """The decoded picture as it is meant to be seen, on white where it is transparent."""
    grey = _eight_bits(image) if image.mode.startswith("I") else image
    colours = grey.convert("RGBA" if grey.has_transparency_data else "RGB")
    colours.thumbnail((LONGEST_RESULT, LONGEST_RESULT))
    upright = ImageOps.exif_transpose(colours)
    sheet = Image.new("RGB", upright.size, "white")
    sheet.paste(upright, mask=upright if upright.mode == "RGBA" else None)
    return sheet


def _eight_bits(image: Image.Image) -> Image.Image:
    # Pillow would cut the 65,536 greys of a scan off at 255 instead of scaling them: a white page.
    return image.convert("I").point(lambda grey: grey * (1 / 256)).convert("L")


def _written_anew(image: Image.Image) -> Picture:
    file = BytesIO()
    image.save(file, "PNG", compress_level=QUICK)
    if (size := file.tell()) <= LARGEST_RESULT:
        return Picture(file.getvalue(), *image.size)
    smaller = 0.9 * sqrt(LARGEST_RESULT / size)
    width, height = (max(1, int(side * smaller)) for side in image.size)
    return _written_anew(image.resize((width, height), Image.Resampling.LANCZOS))


def _too_many_pixels() -> InvalidInput:
    return _fault(_("The picture is too large. Choose one of at most 40 megapixels, no side over 12,000 pixels."))


def _fault(message: str) -> InvalidInput:
    return InvalidInput(Fault("image", message))
