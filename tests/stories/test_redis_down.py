"""Promise: Redis may be down; the request answers at once, and what is owed goes out as soon as Redis answers."""

from datetime import timedelta
from time import monotonic

from flask import Flask

from app.clock import now
from app.outbox.models import Delivery
from app.outbox.state import State
from tests.factories import change, delivery, make_delivery, make_tutor
from tests.fakes.kind import Probe
from tests.fakes.line import FakeLine
from tests.fixtures.background import Background, later
from tests.servers.valkey import ValkeyServer


def test_what_is_recorded_while_redis_is_down_says_so_and_goes_out_when_it_answers(
    app: Flask, background: Background, redis: ValkeyServer, line: FakeLine, probe: Probe
) -> None:
    tutor = make_tutor()
    redis.kill()
    started = monotonic()
    owed = make_delivery(tutor)
    assert monotonic() - started < 1.0
    waiting = delivery(owed)
    assert (waiting.state, waiting.failure_code) == (State.PENDING, "QUEUE_ENQUEUE_FAILED")
    assert waiting.next_attempt_at is not None
    assert timedelta(minutes=14) < waiting.next_attempt_at - now() <= timedelta(minutes=15)

    redis.start()
    background.run()
    assert (delivery(owed).state, delivery(owed).failure_code) == (State.SENT, None)
    assert len(line.accepted) == 1


def test_the_second_request_does_not_wait_for_redis_again(app: Flask, redis: ValkeyServer, probe: Probe) -> None:
    tutor = make_tutor()
    redis.kill()
    make_delivery(tutor)
    redis.start()
    # Within the seconds of skipping nobody asks Redis, although it would answer.
    assert delivery(make_delivery(tutor)).failure_code == "QUEUE_ENQUEUE_FAILED"


def test_a_retry_that_the_queue_refuses_keeps_its_own_code(
    app: Flask, background: Background, redis: ValkeyServer, line: FakeLine, probe: Probe
) -> None:
    owed = make_delivery()
    change(Delivery, owed, state=State.RETRY, failure_code="LINE_TIMEOUT", next_attempt_at=now())
    redis.kill()
    background.tick()
    assert (delivery(owed).state, delivery(owed).failure_code) == (State.RETRY, "LINE_TIMEOUT")
    redis.start()
    background.run()
    assert delivery(owed).state == State.SENT


def test_a_process_killed_between_commit_and_hand_over_is_made_up_for_by_the_next_tick(
    app: Flask, background: Background, redis: ValkeyServer, line: FakeLine, probe: Probe
) -> None:
    owed = make_delivery()
    change(Delivery, owed, state=State.PENDING, queued_at=None)
    redis.flush()
    background.tick()
    assert delivery(owed).state == State.QUEUED
    background.work()
    assert len(line.accepted) == 1


def test_a_redis_that_takes_the_connection_and_says_nothing_costs_one_second(
    app: Flask, background: Background, redis: ValkeyServer, probe: Probe
) -> None:
    tutor = make_tutor()
    with redis.frozen():
        started = monotonic()
        owed = make_delivery(tutor)
        assert monotonic() - started < 2.5
    assert delivery(owed).failure_code == "QUEUE_ENQUEUE_FAILED"
    background.run()
    assert delivery(owed).state == State.SENT


def test_a_row_of_a_kind_that_is_gone_holds_nobody_up(
    app: Flask, background: Background, redis: ValkeyServer, line: FakeLine, probe: Probe
) -> None:
    orphan, owed = make_delivery(), make_delivery()
    change(Delivery, orphan, kind="forgotten", state=State.PENDING)
    change(Delivery, owed, state=State.PENDING)
    redis.flush()
    background.run()
    with later(minutes=5):
        background.recover()
    assert [delivery(one).state for one in (orphan, owed)] == [State.PENDING, State.SENT]
