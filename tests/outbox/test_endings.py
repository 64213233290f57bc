"""expire, cancel, retry, forget_frozen: what ends by time or by a person, and what begins again."""

from datetime import timedelta

import pytest
from flask import Flask

from app.clock import now
from app.codes import CancelReason, FailureCode
from app.outbox import transitions
from app.outbox.state import RETRYABLE, WAITING, State, Trigger
from tests.fakes.kind import Probe, registered
from tests.outbox.ledger import KEY, MINUTE, claimed, owing, place, quietly, row

DAY = timedelta(hours=24)


@pytest.mark.parametrize("state", WAITING)
def test_what_waits_past_its_time_is_canceled(ledger: Flask, state: State) -> None:
    late = place(state, expires_at=now(), frozen_request=b"x", next_attempt_at=now() + MINUTE)
    with quietly() as tx:
        assert transitions.expire(tx) == [late]
    found = row(late)
    assert (found["state"], found["cancel_reason"]) == (State.CANCELED, CancelReason.EXPIRED)
    assert (found["finished_at"], found["frozen_request"], found["next_attempt_at"]) == (now(), None, None)


@pytest.mark.parametrize("state", [state for state in State if state not in WAITING])
def test_what_does_not_wait_does_not_expire_nor_is_it_canceled(ledger: Flask, state: State) -> None:
    other = place(state, expires_at=now() - MINUTE)
    before = row(other)
    with quietly() as tx:
        assert transitions.expire(tx) == []
        assert transitions.cancel(tx, [other], CancelReason.BY_OPERATOR) == []
    assert row(other) == before


def test_what_still_has_time_does_not_expire(ledger: Flask) -> None:
    early, timeless = place(State.PENDING, expires_at=now() + timedelta(microseconds=1)), owing()
    with quietly() as tx:
        assert transitions.expire(tx) == []
    assert {row(early)["state"], row(timeless)["state"]} == {State.PENDING}


def test_each_kind_has_its_own_reason_for_what_is_too_late(ledger: Flask) -> None:
    reminder = Probe("reminder")
    reminder.expired_reason = CancelReason.SHIFT_STARTED
    with registered(reminder):
        late = owing(kind="reminder", expires_at=now())
        other = owing(expires_at=now())
        with quietly() as tx:
            assert set(transitions.expire(tx)) == {late, other}
    assert row(late)["cancel_reason"] == CancelReason.SHIFT_STARTED
    assert row(other)["cancel_reason"] == CancelReason.EXPIRED


def test_a_claim_ends_what_comes_too_late_and_a_look_at_all_ends_so_many(ledger: Flask) -> None:
    late = [owing(expires_at=now()) for _ in range(4)]
    with quietly() as tx:
        assert transitions.claim(tx, "probe", late[:1]) == []
    assert [row(one)["state"] for one in late] == [State.CANCELED, *[State.PENDING] * 3]
    with quietly() as tx:
        assert len(transitions.expire(tx, limit=2)) == 2


def test_what_a_switch_ended_keeps_the_request_that_line_may_have(ledger: Flask) -> None:
    key = {"retry_key": KEY, "retry_key_used_at": now(), "key_ambiguous": True, "frozen_request": b"x"}
    owed = place(State.RETRY, dedup_key="one", **key)
    with quietly() as tx:
        transitions.cancel(tx, [owed], CancelReason.LINE_DISABLED)
        assert transitions.reopen(tx, ["one"]) == [owed]
    again = claimed(owed)
    assert (again.retry_key, again.frozen_request, again.key_ambiguous) == (KEY, b"x", True)


@pytest.mark.parametrize("state", WAITING)
def test_what_waits_can_be_canceled(ledger: Flask, state: State) -> None:
    owed = place(state, frozen_request=b"x", next_attempt_at=now() + MINUTE)
    with quietly() as tx:
        assert transitions.cancel(tx, [owed], CancelReason.BY_OPERATOR, "by hand") == [owed]
    found = row(owed)
    assert (found["state"], found["cancel_reason"]) == (State.CANCELED, CancelReason.BY_OPERATOR)
    assert (found["cancel_detail"], found["finished_at"], found["frozen_request"]) == ("by hand", now(), None)


