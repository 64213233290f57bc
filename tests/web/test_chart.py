"""The picture of what ended by the hour."""

from datetime import UTC, datetime

from flask import Flask

from app.outbox.figures import Hour
from app.outbox.hours import HOUR
from app.outbox.state import State
from app.web.chart import Chart, chart

BEGAN = datetime(2026, 11, 30, 3, tzinfo=UTC)
"""Noon in Japan."""


def drawn(hours: int, **ended: dict[int, int]) -> Chart:
    """So many hours; of each state, how many ended in which of them."""
    states = ("sent", "failed", "canceled")
    return chart(
        [
            Hour(BEGAN + place * HOUR, *(ended.get(state, {}).get(place, 0) for state in states))
            for place in range(hours)
        ]
    )


def test_bars_of_a_state_are_one_path_and_stand_on_each_other() -> None:
    picture = drawn(24, sent={0: 100, 3: 50}, canceled={0: 50}, failed={3: 50})
    assert (picture.top, picture.lines) == (150, [0.0, 48.0, 96.0])
    assert picture.shapes == {
        State.SENT: "M0.0 48.00h24.00v96.00H0.0zM90.0 96.00h24.00v48.00H90.0z",
        State.CANCELED: "M0.0 0.00h24.00v48.00H0.0z",
        State.FAILED: "M90.0 48.00h24.00v48.00H90.0z",
    }


def test_a_few_failures_beside_thousands_are_seen() -> None:
    assert drawn(24, sent={0: 10_000}, failed={0: 1}).shapes[State.FAILED].endswith("h24.00v2.00H0.0z")


def test_the_hours_of_a_day_can_be_pointed_at_and_those_of_a_week_are_too_narrow() -> None:
    ended = {0: 1, 23: 1}
    assert [column.x for column in drawn(24, sent=ended).to_point_at] == [0.0, 690.0]
    assert not drawn(168, sent=ended).to_point_at


def test_figures_stand_under_their_day_here_the_newest_first(app: Flask) -> None:
    with app.app_context():
        days = drawn(24, sent={0: 1, 11: 2}, failed={12: 3}).by_day
    assert [[hour.at - BEGAN for hour in hours] for hours in days] == [[12 * HOUR], [11 * HOUR, 0 * HOUR]]


def test_nothing_is_no_picture() -> None:
    picture = drawn(24)
    assert picture.empty
    assert not picture.shapes
