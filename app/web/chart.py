"""Bars per hour, as plain numbers for an SVG: stacked failed over rightly not sent over sent."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from app.outbox.figures import Hour
from app.outbox.state import State
from app.web.days import day_of

WIDTH, HEIGHT = 720, 144
LINES = 3
NARROWEST = 8


@dataclass(frozen=True, slots=True)
class Part:
    """One colour of one bar, in the units of the picture; `y` grows downwards."""

    state: State
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Bar:
    """What ended in one hour."""

    hour: Hour
    x: float
    parts: Sequence[Part]


@dataclass(frozen=True, slots=True)
class Chart:
    """The whole picture. `top` is what its full height stands for; `lines` are the heights of its hairlines."""

    bars: Sequence[Bar]
    bar_width: float
    top: int
    lines: Sequence[float]
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def first_at(self) -> datetime:
        """When the first hour began."""
        return self.bars[0].hour.at

    @property
    def by_day(self) -> Sequence[Sequence[Bar]]:
        """Of each day those in which something ended, the newest first."""
        newest_first = (bar for bar in reversed(self.bars) if bar.parts)
        return [list(bars) for _day, bars in groupby(newest_first, lambda bar: day_of(bar.hour.at))]

    @property
    def pointed_at(self) -> bool:
        """Whether a bar is wide enough to be pointed at, for what it stands for."""
        return self.bar_width >= NARROWEST

    @property
    def empty(self) -> bool:
        """Whether nothing ended in all of it."""
        return not any(bar.parts for bar in self.bars)


def chart(hours: Sequence[Hour]) -> Chart:
    """The picture of these hours, the oldest first; at least one."""
    top = _round_above(max(hour.sent + hour.canceled + hour.failed for hour in hours))
    step = WIDTH / len(hours)
    bars = [Bar(hour, round(step * place, 2), _stacked(hour, top)) for place, hour in enumerate(hours)]
    lines = [round(HEIGHT * line / LINES, 2) for line in range(LINES)]
    return Chart(bars, round(step * 0.8, 2), top, lines)


def _stacked(hour: Hour, top: int) -> list[Part]:
    parts, y = list[Part](), float(HEIGHT)
    for state, number in ((State.SENT, hour.sent), (State.CANCELED, hour.canceled), (State.FAILED, hour.failed)):
        if number:
            # Three failures beside ten thousand sent must still be seen.
            height = max(HEIGHT * number / top, 2.0)
            y = max(y - height, 0.0)
            parts.append(Part(state, round(y, 2), round(height, 2)))
    return parts


def _round_above(number: int) -> int:
    """The next of 3, 6, 15, 30, 60, 150, 300 …: what three hairlines divide evenly."""
    scale = 1
    while True:
        for step in (3, 6, 15):
            if number <= step * scale:
                return step * scale
        scale *= 10
