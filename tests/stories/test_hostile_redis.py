"""Promise: a Redis that is full, frozen or forged into costs no reminder and runs nothing of its own."""

from collections.abc import Iterator
from time import monotonic
from typing import Any

import pytest
from flask import Flask
from redis import Redis

from app.engine.deliver import deliver
from app.engine.handover import LONG_AGO, oldest_job_at
from app.extensions import broker
from app.kinds import QueueName
from app.outbox.state import State
from app.pulse import living
from app.sources.classroom.telling.tell import remind
from tests.factories import all_deliveries, delivery, make_delivery, make_shift, make_tutor, only_delivery
from tests.fakes.kind import Probe
from tests.fakes.line import FakeLine
from tests.fixtures.background import Background, until
from tests.servers.valkey import ValkeyServer

called: list[Any] = []


def note(*given: Any) -> None:
    """What a forged job would have called."""
    called.append(given)


@pytest.fixture
def full_redis(redis: ValkeyServer) -> Iterator[None]:
    """A Redis that answers PING and refuses every write."""
    with Redis(unix_socket_path=str(redis.socket)) as client:
        client.config_set("maxmemory-policy", "noeviction")
        client.config_set("maxmemory", "1")
        yield
        client.config_set("maxmemory", "0")


def test_a_redis_that_takes_nothing_counts_as_away(
    app: Flask, background: Background, line: FakeLine, full_redis: None
) -> None:
    make_shift(make_tutor())
    background.restart_clock(inline_after=0.2)
    until(lambda: _ticked(background, line), "the reminder goes out without a queue")
    until(lambda: [one.state for one in all_deliveries()] == [State.SENT], "it is recorded")


def test_a_worker_outlives_a_redis_that_takes_nothing(app: Flask, background: Background, full_redis: None) -> None:
    worker = background.spawn("--no-clock")
    until(lambda: living("worker"), "the worker lives")
    with pytest.raises(TimeoutError):
        _wait(worker, seconds=3)


def test_sigterm_ends_a_worker_while_redis_is_frozen(app: Flask, background: Background, redis: ValkeyServer) -> None:
    worker = background.spawn("--no-clock")
    until(_listens, "the worker listens")
    with redis.frozen():
        worker.terminate()
        _wait(worker, seconds=8)
    assert worker.returncode == 0


def test_a_forged_job_runs_no_function_of_its_own_choice(
    app: Flask, background: Background, redis: ValkeyServer
) -> None:
    queue = broker.queue("urgent")
    queue.enqueue_call(f"{__name__}.note", args=("run",))
    job = queue.enqueue_call("app.background.jobs.deliver", kwargs={"kind": "shift_reminder", "ids": []}, result_ttl=0)
    for callback in ("success_callback_name", "failure_callback_name", "stopped_callback_name"):
        broker.redis.hset(job.key, callback, f"{__name__}.note")
    background.work()
    assert called == []


def test_a_job_sends_only_what_is_of_its_kind(app: Flask, line: FakeLine, probe: Probe) -> None:
    make_shift(make_tutor())
    remind()
    deliver("probe", [only_delivery().id], lambda: False)
    assert line.requests == []


def test_rubbish_in_redis_ends_neither_the_clock_nor_recovery(
    app: Flask, background: Background, redis: ValkeyServer, probe: Probe
) -> None:
    broker.redis.hset("rq:job:bad", mapping={"created_at": "zzz", "data": b"\xff"})
    broker.redis.zadd("rq:scheduled:urgent", {"bad": 1})
    broker.redis.lpush("rq:queue:default", "bad")
    owed = make_delivery()
    background.tick()
    background.recover()
    assert delivery(owed).state == State.QUEUED


def test_a_queue_of_nothing_but_rubbish_is_taken_for_very_old(app: Flask, redis: ValkeyServer) -> None:
    broker.redis.lpush("rq:queue:default", *(f"bad{number}" for number in range(200)))
    assert oldest_job_at(QueueName.DEFAULT) == LONG_AGO


def _ticked(background: Background, line: FakeLine) -> bool:
    background.tick()
    return bool(line.accepted)


def _listens() -> bool:
    """Whether a worker waits at the queues. One that is only registering itself has several calls to make first."""
    return any(client["cmd"] in ("blpop", "blmove") for client in broker.redis.client_list())


def _wait(process: Any, seconds: float) -> None:
    ends = monotonic() + seconds
    until(lambda: process.poll() is not None or monotonic() > ends, "the process ends or its time is up")
    if process.poll() is None:
        raise TimeoutError
