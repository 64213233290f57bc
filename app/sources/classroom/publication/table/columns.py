"""Where the columns of a drawn shift table stand, in pixels from its left edge."""

from collections.abc import Sequence
from dataclasses import dataclass

MARGIN = 48
NAME_WIDTH, DAY_WIDTH, TOTAL_WIDTH = 232, 90, 164

HALF = 15
"""Days. The names stand at the left, after this day and at the right: on a zoomed phone one of them is in sight."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The left edges of the names' columns, of the days and of the totals, and the right edge of the table."""

    names: Sequence[int]
    days: Sequence[int]
    total: int
    right: int

    @property
    def edges(self) -> list[int]:
        """Where the hairlines between columns stand."""
        return [*self.names[1:], *self.days, self.total]


def columns(days: int) -> Columns:
    """The columns of a month of so many days."""
    first, middle = MARGIN, MARGIN + NAME_WIDTH + HALF * DAY_WIDTH
    before = [first + NAME_WIDTH + number * DAY_WIDTH for number in range(HALF)]
    after = [middle + NAME_WIDTH + number * DAY_WIDTH for number in range(days - HALF)]
    last = after[-1] + DAY_WIDTH
    total = last + NAME_WIDTH
    return Columns([first, middle, last], before + after, total, total + TOTAL_WIDTH)
