"""Every answer of LINE, and every silence, through a real socket."""

from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine

from app.channels.line import LineChannel
from app.channels.line.flex import FlexMessage, box, bubble, text
from app.channels.outcome import Accepted, Outcome, Rejected, Transient
from app.codes import FailureCode
from tests.fakes import line_answers as answers
from tests.fakes.line import FakeLine
from tests.fakes.line_answers import Answer, reply, saying
from tests.fakes.ports import closed_port
from tests.fixtures.settings import SITE

USER = "U" + "0123456789abcdef" * 2
MESSAGE = FlexMessage("Shift at 18:00", bubble(box(text("Shift at 18:00"))))
SHORT = timedelta(seconds=0.4)


@pytest.fixture
def channel(line: FakeLine) -> LineChannel:
    return LineChannel(line.url, line.token, bound=SHORT, site=SITE)


def send(channel: LineChannel, key: str | None = None) -> Outcome:
    return channel.send(channel.compose(USER, MESSAGE), key or str(uuid4()))


def test_an_accepted_message_carries_the_id_of_its_request(line: FakeLine, channel: LineChannel) -> None:
    key = str(uuid4())

    outcome = send(channel, key)

    seen = line.requests[0]
    assert isinstance(outcome, Accepted)
    assert (outcome.already, outcome.accepted_id, outcome.may_have_arrived) == (False, seen.request_id, True)
    assert (outcome.answer.http_status, outcome.answer.request_id, outcome.answer.detail) == (
        200,
        seen.request_id,
        None,
    )
    assert (seen.to, seen.retry_key, seen.headers["Content-Type"]) == (USER, key, "application/json")


def test_a_key_that_was_accepted_is_told_with_both_ids(line: FakeLine, channel: LineChannel) -> None:
    key = str(uuid4())
    line.script(answers.ACCEPT_THEN_TIMEOUT)

    first, second = send(channel, key), send(channel, key)

    assert (type(first), first.may_have_arrived) == (Transient, True)
    assert isinstance(second, Accepted)
    assert (second.already, second.accepted_id) == (True, line.requests[0].request_id)
    assert (second.answer.http_status, second.answer.request_id) == (409, line.requests[1].request_id)
    assert len(line.accepted) == 1


@pytest.mark.parametrize(
    ("answer", "code", "may_have_arrived"),
    [
        (answers.FAIL_500, FailureCode.LINE_SERVER_ERROR, True),
        (answers.ACCEPT_THEN_500, FailureCode.LINE_SERVER_ERROR, True),
        (reply(503), FailureCode.LINE_SERVER_ERROR, True),
        (reply(599), FailureCode.LINE_SERVER_ERROR, True),
        (reply(999), FailureCode.LINE_SERVER_ERROR, True),
        (answers.TIMEOUT, FailureCode.LINE_TIMEOUT, True),
        (answers.DRIP_HEADERS, FailureCode.LINE_TIMEOUT, True),
        (answers.DRIP_BODY, FailureCode.LINE_TIMEOUT, True),
        (answers.CUT, FailureCode.LINE_CONNECTION_LOST, True),
        (answers.ACCEPT_THEN_CUT, FailureCode.LINE_CONNECTION_LOST, True),
    ],
    ids=lambda value: value.name if isinstance(value, Answer) else None,
)
def test_what_says_nothing_certain_is_tried_again(
    line: FakeLine, channel: LineChannel, answer: Answer, code: FailureCode, may_have_arrived: bool
) -> None:
    line.script(answer)

    outcome = send(channel)

    assert isinstance(outcome, Transient)
    assert (outcome.code, outcome.may_have_arrived) == (code, may_have_arrived)


