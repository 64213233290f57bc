"""rescue: taking back what a dead worker held."""

from datetime import timedelta

import pytest
import time_machine
from flask import Flask

from app.clock import now
from app.codes import FailureCode
from app.outbox import transitions
from app.outbox.models import Delivery
from app.outbox.state import AttemptOutcome, State, Trigger
from tests.factories import change
from tests.outbox.ledger import begun, claimed, move, owing, place, quietly, row, tries

OVER = timedelta(seconds=120)


def test_a_try_that_was_begun_is_lost_counts_and_is_due_again_at_once(
    ledger: Flask, clock: time_machine.Traveller
) -> None:
    one = claimed(owing())
    begun(one)
    clock.shift(OVER)
    assert _rescued() == {"lost": 1, "released": 0, "failed": 0}
    found = row(one.id)
    assert (found["state"], found["attempts"], found["round_attempts"]) == (State.RETRY, 1, 1)
    assert (found["next_attempt_at"], found["next_trigger"]) == (None, Trigger.RECOVERY)
    assert (found["failure_code"], found["key_ambiguous"]) == (FailureCode.WORKER_LOST, True)
    assert (found["lease_token"], found["lease_until"], found["rescues"]) == (None, None, 1)
    (lost,) = tries(one.id)
    assert lost["may_have_arrived"] is True
    assert (lost["outcome"], lost["code"], lost["finished_at"]) == ("lost", FailureCode.WORKER_LOST, now())


def test_the_last_try_of_a_round_fails_as_a_dead_letter(ledger: Flask, clock: time_machine.Traveller) -> None:
    one = claimed(place(State.QUEUED, attempts=5, round_attempts=5))
    begun(one)
    clock.shift(OVER)
    assert _rescued() == {"lost": 0, "released": 0, "failed": 1}
    found = row(one.id)
    assert (found["state"], found["failure_code"]) == (State.FAILED, FailureCode.WORKER_LOST)
    assert (found["dead_letter"], found["finished_at"], found["key_ambiguous"]) == (True, now(), True)
    assert tries(one.id)[0]["outcome"] == AttemptOutcome.LOST


def test_what_was_not_begun_goes_back_for_free(ledger: Flask, clock: time_machine.Traveller) -> None:
    one = claimed(owing())
    clock.shift(OVER)
    assert _rescued() == {"lost": 0, "released": 1, "failed": 0}
    found = row(one.id)
    assert (found["state"], found["attempts"], found["rescues"]) == (State.PENDING, 0, 1)
    assert (found["key_ambiguous"], found["failure_code"]) == (False, None)


def test_what_kills_its_worker_five_times_before_a_request_fails(ledger: Flask, clock: time_machine.Traveller) -> None:
    owed = owing()
    for time in range(1, 6):
        claimed(owed)
        clock.shift(OVER)
        assert _rescued()["failed"] == (1 if time == 5 else 0)
    found = row(owed)
    assert (found["state"], found["failure_code"], found["attempts"]) == (State.FAILED, FailureCode.WORKER_LOST, 0)
    assert (found["dead_letter"], found["key_ambiguous"]) == (True, False)


def test_a_lease_that_still_runs_is_left_alone(ledger: Flask, clock: time_machine.Traveller) -> None:
    one = claimed(owing())
    clock.shift(OVER - timedelta(seconds=1))
    before = row(one.id)
    assert _rescued() == {"lost": 0, "released": 0, "failed": 0}
    assert row(one.id) == before


@pytest.mark.parametrize("state", [state for state in State if state is not State.SENDING])
def test_only_what_is_being_sent_is_rescued(ledger: Flask, clock: time_machine.Traveller, state: State) -> None:
    one = claimed(owing())
    move(one.id, state)
    clock.shift(OVER)
    before = row(one.id)
    assert _rescued() == {"lost": 0, "released": 0, "failed": 0}
    assert row(one.id) == before


def test_the_oldest_leases_are_taken_back_first_and_at_most_so_many(
    ledger: Flask, clock: time_machine.Traveller
) -> None:
    held = [claimed(owing()).id for _ in range(3)]
    for number, delivery_id in enumerate(reversed(held)):
        change(Delivery, delivery_id, lease_until=now() + timedelta(seconds=number))
    clock.shift(OVER)
    assert _rescued(limit=2)["released"] == 2
    assert [row(delivery_id)["state"] for delivery_id in held] == [State.SENDING, State.PENDING, State.PENDING]


def test_a_delivery_whose_kind_is_no_longer_known_keeps_nobody_else_from_being_rescued(
    ledger: Flask, clock: time_machine.Traveller
) -> None:
    stray, one = claimed(owing()), claimed(owing())
    begun(stray)
    begun(one)
    change(Delivery, stray.id, kind="of another release")
    clock.shift(OVER)
    _rescued()
    assert row(one.id)["state"] == State.RETRY


def _rescued(limit: int = 100) -> dict[str, int]:
    with quietly() as tx:
        return transitions.rescue(tx, limit)
