"""Promise: a worker killed at any moment costs nobody a message and doubles none."""

import os
import signal

from flask import Flask

from app.extensions import db
from app.outbox import queries
from app.outbox.state import State
from app.pulse import living
from app.sources.classroom.telling.tell import remind
from tests.factories import delivery, make_shift, make_tutor, only_delivery
from tests.fakes.line import FakeLine
from tests.fakes.line_answers import ACCEPT_THEN_TIMEOUT, HOLD, TIMEOUT, Answer
from tests.fixtures.background import Background, later, until


def test_killed_before_line_accepted_the_next_try_repeats_the_same_request(
    app: Flask, background: Background, line: FakeLine
) -> None:
    owed = _killed_while_line_does(TIMEOUT, background, line)
    _next_try(owed, background)
    sent = delivery(owed)
    assert (sent.state, sent.already_accepted) == (State.SENT, False)
    assert len(line.accepted) == 1
    _same_key_and_bytes(line)


def test_killed_after_line_accepted_the_409_of_the_next_try_counts_as_sent(
    app: Flask, background: Background, line: FakeLine
) -> None:
    owed = _killed_while_line_does(ACCEPT_THEN_TIMEOUT, background, line)
    _next_try(owed, background)
    sent = delivery(owed)
    assert (sent.state, sent.already_accepted) == (State.SENT, True)
    assert sent.provider_request_id == line.accepted[0].request_id
    assert len(line.accepted) == 1
    _same_key_and_bytes(line)
    assert [attempt.outcome for attempt in queries.timeline(owed)] == ["lost", "already_accepted"]


def test_sigterm_lets_the_request_under_way_be_answered(app: Flask, background: Background, line: FakeLine) -> None:
    line.script(HOLD)
    owed = _reminder()
    worker = background.spawn("--no-clock")
    until(line.holding.is_set, "LINE has the request")
    worker.send_signal(signal.SIGTERM)
    line.release()
    assert worker.wait(timeout=5) == 0, "within honcho's five seconds"
    assert delivery(owed).state == State.SENT


def _reminder() -> int:
    make_shift(make_tutor())
    remind()
    return only_delivery().id


def _killed_while_line_does(answer: Answer, background: Background, line: FakeLine) -> int:
    line.script(answer)
    owed = _reminder()
    worker = background.spawn("--no-clock")
    until(line.holding.is_set, "LINE has the request")
    background.kill(worker)
    assert delivery(owed).state == State.SENDING
    return owed


def _next_try(owed: int, background: Background) -> None:
    with later(seconds=121):
        assert background.recover()["lost"] == 1
        background.run()


def _same_key_and_bytes(line: FakeLine) -> None:
    first, second = line.requests
    assert first.retry_key == second.retry_key
    assert first.body == second.body


def test_workers_do_not_outlive_the_pool_that_was_killed(app: Flask, background: Background) -> None:
    pool = background.spawn()
    until(lambda: living("worker") and living("clock"), "worker and clock live")
    pool.kill()
    pool.wait()
    until(lambda: _is_empty(pool.pid), "nobody of the pool is left")


def test_whatever_of_the_pool_dies_is_started_again(app: Flask, background: Background, line: FakeLine) -> None:
    background.spawn("--processes", "2")
    until(lambda: len(_names()) == 3, "two workers and the clock live")
    first = _names()
    for name in first:
        os.kill(int(name.rpartition("-")[2]), signal.SIGKILL)
    until(lambda: len(_names() - first) == 3, "others live in their place")
    owed = _reminder()
    until(lambda: delivery(owed).state == State.SENT, "and do their work")


def _names() -> set[str]:
    db.session.rollback()
    return {one.name for role in ("worker", "clock") for one in living(role)}


def _is_empty(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False
