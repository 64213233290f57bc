"""The paper that a table is drawn on: an image of few colours, where each text knows the ground it stands on."""

from io import BytesIO
from itertools import chain

from PIL import Image, ImageColor, ImageDraw

_SHADES = 12
"""From ground to ink: as many as the eye sees, and few enough that 256 colours serve every pair."""

Box = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels; right and bottom lie just outside."""


class Paper:
    """Drawing by number of colour is several times faster than in full colour, and makes files of a few hundred kB."""

    def __init__(self, width: int, height: int, ground: str) -> None:
        self._colours: list[tuple[int, ...]] = []
        self._scales: dict[tuple[str, str], bytes] = {}
        self._image = Image.new("L", (width, height), self._colour(ground))
        self._draw = ImageDraw.Draw(self._image)

    def fill(self, box: Box, colour: str) -> None:
        """A rectangle of one colour."""
        left, top, right, bottom = box
        self._draw.rectangle((left, top, right - 1, bottom - 1), self._colour(colour))

    def write(self, mask: Image.Image, place: tuple[int, int], ink: str, ground: str) -> None:
        """A text at its top left corner; what is under it must be of the colour `ground`."""
        self._image.paste(mask.point(self._scale(ink, ground)), place)

    def png(self) -> bytes:
        """The picture, without a word about when or by what it was made: the same drawing gives the same bytes."""
        image = self._image.copy()
        image.putpalette(bytes(chain.from_iterable(self._colours)))
        file = BytesIO()
        image.save(file, "PNG")
        return file.getvalue()

    def _colour(self, name: str) -> int:
        return self._scale(name, name)[0]

    def _scale(self, ink: str, ground: str) -> bytes:
        """For each grey of a mask the number of its colour."""
        if (ink, ground) not in self._scales:
            first = len(self._colours)
            shades = 1 if ink == ground else _SHADES
            self._colours += _between(ImageColor.getrgb(ground), ImageColor.getrgb(ink), shades)
            self._scales[ink, ground] = bytes(first + round(grey / 255 * (shades - 1)) for grey in range(256))
        return self._scales[ink, ground]


def _between(first: tuple[int, ...], last: tuple[int, ...], shades: int) -> list[tuple[int, ...]]:
    return [
        tuple(round(a + (b - a) * shade / max(shades - 1, 1)) for a, b in zip(first, last, strict=True))
        for shade in range(shades)
    ]
