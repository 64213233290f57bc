"""The gates as an operator finds them."""

from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import update

from app.clock import now
from app.faults import InvalidInput
from app.operations import gates
from app.operations.gate_list import Behind, ListedGate, Stands, forecast, listed
from app.outbox import gates as ledger
from app.outbox.models import Delivery, Gate
from app.outbox.state import State
from app.transaction import writing
from tests.factories import change, make_delivery
from tests.operations.operator import OPERATOR
from tests.plans import hearing, plan_of

PUSH = "web_push:fcm.googleapis.com"


def owed(key: str = "line", **values: Any) -> int:
    """A delivery that waits behind this gate."""
    made = make_delivery(gate_key=key)
    change(Delivery, made, **{"state": State.PENDING, "next_attempt_at": None, "failure_code": None} | values)
    return made


def gate(key: str) -> ListedGate:
    return next(one for one in listed() if one.key == key)


def paused(key: str, why: str = "") -> None:
    with writing() as tx:
        assert gates.pause(tx, OPERATOR, key, why)


def test_lines_gate_is_always_there_and_open(app: Flask) -> None:
    assert listed() == [ListedGate("line", Stands.OPEN, Behind())]


def test_a_gate_counts_what_waits_behind_it_and_what_would_go_at_once(app: Flask) -> None:
    owed()
    owed(state=State.QUEUED)
    owed(state=State.RETRY, next_attempt_at=now() + timedelta(minutes=5))
    owed(failure_code="QUEUE_ENQUEUE_FAILED", next_attempt_at=now() + timedelta(minutes=15))
    owed(state=State.SENDING)
    owed(state=State.FAILED, finished_at=now())
    owed(PUSH)
    assert gate("line").behind == Behind(waiting=4, due=3)
    assert gate(PUSH).behind == gate("web_push").behind == Behind(waiting=1, due=1)
    assert [one.key for one in listed()] == ["line", "web_push", PUSH]


def test_a_paused_gate_says_by_whom_since_when_and_why(app: Flask) -> None:
    paused("line", "an earlier one")
    with writing() as tx:
        assert gates.resume(tx, OPERATOR, "line")
    paused(PUSH)
    paused("line", "holidays")
    found = gate("line")
    assert (found.stands, found.who, found.why, found.until) == (Stands.PAUSED, "青木 葵", "holidays", None)
    assert found.since is not None
    assert (gate(PUSH).who, gate(PUSH).why) == ("青木 葵", "")


def test_the_breaker_says_which_trouble_and_when_it_tests_again(app: Flask) -> None:
    with writing() as tx:
        ledger.close(tx, PUSH, "PUSH_SERVER_ERROR", timedelta(minutes=5))
    found = gate(PUSH)
    assert (found.stands, found.why, found.who) == (Stands.CLOSED, "PUSH_SERVER_ERROR", None)
    assert found.until is not None
    with writing() as tx:
        tx.session.execute(update(Gate).values(breaker_until=now() - timedelta(seconds=1)))
    assert gate(PUSH).stands is Stands.PROBING


def test_the_forecast_counts_what_would_be_too_late_behind_this_gate_alone(app: Flask) -> None:
    for hours in (0.5, 2, 5, 20, 30):
        owed(expires_at=now() + timedelta(hours=hours))
    owed()
    owed(PUSH, expires_at=now() + timedelta(minutes=1))
    ended = owed(expires_at=now() + timedelta(minutes=1), state=State.SENT)
    change(Delivery, ended, finished_at=now())
    assert forecast("line") == [(timedelta(hours=1), 1), (timedelta(hours=6), 3), (timedelta(hours=24), 4)]
    assert [number for _, number in forecast(PUSH)] == [1, 1, 1]
    assert [number for _, number in forecast("web_push:nobody.example")] == [0, 0, 0]


def test_however_many_gates_the_list_takes_four_questions_and_none_goes_through_all_deliveries(app: Flask) -> None:
    for number in range(5):
        owed(f"web_push:push{number}.example")
    paused("line")
    with hearing() as heard:
        listed()
        forecast("line")
    assert len(heard) == 5
    if app.config["SETTINGS"].database_url.startswith("sqlite"):  # PostgreSQL reads small tables as a whole
        assert not [plan for asked in heard if "SCAN delivery" in (plan := plan_of(*asked))]


@pytest.mark.parametrize("why", ["x" * 301, "a\x00b"])
def test_a_reason_that_is_no_text_or_too_long_is_refused_and_nothing_is_paused(app: Flask, why: str) -> None:
    with pytest.raises(InvalidInput), writing() as tx:
        gates.pause(tx, OPERATOR, "line", why)
    assert gate("line").stands is Stands.OPEN


def test_trouble_of_what_was_still_under_way_does_not_take_the_operators_words_away(app: Flask) -> None:
    paused("line", "LINE has said that it is down until noon")
    with writing() as tx:
        ledger.close(tx, "line", "LINE_SERVER_ERROR", timedelta(minutes=1))
    shown = gate("line")
    assert (shown.stands, shown.why) == (Stands.PAUSED, "LINE has said that it is down until noon")
