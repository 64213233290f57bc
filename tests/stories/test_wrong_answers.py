"""Promise: what may be retried is told apart from what may not, and each wait is visible."""

from datetime import timedelta

import pytest
from flask import Flask

from app.channels import CHANNELS
from app.channels.line import LineChannel
from app.clock import now
from app.outbox import queries
from app.outbox.state import State
from tests.factories import delivery, make_delivery
from tests.fakes.kind import Probe
from tests.fakes.line import FakeLine
from tests.fakes.line_answers import (
    ACCEPT_THEN_500,
    ACCEPT_THEN_CUT,
    ACCEPT_THEN_TIMEOUT,
    BAD_REQUEST,
    CONFLICT_WITHOUT_ID,
    FAIL_500,
    QUOTA_EXCEEDED,
    RATE_LIMITED,
    Answer,
)  # fmt: skip
from tests.fixtures.background import Background, later
from tests.fixtures.settings import SITE

WAITS = [timedelta(minutes=minutes) for minutes in (2, 4, 8, 16, 32)]


def test_six_tries_with_growing_waits_then_a_dead_letter(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    owed = make_delivery()
    line.script(*[FAIL_500] * 6)
    background.work()
    started = now()
    for wait in WAITS:
        waiting = delivery(owed)
        assert (waiting.state, waiting.failure_code) == (State.RETRY, "LINE_SERVER_ERROR")
        assert waiting.next_attempt_at is not None
        assert wait <= waiting.next_attempt_at - waiting.updated_at <= wait * 1.1 + timedelta(seconds=1)
        due_in = waiting.next_attempt_at - started
        with later(seconds=due_in.total_seconds() - 5):
            background.run()
            assert delivery(owed).attempts == waiting.attempts, "not before its time"
        with later(seconds=due_in.total_seconds() + 5):
            background.run()
    failed = delivery(owed)
    assert (failed.state, failed.failure_code, failed.dead_letter) == (State.FAILED, "LINE_SERVER_ERROR", True)
    assert failed.finished_at is not None
    assert len({request.retry_key for request in line.requests}) == 1
    assert len({request.body for request in line.requests}) == 1
    assert [attempt.number for attempt in queries.timeline(owed)] == [1, 2, 3, 4, 5, 6]


def test_accepted_behind_an_error_is_recognised_by_the_409_of_the_next_try(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    owed = make_delivery()
    line.script(ACCEPT_THEN_500)
    background.work()
    assert delivery(owed).key_ambiguous
    with later(minutes=3):
        background.run()
    sent = delivery(owed)
    assert (sent.state, sent.already_accepted) == (State.SENT, True)
    assert sent.provider_request_id == line.accepted[0].request_id
    last = queries.timeline(owed)[-1]
    assert (last.outcome, last.http_status) == ("already_accepted", 409)
    assert last.provider_request_id == line.requests[-1].request_id != sent.provider_request_id
    assert len(line.accepted) == 1
    assert probe.told_ids == [owed]


@pytest.mark.parametrize(
    ("answer", "code"),
    [(ACCEPT_THEN_TIMEOUT, "LINE_TIMEOUT"), (ACCEPT_THEN_CUT, "LINE_CONNECTION_LOST")],
    ids=["time-out", "cut"],
)
def test_accepted_then_silence_is_recognised_by_the_409_of_the_next_try(
    app: Flask, background: Background, line: FakeLine, probe: Probe, answer: Answer, code: str
) -> None:
    CHANNELS["line"] = LineChannel(line.url, line.token, bound=timedelta(seconds=0.5), site=SITE)
    owed = make_delivery()
    line.script(answer)
    background.work()
    waiting = delivery(owed)
    assert (waiting.state, waiting.failure_code, waiting.key_ambiguous) == (State.RETRY, code, True)
    with later(minutes=3):
        background.run()
    assert (delivery(owed).state, delivery(owed).already_accepted) == (State.SENT, True)
    assert delivery(owed).failure_code is None
    assert len(line.accepted) == 1


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (RATE_LIMITED, "LINE_RATE_LIMITED"),
        (QUOTA_EXCEEDED, "LINE_QUOTA_EXCEEDED"),
        (CONFLICT_WITHOUT_ID, "LINE_CONFLICT"),
        (BAD_REQUEST, "LINE_BAD_REQUEST"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_refusal_fails_at_once_and_waits_for_a_person(
    app: Flask, background: Background, line: FakeLine, probe: Probe, answer: Answer, code: str
) -> None:
    owed = make_delivery()
    line.script(answer)
    background.work()
    with later(hours=3):
        background.run()
        background.recover()
        background.run()
    failed = delivery(owed)
    assert (failed.state, failed.failure_code, failed.dead_letter) == (State.FAILED, code, False)
    assert failed.finished_at is not None
    assert failed.finished_at < now()
    assert failed.attempts == 1
