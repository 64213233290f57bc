"""A request a second to each host, and those who would wait long come again one by one."""

from datetime import datetime, timedelta

import time_machine

from app.clock import now
from app.sources.prices.shops.pace import EVERY, LONGEST_REST, Pace

AT = datetime.fromisoformat("2027-02-01T00:00:00+00:00")
SECOND = timedelta(seconds=1)


def test_whoever_would_wait_long_comes_again_each_a_second_later() -> None:
    with time_machine.travel(AT, tick=False):
        pace = Pace()
        assert pace.wait_turn("a.example") is None
        pace.rest("a.example", 30 * SECOND)
        later = [pace.wait_turn("a.example") for _ in range(3)]
        assert later == [AT + seconds * SECOND for seconds in (30, 31, 32)]
        assert pace.wait_turn("b.example") is None, "another host"


def test_after_its_rest_a_host_is_asked_again() -> None:
    with time_machine.travel(AT, tick=False) as traveller:
        pace = Pace()
        pace.rest("a.example")
        assert pace.wait_turn("a.example") is not None
        traveller.shift(timedelta(seconds=21))
        assert pace.wait_turn("a.example") is None


def test_two_at_once_are_a_second_apart() -> None:
    pace, began = Pace(), now()
    assert pace.wait_turn("a.example") is None
    assert pace.wait_turn("a.example") is None
    assert now() - began >= EVERY


def test_no_host_is_left_alone_for_longer_than_an_hour_nor_by_a_clock_that_was_put_back() -> None:
    with time_machine.travel(AT, tick=False) as traveller:
        pace = Pace()
        pace.rest("a.example", timedelta(days=30))
        assert pace.wait_turn("a.example") == AT + LONGEST_REST
        traveller.move_to(AT - timedelta(days=1))
        assert pace.wait_turn("a.example") is None
