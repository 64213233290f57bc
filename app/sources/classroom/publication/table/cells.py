"""The shifts of one tutor on one day, stacked as blocks in their cell of the drawn table."""

from collections.abc import Sequence

from app.sources.classroom.publication.table.colours import INK, MUTED, SHIFT
from app.sources.classroom.publication.table.columns import DAY_WIDTH
from app.sources.classroom.publication.table.layout import Entry, Row
from app.sources.classroom.publication.table.lettering import Lettering
from app.sources.classroom.publication.table.pen import LEAST_SIZE, Pen

TIME, PLACE = 28, 20
TIME_LINE, PLACE_LINE = 31, 24
INSET, PAD, GAP = 4, 3, 4
TEXT_WIDTH = DAY_WIDTH - 2 * INSET - 4


class Cells:
    """Measures and draws cells."""

    def __init__(self, lettering: Lettering) -> None:
        self._lettering = lettering

    def height(self, row: Row) -> int:
        """What the fullest day of the row needs."""
        return max(self._height(entries) for entries in row.cells)

    def draw(self, pen: Pen, entries: Sequence[Entry], left: int, top: int, bottom: int) -> None:
        """The blocks of one day, together in the middle of their cell."""
        y = top + (bottom - top - self._height(entries)) // 2 + INSET
        for entry in entries:
            below = y + self._block_height(entry)
            pen.fill((left + INSET, y, left + DAY_WIDTH - INSET + 1, below), SHIFT)
            self._write(pen, entry, left, y + PAD)
            y = below + GAP

    def _write(self, pen: Pen, entry: Entry, left: int, y: int) -> None:
        lines = [(entry.start, TIME, TIME_LINE, INK), (entry.end, TIME, TIME_LINE, INK)]
        lines += [(line, PLACE, PLACE_LINE, MUTED) for line in self._place(entry)]
        for text, size, height, ink in lines:
            start = left + (DAY_WIDTH - TEXT_WIDTH) // 2
            pen.write(text, (start, y, start + TEXT_WIDTH, y + height), size, ink, SHIFT)
            y += height

    def _height(self, entries: Sequence[Entry]) -> int:
        return sum(self._block_height(entry) + GAP for entry in entries) - GAP + 2 * INSET

    def _block_height(self, entry: Entry) -> int:
        return 2 * TIME_LINE + len(self._place(entry)) * PLACE_LINE + 2 * PAD

    def _place(self, entry: Entry) -> list[str]:
        return self._lettering.lines(entry.classroom, TEXT_WIDTH, LEAST_SIZE) if entry.classroom else []
