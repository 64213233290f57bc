"""What ended per hour, as plain shapes for an SVG: stacked failed over rightly not sent over sent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter

from app.i18n import zone
from app.outbox.figures import Hour
from app.outbox.state import State

WIDTH, HEIGHT = 720, 144
LINES = 3
NARROWEST = 8
"""A column that can be pointed at, in the units of the picture."""
STACKED = {State.SENT: attrgetter("sent"), State.CANCELED: attrgetter("canceled"), State.FAILED: attrgetter("failed")}
"""From the ground up, how many of them ended in an hour."""


@dataclass(frozen=True, slots=True)
class Column:
    """One hour, and where it begins in the picture."""

    hour: Hour
    x: float


@dataclass(frozen=True, slots=True)
class Chart:
    """The whole picture. `shapes` has one path for all bars of a state, `top` is what the full height stands for;
    `lines` are the heights of the hairlines."""

    columns: Sequence[Column]
    column_width: float
    shapes: Mapping[State, str]
    top: int
    lines: Sequence[float]
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def first_at(self) -> datetime:
        """When the first hour began."""
        return self.columns[0].hour.at

    @property
    def by_day(self) -> Sequence[Sequence[Hour]]:
        """Of each local day the hours in which something ended, the newest first."""
        here = zone()
        newest_first = (column.hour for column in reversed(self.columns) if column.hour.ended)
        return [list(hours) for _day, hours in groupby(newest_first, lambda hour: hour.at.astimezone(here).date())]

    @property
    def to_point_at(self) -> Sequence[Column]:
        """The columns that something ended in, if they are wide enough to be pointed at for what they stand for."""
        return [column for column in self.columns if column.hour.ended] if self.column_width >= NARROWEST else ()

    @property
    def empty(self) -> bool:
        """Whether nothing ended in all of it."""
        return not any(column.hour.ended for column in self.columns)


def chart(hours: Sequence[Hour]) -> Chart:
    """The picture of these hours, the oldest first; at least one."""
    top = _round_above(max(hour.ended for hour in hours))
    step = WIDTH / len(hours)
    columns = [Column(hour, round(step * place, 2)) for place, hour in enumerate(hours)]
    lines = [round(HEIGHT * line / LINES, 2) for line in range(LINES)]
    return Chart(columns, round(step, 2), _shapes(columns, step * 0.8, top), top, lines)


def _shapes(columns: Sequence[Column], width: float, top: int) -> dict[State, str]:
    # A path for each of hundreds of bars would be most of the page.
    bars: dict[State, list[str]] = {state: [] for state in STACKED}
    for column in columns:
        y = float(HEIGHT)
        for state, number_in in STACKED.items():
            if number := number_in(column.hour):
                # Three failures beside ten thousand sent must still be seen.
                height = max(HEIGHT * number / top, 2.0)
                y = max(y - height, 0.0)
                bars[state].append(f"M{column.x} {y:.2f}h{width:.2f}v{height:.2f}H{column.x}z")
    return {state: "".join(drawn) for state, drawn in bars.items() if drawn}


def _round_above(number: int) -> int:
    """The next of 3, 6, 15, 30, 60, 150, 300 …: what three hairlines divide evenly."""
    scale = 1
    while True:
        for step in (3, 6, 15):
            if number <= step * scale:
                return step * scale
        scale *= 10
