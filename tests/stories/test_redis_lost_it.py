"""Promise: what RQ lost goes out again, once; and a long queue is never taken for a loss."""

from flask import Flask

from app.extensions import broker
from app.outbox.models import Delivery
from app.outbox.state import State
from tests.factories import change, delivery, make_delivery, make_tutor, soon
from tests.fakes.kind import Probe
from tests.fakes.line import FakeLine
from tests.fixtures.background import Background, later
from tests.servers.valkey import ValkeyServer


def test_after_a_flush_what_was_queued_goes_out_once(
    app: Flask, background: Background, redis: ValkeyServer, line: FakeLine, probe: Probe
) -> None:
    owed = make_delivery()
    assert delivery(owed).state == State.QUEUED
    redis.flush()
    with later(seconds=30):
        assert background.recover()["lost_by_queue"] == 0
    with later(seconds=61):
        assert background.recover()["lost_by_queue"] == 1
        assert background.recover()["lost_by_queue"] == 0
        background.work()
    assert delivery(owed).state == State.SENT
    assert len(line.accepted) == 1


def test_a_long_queue_is_not_handed_over_twice(
    app: Flask, background: Background, redis: ValkeyServer, probe: Probe
) -> None:
    tutor = make_tutor()
    for _ in range(3):
        make_delivery(tutor)
    with later(minutes=30):
        assert background.recover()["lost_by_queue"] == 0
    assert broker.queue(probe.queue).count == 3


def test_a_job_that_vanished_from_a_long_queue_is_found_when_younger_ones_are_at_its_head(
    app: Flask, background: Background, redis: ValkeyServer, line: FakeLine, probe: Probe
) -> None:
    tutor = make_tutor()
    vanished = make_delivery(tutor)
    broker.queue(probe.queue).empty()
    with later(minutes=5):
        waiting = make_delivery(tutor)
        assert background.recover()["lost_by_queue"] == 1
        background.work()
    assert {delivery(vanished).state, delivery(waiting).state} == {State.SENT}
    assert len(line.accepted) == 2


def test_a_late_stray_or_doubled_job_does_nothing(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    owed = make_delivery()
    stray = {"kind": "probe", "ids": [owed, owed, 987654321]}
    queue = broker.queue(probe.queue)
    for _ in range(2):
        queue.enqueue("app.background.jobs.deliver", kwargs=stray)
    background.work()
    background.work()
    assert delivery(owed).attempts == 1
    assert len(line.accepted) == 1


def test_a_stray_old_job_moves_no_row_that_is_not_due(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    owed = make_delivery()
    change(Delivery, owed, state=State.RETRY, next_attempt_at=soon(10), failure_code="LINE_TIMEOUT")
    background.work()
    waiting = delivery(owed)
    assert (waiting.state, waiting.attempts) == (State.RETRY, 0)
    assert line.requests == []
