"""Writing texts into boxes on the paper of a shift table."""

from app.sources.classroom.publication.table.lettering import Lettering
from app.sources.classroom.publication.table.paper import Box, Paper

LEAST_SIZE = 16
"""Pixels: what a zoomed phone still shows. What is too long even then is cut."""

START, CENTRE, END = 0.0, 0.5, 1.0
"""Where a text stands in its box."""


class Pen:
    """Paper and letters together."""

    def __init__(self, paper: Paper, lettering: Lettering) -> None:
        self._paper, self._lettering = paper, lettering

    def fill(self, box: Box, colour: str) -> None:
        """A rectangle of one colour."""
        self._paper.fill(box, colour)

    def write(self, text: str, box: Box, size: int, ink: str, ground: str, place: float = CENTRE) -> None:
        """One line in the vertical middle of its box, shrunk or cut to its width."""
        left, top, right, bottom = box
        mask = self._lettering.mask(text, size, right - left, LEAST_SIZE)
        x = left + round((right - left - mask.width) * place)
        y = top + round((bottom - top - mask.height) / 2)
        self._paper.write(mask, (x, y), ink, ground)
