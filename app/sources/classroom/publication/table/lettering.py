"""Texts as small grey pictures: shrunk or cut to the width there is, with no character lost silently."""

import re
from collections.abc import Sequence
from math import ceil
from unicodedata import category, normalize

from PIL import Image, ImageDraw

from app.sources.classroom.publication.table.fonts import GETA, Face

LINE_HEIGHT = 1.25
"""Of the size of the letters."""
_MIDDLE = 0.37
"""How far above the base line the middle of digits and kanji is, of the size of the letters."""

_MARKS = "\u0300-\u036f\u3099\u309a"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_COMPOSABLE = re.compile(rf"[^\W_][{_MARKS}]+")
_WHOLE = re.compile(rf".[{_MARKS}{_SELECTORS}]*", re.DOTALL)
_SELECTOR = re.compile(rf"[{_SELECTORS}]")


class Lettering:
    """Draws the texts of one picture, and remembers in `missing` the characters that no font had."""

    def __init__(self, faces: Sequence[Face]) -> None:
        self._faces = faces
        self._masks: dict[tuple[str, int, int, int], Image.Image] = {}
        self.missing: set[str] = set()

    def mask(self, text: str, size: int, width: int, smallest: int) -> Image.Image:
        """The text, at most `width` wide: smaller down to `smallest`, then cut in its middle. Sizes are pixels."""
        key = (text, size, width, smallest)
        if key not in self._masks:
            self._masks[key] = self._draw(*key)
        return self._masks[key]

    def lines(self, text: str, width: int, smallest: int) -> list[str]:
        """The text in one line if it fits at the smallest size, else in two: after a space or ・, or in the middle."""
        face, drawn = self._face_for(text)
        if face.font(smallest).getlength(drawn) <= width:
            return [drawn]
        whole = _WHOLE.findall(drawn)
        middle = len(whole) // 2
        breaks = (after for after, part in enumerate(whole, 1) if part in (" ", "・"))
        at = min(breaks, key=lambda after: abs(after - middle), default=middle)
        lines = ("".join(whole[:at]).rstrip(), "".join(whole[at:]))
        return [line for line in lines if line]

    def _draw(self, text: str, size: int, width: int, smallest: int) -> Image.Image:
        face, drawn = self._face_for(text)
        pixels = _size_that_fits(face, drawn, size, width, smallest)
        drawn, font = _cut(face, drawn, pixels, width), face.font(pixels)
        height = round(size * LINE_HEIGHT)
        mask = Image.new("L", (min(ceil(font.getlength(drawn)) + 2, width + 2), height))
        base_line = height / 2 + pixels * _MIDDLE
        ImageDraw.Draw(mask).text((1, base_line), drawn, 255, font, anchor="ls")
        return mask

    def _face_for(self, text: str) -> tuple[Face, str]:
        """The font that has most of the text, and the text with a geta for each character that it lacks."""
        clean = _clean(text)
        lacking = {face: {c for c in clean if not _SELECTOR.match(c) and not face.has(c)} for face in self._faces}
        face = min(self._faces, key=lambda face: len(lacking[face]))
        self.missing.update(lacking[face])
        drawn = "".join(GETA if character in lacking[face] else character for character in clean)
        # A selector chooses between forms of one character. Unshaped it would be a box of its own.
        return face, drawn if face.shapes else _SELECTOR.sub("", drawn)


def _clean(text: str) -> str:
    """One line of visible characters. Composes か + ゛ but not whole names: that would turn 神 into another 神."""
    composed = _COMPOSABLE.sub(lambda found: normalize("NFC", found[0]), text)
    visible = "".join(c for c in composed if c.isspace() or category(c) not in ("Cc", "Cf"))
    return " ".join(visible.split())


def _size_that_fits(face: Face, text: str, size: int, width: int, smallest: int) -> int:
    for pixels in range(size, smallest, -1):
        if face.font(pixels).getlength(text) <= width:
            return pixels
    return smallest


def _cut(face: Face, text: str, pixels: int, width: int) -> str:
    """Both ends are kept: names that begin alike often end differently."""
    font, whole, kept = face.font(pixels), _WHOLE.findall(text), text
    for left in range(len(whole) - 1, -1, -1):
        if font.getlength(kept) <= width:
            break
        tail = left // 2
        kept = "".join(whole[: left - tail]) + "…" + "".join(whole[len(whole) - tail :])
    return kept