@pytest.mark.parametrize(
    ("answer", "code", "may_have_arrived"),
    [
        (answers.CONFLICT_WITHOUT_ID, FailureCode.LINE_CONFLICT, True),
        (answers.REDIRECT, FailureCode.LINE_REDIRECTED, True),
        (reply(307, location="/"), FailureCode.LINE_REDIRECTED, True),
        (reply(304), FailureCode.LINE_REDIRECTED, True),
        (answers.BAD_REQUEST, FailureCode.LINE_BAD_REQUEST, False),
        (answers.UNAUTHORIZED, FailureCode.LINE_UNAUTHORIZED, False),
        (answers.FORBIDDEN, FailureCode.LINE_FORBIDDEN, False),
        (answers.NOT_FOUND, FailureCode.LINE_NOT_FOUND, False),
        (answers.QUOTA_EXCEEDED, FailureCode.LINE_QUOTA_EXCEEDED, False),
        (answers.RATE_LIMITED, FailureCode.LINE_RATE_LIMITED, False),
        (saying("other 429", 429, "Too many to one user"), FailureCode.LINE_RATE_LIMITED, False),
        (reply(429, b"<html>"), FailureCode.LINE_RATE_LIMITED, False),
        (reply(410), FailureCode.LINE_REJECTED, False),
        (reply(413), FailureCode.LINE_REJECTED, False),
        (reply(415), FailureCode.LINE_REJECTED, False),
    ],
    ids=lambda value: value.name if isinstance(value, Answer) else None,
)
def test_what_is_refused_waits_for_a_person(
    line: FakeLine, channel: LineChannel, answer: Answer, code: FailureCode, may_have_arrived: bool
) -> None:
    line.script(answer)

    outcome = send(channel)

    assert isinstance(outcome, Rejected)
    assert (outcome.code, outcome.may_have_arrived) == (code, may_have_arrived)
    assert (outcome.answer.http_status, outcome.answer.request_id) == (answer.status, line.requests[0].request_id)
    assert line.accepted == []


@pytest.mark.parametrize("status", [200, 201, 204, 299])
def test_any_2xx_is_accepted(line: FakeLine, channel: LineChannel, status: int) -> None:
    line.script(reply(status, b""))

    assert isinstance(send(channel), Accepted)


def test_nobody_there_is_unreachable_and_certainly_not_arrived() -> None:
    with closed_port() as port:
        outcome = send(LineChannel(f"http://127.0.0.1:{port}", "token", bound=SHORT, site=SITE))

    assert isinstance(outcome, Transient)
    assert (outcome.code, outcome.may_have_arrived) == (FailureCode.LINE_UNREACHABLE, False)


@time_machine.travel("2026-11-30T00:00:00Z", tick=False)
@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120),
        ("0", 0),
        ("Mon, 30 Nov 2026 00:05:00 GMT", 300),
        ("Mon, 30 Nov 2026 00:05:00 -0000", 300),
        ("Sun, 29 Nov 2026 23:00:00 GMT", None),
        ("-5", None),
        ("1.5", None),
        ("soon", None),
        ("9" * 40, None),
        ("Mon, 30 Nov 99999999999 00:05:00 GMT", None),
        ("", None),
    ],
)
def test_retry_after_is_read_from_a_5xx(line: FakeLine, channel: LineChannel, value: str, seconds: int | None) -> None:
    line.script(reply(503, retry_after=value))

    outcome = send(channel)

    assert isinstance(outcome, Transient)
    assert outcome.retry_after == (None if seconds is None else timedelta(seconds=seconds))


def test_a_request_without_a_key_sends_none(line: FakeLine, channel: LineChannel) -> None:
    send(channel)
    channel.send(channel.compose(USER, MESSAGE), None)

    assert line.requests[1].retry_key is None
    assert line.connections == 1


def test_a_retry_repeats_the_request_byte_for_byte(line: FakeLine, channel: LineChannel) -> None:
    key = str(uuid4())
    line.script(answers.FAIL_500)
    send(channel, key)
    send(channel, key)

    assert line.requests[0].body == line.requests[1].body
    assert line.requests[0].retry_key == line.requests[1].retry_key == key
