"""The tutors of a drawn shift table: name, and classroom where a tutor has one."""

from app.sources.classroom.publication.table.colours import MUTED, SURFACE
from app.sources.classroom.publication.table.columns import NAME_WIDTH
from app.sources.classroom.publication.table.layout import Row
from app.sources.classroom.publication.table.lettering import Lettering
from app.sources.classroom.publication.table.pen import START, Pen

NAME, PLACE = 32, 23
NAME_LINE, PLACE_LINE = 38, 32
LEAST_IN_ONE_LINE = 25
"""Pixels. A name that would become smaller takes two lines."""
PAD = 14
TEXT_WIDTH = NAME_WIDTH - 2 * PAD


class Names:
    """Measures and draws the names' columns."""

    def __init__(self, lettering: Lettering) -> None:
        self._lettering = lettering

    def height(self, row: Row) -> int:
        """What the row needs for its name."""
        return len(self._name(row)) * NAME_LINE + (PLACE_LINE if row.classroom else 0)

    def draw(self, pen: Pen, row: Row, left: int, top: int, bottom: int, ink: str) -> None:
        """The name and the classroom, together in the middle of their cell."""
        lines = [(line, NAME, NAME_LINE, ink) for line in self._name(row)]
        lines += [(row.classroom, PLACE, PLACE_LINE, MUTED)] if row.classroom else []
        y = (top + bottom - self.height(row)) // 2
        for text, size, height, colour in lines:
            pen.write(text, (left + PAD, y, left + PAD + TEXT_WIDTH, y + height), size, colour, SURFACE, START)
            y += height

    def _name(self, row: Row) -> list[str]:
        return self._lettering.lines(row.tutor, TEXT_WIDTH, LEAST_IN_ONE_LINE)
