"""claim, renew, release: a worker's exclusive right to send, for as long as its lease lasts."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from threading import Barrier, Thread

import pytest
import time_machine
from flask import Flask

from app.clock import now
from app.codes import CancelReason, FailureCode
from app.extensions import db
from app.outbox import transitions
from app.outbox.moves import Claimed
from app.outbox.state import WAITING, State
from app.place import Place
from app.transaction import writing
from tests.outbox.ledger import MINUTE, begun, claimed, move, owing, place, quietly, row

LEASE = timedelta(seconds=120)
WORKERS = 8


@pytest.mark.parametrize("state", WAITING)
def test_what_is_due_or_queued_is_claimed_with_a_lease(ledger: Flask, state: State) -> None:
    one = claimed(place(state))
    found = row(one.id)
    assert (found["state"], found["lease_token"]) == (State.SENDING, one.lease_token)
    assert (found["lease_until"], found["next_attempt_at"]) == (now() + LEASE, None)
    assert len(one.lease_token) == 32


def test_a_claim_carries_the_row_as_plain_values(ledger: Flask) -> None:
    owed = place(State.RETRY, retry_key="k", key_ambiguous=True, frozen_request=b"x", retry_key_used_at=now())
    one = claimed(owed)
    found = row(owed)
    assert {name: getattr(one, name) for name in Claimed.__slots__} == {name: found[name] for name in Claimed.__slots__}


def test_what_no_job_will_come_for_is_claimed_before_what_stands_in_the_queue(ledger: Flask) -> None:
    queued, owed = place(State.QUEUED), place(State.PENDING)
    assert _claimed_due(1) == [owed]
    assert _claimed_due(1) == [queued]


def test_whoever_was_further_claims_what_comes_after(ledger: Flask) -> None:
    passed_by, *after = [place(state) for state in (State.PENDING, *WAITING)]
    assert _claimed_due(9, Place(now(), passed_by)) == after
    assert _claimed_due(9) == [passed_by]


@pytest.mark.parametrize("state", [State.PENDING, State.RETRY])
def test_what_is_not_due_yet_is_not_claimed(ledger: Flask, state: State) -> None:
    _is_not_claimed(place(state, next_attempt_at=now() + MINUTE))


@pytest.mark.parametrize("state", [state for state in State if state not in WAITING])
def test_no_other_state_is_claimed_not_even_when_its_lease_is_over(ledger: Flask, state: State) -> None:
    _is_not_claimed(place(state, lease_until=now() - MINUTE))


def test_what_the_queue_refused_is_claimed_whatever_time_it_shows_and_loses_that_code(ledger: Flask) -> None:
    owed = place(
        State.PENDING, failure_code=FailureCode.QUEUE_ENQUEUE_FAILED, next_attempt_at=now() + MINUTE
    )  # fmt: skip
    claimed(owed)
    assert (row(owed)["state"], row(owed)["failure_code"]) == (State.SENDING, None)


def test_a_row_taken_back_before_is_claimed_only_when_it_comes_alone(ledger: Flask) -> None:
    fine, suspect = place(State.QUEUED), place(State.QUEUED, rescues=1)
    with quietly() as tx:
        assert [one.id for one in transitions.claim(tx, "probe", [fine, suspect])] == [fine]
    assert claimed(suspect).id == suspect


@pytest.mark.parametrize("state", WAITING)
def test_claiming_what_is_too_late_ends_it_with_the_reason_of_its_kind(ledger: Flask, state: State) -> None:
    late = place(state, expires_at=now())
    with quietly() as tx:
        assert transitions.claim(tx, "probe", [late]) == []
    assert (row(late)["state"], row(late)["cancel_reason"]) == (State.CANCELED, CancelReason.EXPIRED)


def test_of_workers_who_claim_the_same_at_once_one_gets_each(ledger: Flask) -> None:
    owed = [owing() for _ in range(12)]
    together, got, faults = Barrier(WORKERS), Counter[int](), list[BaseException]()

    def work(number: int) -> None:
        with ledger.app_context():
            together.wait()
            try:
                with writing() as tx:
                    mine = transitions.claim(tx, "probe", owed if number % 2 else owed[::-1])
                got.update(one.id for one in mine)
            except BaseException as fault:
                faults.append(fault)
            db.session.remove()

    workers = [Thread(target=work, args=(number,)) for number in range(WORKERS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=30)
    assert not faults
    assert got == Counter(owed)


def test_a_claim_under_way_is_neither_waited_for_nor_taken_twice(ledger: Flask) -> None:
    owed = [owing() for _ in range(3)]
    theirs = list[Claimed]()

    def work() -> None:
        with ledger.app_context(), writing() as tx:
            theirs.extend(transitions.claim(tx, "probe", owed))

    with quietly() as tx:
        mine = transitions.claim(tx, "probe", owed)
        other = Thread(target=work)
        other.start()
        if db.engine.dialect.name == "postgresql":  # SQLite has one writer at a time: there the other waits its turn
            other.join(timeout=10)
            assert not other.is_alive()
    other.join(timeout=10)
    assert ([one.id for one in mine], theirs) == (owed, [])


def test_a_lease_is_renewed_for_who_holds_it(ledger: Flask, clock: time_machine.Traveller) -> None:
    held, stolen = claimed(owing()), claimed(owing())
    clock.shift(100)
    with quietly() as tx:
        assert transitions.renew(tx, [held, replace(stolen, lease_token="b" * 32)]) == [held]
    assert row(held.id)["lease_until"] == now() + LEASE
    assert row(stolen.id)["lease_until"] == now() + LEASE - timedelta(seconds=100)


def test_a_lease_that_is_over_is_not_renewed(ledger: Flask, clock: time_machine.Traveller) -> None:
    held = claimed(owing())
    clock.shift(LEASE)
    with quietly() as tx:
        assert transitions.renew(tx, [held]) == []


@pytest.mark.parametrize("state", [state for state in State if state is not State.SENDING])
def test_what_is_no_longer_being_sent_is_neither_renewed_nor_released(ledger: Flask, state: State) -> None:
    one = claimed(owing())
    move(one.id, state)
    before = row(one.id)
    with quietly() as tx:
        assert transitions.renew(tx, [one]) == []
        assert transitions.release(tx, [one]) == []
    assert row(one.id) == before


def test_what_was_not_begun_goes_back_without_a_try(ledger: Flask) -> None:
    one = claimed(place(State.RETRY))
    with quietly() as tx:
        assert transitions.release(tx, [one]) == [one.id]
    found = row(one.id)
    assert (found["state"], found["attempts"], found["round_attempts"]) == (State.PENDING, 1, 1)
    assert (found["lease_token"], found["lease_until"], found["next_attempt_at"]) == (None, None, None)


def test_a_release_may_postpone(ledger: Flask) -> None:
    one = claimed(owing())
    with quietly() as tx:
        transitions.release(tx, [one], now() + MINUTE)
    assert row(one.id)["next_attempt_at"] == now() + MINUTE
    _is_not_claimed(one.id)


def test_what_was_begun_is_not_released(ledger: Flask) -> None:
    one = claimed(owing())
    begun(one)
    before = row(one.id)
    with quietly() as tx:
        assert transitions.release(tx, [one]) == []
    assert row(one.id) == before


def test_a_worker_that_lost_its_lease_releases_nothing(ledger: Flask) -> None:
    one = claimed(owing())
    before = row(one.id)
    with quietly() as tx:
        assert transitions.release(tx, [replace(one, lease_token="b" * 32)]) == []
    assert row(one.id) == before


def _claimed_due(limit: int, after: Place | None = None) -> list[int]:
    with quietly() as tx:
        return [one.id for one in transitions.claim_due(tx, "probe", limit, [], after)]


def _is_not_claimed(delivery_id: int) -> None:
    before = row(delivery_id)
    with quietly() as tx:
        assert transitions.claim(tx, "probe", [delivery_id]) == []
    assert row(delivery_id) == before
