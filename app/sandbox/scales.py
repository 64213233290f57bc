"""The named sizes of Flex messages with their pixels, and the nearest name for a size given in pixels."""

import re
from collections.abc import Mapping

TEXT_SIZES = {
    "xxs": 11, "xs": 13, "sm": 14, "md": 16, "lg": 19, "xl": 22, "xxl": 29, "3xl": 35, "4xl": 48, "5xl": 74,
}  # fmt: skip
SPACES = {"none": 0, "xs": 2, "sm": 4, "md": 8, "lg": 12, "xl": 16, "xxl": 20}

_PIXELS = re.compile(r"(\d{1,4}(?:\.\d{1,4})?)px")


def nearest(value: object, scale: Mapping[str, int], otherwise: str) -> str:
    """The name on `scale` that `value` is, or whose pixels are nearest to it; `otherwise` when it is neither."""
    if not isinstance(value, str):
        return otherwise
    pixels = _PIXELS.fullmatch(value)
    if not pixels:
        return value if value in scale else otherwise
    return min(scale, key=lambda name: abs(scale[name] - float(pixels[1])))