def test_retrying_what_failed_begins_a_new_round(ledger: Flask) -> None:
    failed = place(State.FAILED, attempts=6, round_attempts=6, rescues=3, dead_letter=True, retry_key=KEY)
    with quietly() as tx:
        assert transitions.retry(tx, failed, new_key=False, seen_attempts=6)
        assert tx.enqueued == [("probe", failed)]
    found = row(failed)
    assert (found["state"], found["attempts"], found["round_attempts"]) == (State.PENDING, 6, 0)
    assert (found["rescues"], found["dead_letter"], found["finished_at"]) == (0, False, None)
    assert (found["next_trigger"], found["next_attempt_at"], found["retry_key"]) == (Trigger.MANUAL, None, KEY)


def test_retrying_what_waits_to_be_tried_again_makes_it_due_in_the_same_round(ledger: Flask) -> None:
    waiting = place(State.RETRY, attempts=3, round_attempts=3, next_attempt_at=now() + MINUTE)
    with quietly() as tx:
        assert transitions.retry(tx, waiting, new_key=False, seen_attempts=3)
    found = row(waiting)
    assert (found["state"], found["attempts"], found["round_attempts"]) == (State.RETRY, 3, 3)
    assert (found["next_attempt_at"], found["next_trigger"]) == (None, Trigger.MANUAL)


@pytest.mark.parametrize("state", RETRYABLE)
@pytest.mark.parametrize("new_key", [True, False])
def test_a_new_key_drops_the_old_one_with_its_frozen_request(ledger: Flask, state: State, new_key: bool) -> None:
    key = {"retry_key": KEY, "retry_key_used_at": now(), "key_ambiguous": True, "frozen_request": b"x"}
    owed = place(state, **key)
    with quietly() as tx:
        assert transitions.retry(tx, owed, new_key, seen_attempts=1)
    gone = {"retry_key": None, "retry_key_used_at": None, "key_ambiguous": False, "frozen_request": None}
    assert {name: row(owed)[name] for name in key} == (gone if new_key else key)


@pytest.mark.parametrize("state", RETRYABLE)
def test_who_saw_an_older_try_retries_nothing(ledger: Flask, state: State) -> None:
    owed = place(state, attempts=2)
    before = row(owed)
    with quietly() as tx:
        assert not transitions.retry(tx, owed, new_key=True, seen_attempts=1)
        assert not transitions.retry(tx, owed, new_key=True, seen_attempts=3)
    assert row(owed) == before


@pytest.mark.parametrize("state", [state for state in State if state not in RETRYABLE])
def test_nothing_else_can_be_retried(ledger: Flask, state: State) -> None:
    other = place(state)
    before = row(other)
    with quietly() as tx:
        assert not transitions.retry(tx, other, new_key=True, seen_attempts=before["attempts"])
    assert row(other) == before
    assert row(other)["failure_code"] != FailureCode.QUEUE_ENQUEUE_FAILED


@pytest.mark.parametrize("state", [State.PENDING, State.QUEUED, State.RETRY, State.FAILED])
def test_a_frozen_request_is_forgotten_a_day_after_the_first_use_of_its_key(ledger: Flask, state: State) -> None:
    old = place(state, frozen_request=b"x", retry_key=KEY, retry_key_used_at=now() - DAY)
    young = place(state, frozen_request=b"x", retry_key=KEY, retry_key_used_at=now() - DAY + MINUTE)
    with quietly() as tx:
        assert transitions.forget_frozen(tx, now() - DAY) == [old]
    assert (row(old)["frozen_request"], row(old)["retry_key"]) == (None, KEY)
    assert row(young)["frozen_request"] == b"x"


def test_what_is_being_sent_keeps_its_frozen_request(ledger: Flask) -> None:
    busy = place(State.SENDING, frozen_request=b"x", retry_key=KEY, retry_key_used_at=now() - DAY)
    with quietly() as tx:
        assert transitions.forget_frozen(tx, now() - DAY) == []
    assert row(busy)["frozen_request"] == b"x"
