"""hand_over, hand_over_again, refuse_hand_over: what the ledger says of the queue."""

from datetime import timedelta

import pytest
import time_machine
from flask import Flask

from app.clock import now
from app.codes import FailureCode
from app.outbox import transitions
from app.outbox.state import State
from tests.outbox.ledger import MINUTE, owing, place, quietly, row

OTHERS = [state for state in State if state not in (State.PENDING, State.RETRY)]


@pytest.mark.parametrize("state", [State.PENDING, State.RETRY])
def test_what_is_due_and_in_the_queue_is_marked_queued(ledger: Flask, state: State) -> None:
    due = place(state, next_attempt_at=now() - MINUTE)
    with quietly() as tx:
        assert transitions.hand_over(tx, [due]) == [due]
    found = row(due)
    assert (found["state"], found["queued_at"], found["next_attempt_at"]) == (State.QUEUED, now(), None)


def test_a_retry_keeps_the_code_of_its_last_try_in_the_queue(ledger: Flask) -> None:
    due = place(State.RETRY)
    with quietly() as tx:
        transitions.hand_over(tx, [due])
    assert row(due)["failure_code"] == FailureCode.LINE_TIMEOUT


@pytest.mark.parametrize("state", [State.PENDING, State.RETRY])
def test_what_is_not_due_yet_is_not_marked(ledger: Flask, state: State) -> None:
    waiting = place(state, next_attempt_at=now() + MINUTE)
    before = row(waiting)
    with quietly() as tx:
        assert transitions.hand_over(tx, [waiting]) == []
        assert transitions.refuse_hand_over(tx, [waiting]) == []
    assert row(waiting) == before


def test_what_the_queue_refused_says_so_and_is_due_as_soon_as_the_queue_answers(ledger: Flask) -> None:
    owed = owing()
    with quietly() as tx:
        assert transitions.refuse_hand_over(tx, [owed]) == [owed]
    found = row(owed)
    assert (found["state"], found["failure_code"]) == (State.PENDING, FailureCode.QUEUE_ENQUEUE_FAILED)
    assert found["next_attempt_at"] == now() + timedelta(minutes=15)
    with quietly() as tx:
        assert transitions.hand_over(tx, [owed]) == [owed]
    found = row(owed)
    assert (found["state"], found["failure_code"], found["next_attempt_at"]) == (State.QUEUED, None, None)


def test_a_retry_that_the_queue_refused_keeps_its_own_code_and_time(ledger: Flask) -> None:
    due = place(State.RETRY, next_attempt_at=now() - MINUTE)
    before = row(due)
    with quietly() as tx:
        assert transitions.refuse_hand_over(tx, [due]) == []
    assert row(due) == before


@pytest.mark.parametrize("state", OTHERS)
def test_no_other_state_is_marked_queued_or_refused(ledger: Flask, state: State) -> None:
    other = place(state)
    before = row(other)
    with quietly() as tx:
        assert transitions.hand_over(tx, [other]) == []
        assert transitions.refuse_hand_over(tx, [other]) == []
    assert row(other) == before


def test_what_the_queue_lost_is_marked_again_in_place(ledger: Flask, clock: time_machine.Traveller) -> None:
    lost = place(State.QUEUED)
    clock.shift(61)
    with quietly() as tx:
        assert transitions.hand_over_again(tx, [lost], now() - MINUTE) == [lost]
        assert transitions.hand_over_again(tx, [lost], now() - MINUTE) == []
    assert (row(lost)["state"], row(lost)["queued_at"]) == (State.QUEUED, now())


@pytest.mark.parametrize("state", [state for state in State if state is not State.QUEUED])
def test_only_queued_rows_can_be_lost_by_the_queue(ledger: Flask, state: State) -> None:
    other = place(state, queued_at=now() - 2 * MINUTE)
    before = row(other)
    with quietly() as tx:
        assert transitions.hand_over_again(tx, [other], now()) == []
    assert row(other) == before
