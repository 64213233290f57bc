"""What ended in each hour is counted once, exactly, whatever comes late, twice, or is owed again."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from flask import Flask
from sqlalchemy import select, update

from app.background.rolling import roll_up as scan
from app.clock import now
from app.codes import CancelReason
from app.extensions import db
from app.outbox import hours, listing, transitions
from app.outbox.hours import HOUR, LONG_AGO, ROWS_TOGETHER, WAITS
from app.outbox.models import Delivery, DeliveryHour
from app.outbox.state import State
from app.transaction import Transaction, writing
from benchmarks.filling import filling, instant, put
from tests.factories import change, make_tutor, owe
from tests.outbox.ledger import MINUTE, place, quietly
from tests.racing import race

BEGAN = datetime(2026, 11, 30, 3, tzinfo=UTC)
SECOND = timedelta(seconds=1)

Counted = dict[tuple[datetime, str, str, int], int]


def counted() -> Counted:
    """Every row of the hours."""
    columns = (DeliveryHour.hour, DeliveryHour.channel, DeliveryHour.state, DeliveryHour.waited, DeliveryHour.number)
    rows = db.session.execute(select(*columns)).all()
    db.session.close()
    return {tuple(key): number for *key, number in rows}  # type: ignore[misc]


def ended(at: datetime, state: State = State.SENT, after: timedelta = SECOND, **changes: object) -> int:
    """A delivery that ended then, so long after it was owed."""
    return place(state, finished_at=at, created_at=at - after, **changes)


def everything() -> dict[State, int]:
    """What the hours and what ended since say together."""
    found = listing.counts()
    db.session.close()
    return {state: found[state].number for state in hours.COUNTED}


def truth() -> dict[State, int]:
    """What a look at all deliveries says."""
    states = list(db.session.scalars(select(Delivery.state)))
    db.session.close()
    return {state: states.count(state) for state in hours.COUNTED}


@pytest.fixture
def later(clock: time_machine.Traveller) -> time_machine.Traveller:
    """An instant at which the first hour has been over for long enough."""
    clock.move_to(BEGAN + HOUR + 10 * MINUTE)
    return clock


def test_what_ended_is_counted_by_hour_channel_end_and_wait(ledger: Flask, later: time_machine.Traveller) -> None:
    ended(BEGAN)
    ended(BEGAN + HOUR - timedelta(microseconds=1), after=timedelta(milliseconds=400))
    ended(BEGAN + MINUTE, after=timedelta(seconds=1.5))
    ended(BEGAN + MINUTE, after=timedelta(days=400))
    ended(BEGAN + MINUTE, channel="web_push")
    ended(BEGAN + MINUTE, State.CANCELED, after=timedelta(days=2))
    ended(BEGAN + MINUTE, State.FAILED)
    ended(BEGAN + HOUR)
    assert scan() == {"counted": 6}
    assert counted() == {
        (BEGAN, "line", "sent", 1): 2,
        (BEGAN, "line", "sent", 2): 1,
        (BEGAN, "line", "sent", WAITS[-1]): 1,
        (BEGAN, "web_push", "sent", 1): 1,
        (BEGAN, "line", "canceled", 0): 1,
    }
    assert everything() == truth()


def test_an_hour_is_counted_once_it_has_been_over_for_ten_minutes(ledger: Flask, clock: time_machine.Traveller) -> None:
    ended(BEGAN)
    clock.move_to(BEGAN + HOUR + 10 * MINUTE - SECOND)
    assert scan() == {"counted": 0}
    ended(BEGAN + HOUR - SECOND)  # committed late
    clock.shift(1)
    assert scan() == {"counted": 2}


def test_nothing_is_counted_twice(ledger: Flask, later: time_machine.Traveller) -> None:
    ended(BEGAN)
    scan()
    before = counted()
    assert scan() == {"counted": 0}
    assert counted() == before
    later.shift(3 * HOUR)
    ended(BEGAN + 3 * HOUR)
    assert scan() == {"counted": 1}
    assert counted() == before | {(BEGAN + 3 * HOUR, "line", "sent", 1): 1}
    assert everything() == truth()


def test_a_run_that_breaks_off_leaves_no_half_an_hour(ledger: Flask, later: time_machine.Traveller) -> None:
    ended(BEGAN)
    with writing() as tx:
        assert hours.roll_up(tx) == 1
        tx.session.rollback()
    assert counted() == {}
    assert scan() == {"counted": 1}


def test_years_are_caught_up_with_in_portions_of_whole_hours(ledger: Flask, later: time_machine.Traveller) -> None:
    number, an_hour = 3 * ROWS_TOGETHER, ROWS_TOGETHER // 2 - 1
    at = instant(BEGAN + HOUR, f"-1 - i * 3600 / {an_hour}")
    with filling(Delivery) as connection:
        put(connection, Delivery, number, _ROW | dict.fromkeys(("created_at", "updated_at", "finished_at"), at))
    portions = list[int]()
    while True:
        with writing() as tx:
            portions.append(hours.roll_up(tx))
        assert everything() == {State.SENT: number, State.CANCELED: 0}
        if not portions[-1]:
            break
    assert sum(portions) == number
    assert max(portions) <= ROWS_TOGETHER
    assert len(portions) == 5


def test_an_hour_in_which_very_many_ended_is_counted_as_a_whole(ledger: Flask, later: time_machine.Traveller) -> None:
    number = ROWS_TOGETHER + 1
    with filling(Delivery) as connection:
        times = dict.fromkeys(("created_at", "updated_at", "finished_at"), instant(BEGAN, "0"))
        put(connection, Delivery, number, _ROW | times)
    ended(BEGAN - HOUR)
    with writing() as tx:
        assert hours.roll_up(tx) == 1
    with writing() as tx:
        assert hours.roll_up(tx) == number


def test_hours_long_ago_are_put_together_and_the_newest_stays(ledger: Flask, later: time_machine.Traveller) -> None:
    for days in (30, 20, 9):
        ended(BEGAN - timedelta(days=days))
        ended(BEGAN - timedelta(days=days), State.CANCELED)
    scan()
    assert counted() == {
        (LONG_AGO, "line", "sent", 0): 2,
        (LONG_AGO, "line", "canceled", 0): 2,
        (BEGAN - timedelta(days=9), "line", "sent", 1): 1,
        (BEGAN - timedelta(days=9), "line", "canceled", 0): 1,
    }
    ended(BEGAN)
    scan()
    assert counted()[LONG_AGO, "line", "sent", 0] == 3
    assert len(counted()) == 3
    assert everything() == truth() == {State.SENT: 4, State.CANCELED: 3}


def test_what_is_owed_again_is_taken_back_from_its_hour(ledger: Flask, later: time_machine.Traveller) -> None:
    _stopped("long ago", BEGAN - timedelta(days=20))
    _stopped("counted", BEGAN)
    _stopped("other channel", BEGAN, channel="web_push")
    _stopped("not yet", BEGAN + HOUR)
    ended(BEGAN, State.CANCELED)
    scan()
    with quietly() as tx:
        assert len(transitions.reopen(tx, ["long ago", "counted", "other channel", "not yet", "unknown"])) == 4
    assert everything() == truth() == {State.SENT: 0, State.CANCELED: 1}
    assert counted() == {
        (LONG_AGO, "line", "canceled", 0): 0,
        (BEGAN, "line", "canceled", 0): 1,
        (BEGAN, "web_push", "canceled", 0): 0,
    }


def test_what_is_owed_again_and_ends_again_counts_where_it_ended(ledger: Flask, later: time_machine.Traveller) -> None:
    owed = _stopped("one", BEGAN)
    scan()
    with quietly() as tx:
        transitions.reopen(tx, ["one"])
    change(Delivery, owed, state=State.SENT, finished_at=now(), cancel_reason=None)
    later.shift(2 * HOUR)
    scan()
    assert everything() == truth() == {State.SENT: 1, State.CANCELED: 0}


@pytest.mark.parametrize("counts_first", [True, False])
def test_an_hour_that_is_counted_while_something_is_owed_again_counts_it_in_one_way(
    ledger: Flask, later: time_machine.Traveller, counts_first: bool
) -> None:
    _stopped("one", BEGAN)
    ended(BEGAN)

    def reopen(tx: Transaction) -> None:
        assert transitions.reopen(tx, ["one"])
        tx.enqueued.clear()

    if counts_first:
        race(ledger, hours.roll_up, reopen)
    else:
        race(ledger, reopen, hours.roll_up)
    assert everything() == truth() == {State.SENT: 1, State.CANCELED: 0}
    scan()
    assert everything() == truth()


def test_two_who_count_at_once_count_once(ledger: Flask, later: time_machine.Traveller) -> None:
    ended(BEGAN)
    race(ledger, hours.roll_up, hours.roll_up)
    assert counted() == {(BEGAN, "line", "sent", 1): 1}


def _stopped(key: str, at: datetime, **changes: Any) -> int:
    tutor = make_tutor()
    with quietly() as tx:
        owed = owe(tx, tutor, dedup_key=key, **changes)
        reason = CancelReason.LINE_DISABLED
        values = {"state": State.CANCELED, "cancel_reason": reason, "finished_at": at, "created_at": at}
        tx.session.execute(update(Delivery).where(Delivery.id == owed).values(**values))
    return owed


_ROW = {
    "kind": "'probe'", "channel": "'line'", "dedup_key": "'many-' || i", "subject_type": "'probe'", "subject_id": "i",
    "address_type": "'line_link'", "address_id": "i", "address_label": "''", "gate_key": "'line'", "state": "'sent'",
    "next_trigger": "'auto'", "attempts": "1", "round_attempts": "1", "rescues": "0", "key_ambiguous": "false",
    "dead_letter": "false", "already_accepted": "false",
}  # fmt: skip


@pytest.mark.parametrize("state", hours.COUNTED)
def test_what_ends_by_a_clock_that_was_set_back_into_a_counted_hour_is_counted_too(
    ledger: Flask, later: time_machine.Traveller, state: State
) -> None:
    ended(BEGAN)
    scan()
    later.move_to(BEGAN + HOUR / 2)
    ended(now(), state)
    assert everything() == truth()
    scan()
    later.move_to(BEGAN + 3 * HOUR)
    scan()
    assert everything() == truth()


def test_what_is_owed_again_and_was_never_counted_is_not_taken_from_others(
    ledger: Flask, later: time_machine.Traveller
) -> None:
    ended(BEGAN, State.CANCELED)
    scan()
    later.move_to(BEGAN + HOUR / 2)
    _stopped("one", now())
    scan()
    later.move_to(BEGAN + 2 * HOUR)
    with quietly() as tx:
        assert transitions.reopen(tx, ["one"])
    assert everything() == truth() == {State.SENT: 0, State.CANCELED: 1}
