"""Promise: however many are owed, the queue stays short, nothing urgent waits for them, and all are sent once."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.codes import CancelReason, FailureCode
from app.extensions import broker, db
from app.kinds import Cancel, QueueName
from app.outbox.models import Delivery
from app.outbox.state import State
from app.transaction import writing
from tests.factories import delivery, make_delivery, make_tutor, owe_many
from tests.fakes.kind import Probe, registered
from tests.fakes.line import FakeLine
from tests.fixtures.background import Background, later
from tests.outbox.ledger import quietly
from tests.servers.valkey import ValkeyServer

BOUND, JOBS = 2000, 20


@pytest.fixture
def bulk() -> Iterator[Probe]:
    """A kind that tells everybody."""
    with registered(Probe("bulk_probe", QueueName.BULK)) as kind:
        yield kind


@pytest.fixture
def urgent() -> Iterator[Probe]:
    """A kind that cannot wait."""
    with registered(Probe("urgent_probe", QueueName.URGENT)) as kind:
        yield kind


def _delivery_jobs(kind: Probe) -> int:
    """How many jobs of its queue are deliveries; a scan may stand there, too."""
    return sum(not one.startswith("scan-") for one in broker.queue(kind.queue).get_job_ids())


def test_a_large_audience_fills_no_queue_and_hides_nothing_urgent(
    app: Flask, background: Background, bulk: Probe, urgent: Probe
) -> None:
    tutor = make_tutor()
    with quietly() as tx:
        owe_many(tx, tutor, 10_000, kind=bulk.name)
        (owed,) = owe_many(tx, tutor, 1, kind=urgent.name)
    for _ in range(3):
        background.tick()
    assert delivery(owed).state == State.QUEUED
    assert _states() == {State.QUEUED: BOUND + 1, State.PENDING: 10_000 - BOUND}
    assert _delivery_jobs(bulk) == JOBS


def test_one_transaction_that_owes_thousands_rings_for_as_many_as_there_is_room_for(
    app: Flask, background: Background, line: FakeLine, bulk: Probe
) -> None:
    tutor = make_tutor()
    _tell(tutor, BOUND + 150, bulk)
    assert _states() == {State.QUEUED: BOUND, State.PENDING: 150}
    assert _codes() == {None: BOUND + 150}, "what waits for room was refused by nobody"
    late = make_delivery(tutor, kind=bulk.name)
    assert delivery(late).state == State.PENDING
    background.work()
    assert _states() == {State.SENT: BOUND + 151}
    assert _once(line)


def test_a_kind_that_tells_everybody_leaves_room_for_the_others_of_its_queue(
    app: Flask, background: Background, bulk: Probe
) -> None:
    with registered(Probe("bulk_other", QueueName.BULK)) as other:
        with quietly() as tx:
            owe_many(tx, make_tutor(), BOUND - 200, kind=bulk.name)
            (owed,) = owe_many(tx, make_tutor(), 1, kind=other.name)
            owe_many(tx, make_tutor(), BOUND, kind=bulk.name)
        broker.queue(bulk.queue).enqueue("app.background.jobs.deliver", kwargs={"kind": bulk.name, "ids": []})
        background.tick()
        assert delivery(owed).state == State.QUEUED
        assert _delivery_jobs(bulk) == JOBS


def test_what_found_no_room_is_handed_over_when_there_is_some(
    app: Flask, background: Background, bulk: Probe, redis: ValkeyServer
) -> None:
    with registered(Probe("bulk_other", QueueName.BULK)) as other:
        tutor = make_tutor()
        _canceled(bulk, _tell(tutor, BOUND, bulk))
        _canceled(other, _tell(tutor, 300, other))
        assert _states() == {State.QUEUED: BOUND, State.PENDING: 300}
        background.work()
        assert _states() == {State.CANCELED: BOUND, State.PENDING: 300}
        background.tick()
        assert _delivery_jobs(bulk) == 3
        background.work()
        assert _states() == {State.CANCELED: BOUND + 300}


def test_redis_flushed_while_thousands_are_sent_costs_nobody_a_message(
    app: Flask, background: Background, line: FakeLine, redis: ValkeyServer, bulk: Probe
) -> None:
    _tell(make_tutor(), BOUND + 150, bulk)
    redis.flush()
    background.tick()
    assert _states() == {State.QUEUED: BOUND + 150}, "an empty queue has room, whatever the ledger thinks is in it"
    bulk.on_recheck = lambda: _flush_once(bulk, redis)
    background.work()
    with later(seconds=61):
        background.recover()
        background.work()
    assert _states() == {State.SENT: BOUND + 150}
    assert _once(line)


def test_what_a_full_queue_lost_is_handed_over_again_although_it_is_full(
    app: Flask, background: Background, redis: ValkeyServer, bulk: Probe
) -> None:
    tutor = make_tutor()
    lost = _tell(tutor, 200, bulk)
    redis.flush()
    with later(minutes=5):
        _tell(tutor, BOUND, bulk)
        assert _delivery_jobs(bulk) == JOBS
        assert background.recover()["lost_by_queue"] == len(lost)
        assert background.recover()["lost_by_queue"] == 0
        assert broker.queue(bulk.queue).count == JOBS + 2


def test_a_queue_that_stays_full_for_long_has_lost_nothing(app: Flask, background: Background, bulk: Probe) -> None:
    _tell(make_tutor(), BOUND + 150, bulk)
    for minutes in (5, 30):
        with later(minutes=minutes):
            background.tick()
            found = background.recover()
            assert (found["lost_by_queue"], found["handed_over"]) == (0, 0)
    assert _delivery_jobs(bulk) == JOBS


def test_thousands_that_redis_refused_all_say_so(
    app: Flask, background: Background, redis: ValkeyServer, bulk: Probe
) -> None:
    tutor = make_tutor()
    redis.kill()
    _tell(tutor, BOUND + 150, bulk)
    assert _codes() == {FailureCode.QUEUE_ENQUEUE_FAILED: BOUND + 150}
    redis.start()
    background.tick()
    assert _states() == {State.QUEUED: BOUND, State.PENDING: 150}


def _tell(tutor: int, number: int, kind: Probe) -> list[int]:
    with writing() as tx:
        return owe_many(tx, tutor, number, kind=kind.name)


def _canceled(kind: Probe, ids: list[int]) -> None:
    kind.verdicts |= {one: Cancel(CancelReason.SUBJECT_RESOLVED) for one in ids}


def _flush_once(kind: Probe, redis: ValkeyServer) -> None:
    kind.on_recheck = lambda: None
    redis.flush()


def _states() -> dict[str, int]:
    return _count(Delivery.state)


def _codes() -> dict[str | None, int]:
    return _count(Delivery.failure_code)


def _count(column: Any) -> dict[Any, int]:
    db.session.rollback()
    return dict(db.session.execute(select(column, func.count()).group_by(column)).all())


def _once(line: FakeLine) -> bool:
    return max(Counter(one.retry_key for one in line.accepted).values()) == 1
