"""What the hours tell an operator."""

from datetime import timedelta

import time_machine
from flask import Flask

from app.background.rolling import roll_up
from app.outbox import figures
from app.outbox.figures import Hour
from app.outbox.hours import HOUR
from app.outbox.state import State
from tests.outbox.ledger import MINUTE
from tests.outbox.test_hours import BEGAN, ended

NOW = BEGAN + timedelta(hours=2, minutes=15)


def test_every_hour_is_there_whether_it_was_counted_or_not(ledger: Flask, clock: time_machine.Traveller) -> None:
    clock.move_to(NOW)
    for at, state in (
        (BEGAN, State.SENT), (BEGAN, State.CANCELED), (BEGAN + MINUTE, State.FAILED), (BEGAN + 2 * HOUR, State.SENT),
        (BEGAN + 2 * HOUR, State.FAILED), (BEGAN + 2 * HOUR + MINUTE, State.SENT), (BEGAN - 22 * HOUR, State.SENT),
    ):  # fmt: skip
        ended(at, state)
    for channel in ("web_push", "line"):
        ended(BEGAN - 21 * HOUR, channel=channel)
    expected = {
        BEGAN - 21 * HOUR: (2, 0, 0), BEGAN: (1, 1, 1), BEGAN + 2 * HOUR: (2, 1, 0)
    }  # fmt: skip
    hours = [BEGAN + number * HOUR for number in range(-21, 3)]
    day = [Hour(at, *expected.get(at, (0, 0, 0))) for at in hours]
    assert figures.last_hours(24).ended == day
    roll_up()
    assert figures.last_hours(24).ended == day
    week = figures.last_hours(168).ended
    assert len(week) == 168
    assert week[-25] == Hour(BEGAN - 22 * HOUR, 1, 0, 0)
    assert sum(hour.sent for hour in week) == 6


def test_waits_are_told_by_channel(ledger: Flask, clock: time_machine.Traveller) -> None:
    clock.move_to(NOW)
    for number in range(100):
        at = BEGAN if number % 2 else BEGAN + 2 * HOUR
        ended(at, after=timedelta(seconds=0.5 if number < 90 else 4))
    ended(BEGAN, channel="web_push", after=timedelta(seconds=90))
    ended(BEGAN, State.CANCELED, after=timedelta(days=3))
    ended(BEGAN - 30 * HOUR, after=timedelta(days=3))
    found = figures.last_hours(24).waits
    line = found["line"]
    assert (line.number, line.median, line.slowest) == (
        100, timedelta(seconds=50 / 90), timedelta(seconds=3 + 2 * 5 / 10)
    )  # fmt: skip
    assert found["web_push"].number == 1
    assert timedelta(seconds=60) < found["web_push"].median < found["web_push"].slowest <= timedelta(seconds=120)
    roll_up()
    assert figures.last_hours(24).waits == found


def test_where_nothing_was_sent_there_are_no_waits(ledger: Flask) -> None:
    assert figures.last_hours(24).waits == {}
    assert {(hour.sent, hour.failed, hour.canceled) for hour in figures.last_hours(24).ended} == {(0, 0, 0)}
