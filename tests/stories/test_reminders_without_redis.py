"""Promise: a reminder is not lost for want of a queue."""

from collections.abc import Iterator

import pytest
from flask import Flask

from app.background import inline
from app.outbox.state import State
from app.sources.classroom.telling.tell import remind
from tests.factories import all_deliveries, delivery, make_delivery, make_shift, make_tutor, only_delivery
from tests.fakes.kind import Probe
from tests.fakes.line import FakeLine
from tests.fixtures.background import Background, until
from tests.servers.valkey import ValkeyServer


@pytest.fixture
def without_redis(redis: ValkeyServer) -> Iterator[None]:
    redis.kill()
    yield
    redis.start()


def test_while_redis_is_away_urgent_scans_run_and_urgent_deliveries_go_out(
    app: Flask, without_redis: None, line: FakeLine
) -> None:
    make_shift(make_tutor())
    inline.run(app)
    assert only_delivery().state == State.SENT
    assert len(line.accepted) == 1


def test_what_was_queued_when_redis_went_away_goes_out_too(app: Flask, redis: ValkeyServer, line: FakeLine) -> None:
    make_shift(make_tutor())
    remind()
    assert only_delivery().state == State.QUEUED
    redis.kill()
    inline.run(app)
    assert only_delivery().state == State.SENT
    redis.start()


def test_what_can_wait_waits_for_redis(app: Flask, without_redis: None, line: FakeLine, probe: Probe) -> None:
    owed = make_delivery()
    inline.run(app)
    assert delivery(owed).state == State.PENDING
    assert line.requests == []


def ticked(background: Background) -> bool:
    background.tick()
    return bool(all_deliveries())


def test_the_clock_sends_inline_once_redis_has_been_away_for_a_while_and_hands_over_again_when_it_is_back(
    app: Flask, background: Background, redis: ValkeyServer, line: FakeLine
) -> None:
    make_shift(make_tutor())
    background.restart_clock(inline_after=0.5)
    redis.kill()
    background.tick()
    assert all_deliveries() == [], "Redis may only be restarting"
    until(lambda: ticked(background), "the scan ran inline")
    until(lambda: only_delivery().state == State.SENT, "the reminder went out inline")
    redis.start()
    background.run()
    assert len(line.accepted) == 1
