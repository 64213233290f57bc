"""The fonts that tables are drawn with: where they lie, and which characters each has."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from flask_babel import gettext as _
from PIL import ImageFont

DEBIAN_FONT = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")
PACKAGE = "noto_cjk_sans_jp_regular"
PACKAGE_FONT = "NotoSansCJKjp-Regular.otf"

GETA = "〓"
"""Stands for a character that no font has, as printers have always set it."""
NEEDED = GETA + "…–:0123456789月火水木金土日シフト表講師教室合計"

_NO_CHARACTER = "\uffff"
_MEASURE = 24


class FontMissing(Exception):  # noqa: N818  # it names what is missing
    """No font here can draw a Japanese table; the text says, in the reader's language, what to install."""


class Face:
    """One font. Not for several threads at once: open one for each drawing, it takes a millisecond."""

    def __init__(self, path: Path) -> None:
        """Raises OSError for a file that is no font."""
        self._path = path
        self._index = _japanese_index(path)
        self._fonts: dict[int, ImageFont.FreeTypeFont] = {}
        # Without shaping a character is one glyph, and one that the font lacks is its sign for "no such character".
        self._glyphs = ImageFont.truetype(path, _MEASURE, self._index, layout_engine=ImageFont.Layout.BASIC)
        self._lacking = self._picture(_NO_CHARACTER)
        self._has = {" ": True}

    @property
    def shapes(self) -> bool:
        """Whether letters are shaped, which needs libfribidi on the system: only then do variants of a kanji differ."""
        return self.font(_MEASURE).layout_engine == ImageFont.Layout.RAQM

    def font(self, pixels: int) -> ImageFont.FreeTypeFont:
        """The font at this size."""
        if pixels not in self._fonts:
            self._fonts[pixels] = ImageFont.truetype(self._path, pixels, self._index)
        return self._fonts[pixels]

    def has(self, character: str) -> bool:
        """Whether the font can draw this character; Pillow would draw a box and say nothing."""
        if character not in self._has:
            self._has[character] = self._picture(character) != self._lacking
        return self._has[character]

    def _picture(self, character: str) -> tuple[tuple[int, int], bytes]:
        mask = self._glyphs.getmask(character)
        return mask.size, bytes(mask)


def faces(chosen: Path | None) -> list[Face]:
    """The fonts to draw with, the best first: SHIFT_FONT_PATH, Debian's fonts-noto-cjk, the installed package.

    Raises FontMissing when none of them has the characters of a Japanese table.
    """
    found = [_open_chosen(chosen)] if chosen else []
    found += [Face(path) for path in (DEBIAN_FONT, *_package_font()) if path.is_file()]
    if not any(all(face.has(character) for character in NEEDED) for face in found):
        raise FontMissing(
            _(
                "No font for Japanese was found. Install the Python package noto-cjk-sans-jp-regular or the Debian "
                "package fonts-noto-cjk, or set SHIFT_FONT_PATH to the file of a Japanese font."
            )
        )
    return found


def _open_chosen(path: Path) -> Face:
    try:
        return Face(path)
    except OSError:
        raise FontMissing(_("SHIFT_FONT_PATH names no font that can be read: %(path)s", path=path)) from None


def _package_font() -> Iterator[Path]:
    package = find_spec(PACKAGE)
    for place in (package and package.submodule_search_locations) or []:
        yield Path(place) / PACKAGE_FONT


def _japanese_index(path: Path) -> int:
    """Which font of a collection is the Japanese one: the same characters look different in Chinese."""
    index = 0
    while path.suffix.lower() in (".ttc", ".otc"):
        try:
            family, _style = ImageFont.truetype(path, _MEASURE, index).getname()
        except OSError:
            return 0
        if family and family.endswith("JP"):
            return index
        index += 1
    return 0
