"""A month's shift table as a picture: to be pinned to the wall, and to be read on a phone when zoomed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from flask_babel import gettext as _

from app.faults import Fault, InvalidInput
from app.sources.classroom.publication.table.cells import Cells
from app.sources.classroom.publication.table.colours import (
    BACKGROUND,
    DAY_GROUNDS,
    DAY_INKS,
    HEAD_GROUNDS,
    INK,
    LINE,
    MUTED,
    STRONG_LINE,
    SUNKEN,
    SURFACE,
)
from app.sources.classroom.publication.table.columns import DAY_WIDTH, MARGIN, NAME_WIDTH, TOTAL_WIDTH, columns
from app.sources.classroom.publication.table.edition import DayKind
from app.sources.classroom.publication.table.fonts import Face
from app.sources.classroom.publication.table.layout import Row, Table
from app.sources.classroom.publication.table.lettering import Lettering
from app.sources.classroom.publication.table.names import Names
from app.sources.classroom.publication.table.paper import Paper
from app.sources.classroom.publication.table.pen import END, START, Pen

TALLEST = 12_000
"""Pixels. Phones give up on pictures much taller."""

TITLE, NUMBER, TOTAL, SMALL = 60, 34, 27, 23
TITLE_BAND, HEAD, LEAST_ROW, FOOT = 140, 90, 80, 92
PAD, GAP = 14, 8

MOST_ROWS_BELOW_A_HEAD = 14
"""The days are said again further down, so that a zoomed phone shows them near every row."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A finished PNG. `missing` are the characters that no font had: they are drawn as 〓."""

    png: bytes
    width: int
    height: int
    missing: Sequence[str]


def draw(table: Table, faces: Sequence[Face]) -> Drawing:
    """Draw the table. The same table and fonts give the same bytes.

    Raises InvalidInput for a table too tall for one picture.
    """
    lettering = Lettering(faces)
    sheet = _Sheet(table, Names(lettering), Cells(lettering))
    if sheet.height > TALLEST:
        raise InvalidInput(Fault("classroom", _("This table is too long for one picture. Choose a single classroom.")))
    paper = Paper(sheet.width, sheet.height, BACKGROUND)
    sheet.draw(Pen(paper, lettering))
    return Drawing(paper.png(), sheet.width, sheet.height, sorted(lettering.missing))


class _Sheet:
    """Where the rows stand, and what is drawn in each."""

    def __init__(self, table: Table, names: Names, cells: Cells) -> None:
        self._table, self._names, self._cells = table, names, cells
        self._columns = columns(len(table.days))
        self._heights = [max(LEAST_ROW, cells.height(row), names.height(row) + GAP) for row in table.rows]
        self._groups = _groups(len(table.rows))
        self._bottom = TITLE_BAND + len(self._groups) * HEAD + sum(self._heights)
        self.width = self._columns.right + MARGIN
        self.height = self._bottom + FOOT

    def draw(self, pen: Pen) -> None:
        top = TITLE_BAND
        self._write_title(pen)
        for group in self._groups:
            self._draw_head(pen, top, top := top + HEAD)
            for number in group:
                self._draw_row(pen, self._table.rows[number], top, top := top + self._heights[number])
        self._draw_frame(pen)
        self._write_footer(pen)

    def _write_title(self, pen: Pen) -> None:
        box = (MARGIN, 24, self._columns.right, TITLE_BAND - 16)
        pen.write(self._table.title, box, TITLE, INK, BACKGROUND, START)

    def _draw_head(self, pen: Pen, top: int, bottom: int) -> None:
        self._lay_ground(pen, top, bottom, SUNKEN, HEAD_GROUNDS)
        for left in self._columns.names:
            pen.write(self._table.tutor, self._name_box(left, top, bottom), SMALL, MUTED, SUNKEN, START)
        pen.write(self._table.total, self._total_box(top, bottom), SMALL, MUTED, SUNKEN, END)
        for day, left in zip(self._table.days, self._columns.days, strict=True):
            ink, ground, right = DAY_INKS[day.kind], HEAD_GROUNDS[day.kind], left + DAY_WIDTH
            pen.write(day.number, (left + 1, top + 6, right, top + 50), NUMBER, ink, ground)
            pen.write(day.weekday, (left + 1, top + 48, right, top + 82), SMALL, ink, ground)

    def _draw_row(self, pen: Pen, row: Row, top: int, bottom: int) -> None:
        self._lay_ground(pen, top, bottom, SURFACE, DAY_GROUNDS)
        middle = (top + bottom) // 2
        for left, ink in zip(self._columns.names, (INK, MUTED, MUTED), strict=True):
            self._names.draw(pen, row, left, top, bottom, ink)
        pen.write(row.count, self._total_box(middle - 36, middle), TOTAL, INK, SURFACE, END)
        pen.write(row.hours, self._total_box(middle, middle + 34), SMALL, MUTED, SURFACE, END)
        for entries, left in zip(row.cells, self._columns.days, strict=True):
            self._cells.draw(pen, entries, left, top, bottom)

    def _lay_ground(self, pen: Pen, top: int, bottom: int, plain: str, by_day: Mapping[DayKind, str]) -> None:
        pen.fill((MARGIN, top, self._columns.right, bottom), plain)
        for day, left in zip(self._table.days, self._columns.days, strict=True):
            pen.fill((left, top, left + DAY_WIDTH, bottom), by_day[day.kind])
        for left in self._columns.edges:
            pen.fill((left, top, left + 1, bottom), LINE)
        pen.fill((MARGIN, bottom - 1, self._columns.right, bottom), LINE)

    def _draw_frame(self, pen: Pen) -> None:
        right, top, bottom = self._columns.right, TITLE_BAND, self._bottom
        pen.fill((MARGIN, top, right, top + 2), STRONG_LINE)
        pen.fill((MARGIN, bottom - 2, right, bottom), STRONG_LINE)

    def _write_footer(self, pen: Pen) -> None:
        top, half = self._bottom + 12, (MARGIN + self._columns.right) // 2
        pen.write(self._table.footer, (MARGIN, top, half, top + 44), SMALL, MUTED, BACKGROUND, START)
        pen.write(self._table.note, (half, top, self._columns.right, top + 44), SMALL, MUTED, BACKGROUND, END)

    def _name_box(self, left: int, top: int, bottom: int) -> tuple[int, int, int, int]:
        return left + PAD, top, left + NAME_WIDTH - PAD, bottom

    def _total_box(self, top: int, bottom: int) -> tuple[int, int, int, int]:
        return self._columns.total + PAD, top, self._columns.total + TOTAL_WIDTH - PAD, bottom


def _groups(rows: int) -> list[range]:
    """The rows below each head: as few heads as may be, and about as many rows below each."""
    heads = ceil(rows / MOST_ROWS_BELOW_A_HEAD)
    edges = [round(rows * number / heads) for number in range(heads + 1)]
    return [range(first, last) for first, last in pairwise(edges)]
