"""Every answer of a push service, and every silence, through a real socket."""

import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine

from app.channels.outcome import Accepted, Gone, Rejected, Transient
from app.channels.web_push import WebPushChannel
from app.channels.web_push.doors import Doors
from app.codes import FailureCode
from tests.channels.web_push.speaking import HOSTS, send
from tests.fakes import line_answers as answers
from tests.fakes.line_answers import Answer, reply
from tests.fakes.ports import closed_port
from tests.fakes.push import ACCEPT_THEN_500, FakePush
from tests.fixtures.settings import VAPID_KEY

BLOCKED = "Domain Blocked"


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_any_2xx_is_accepted(push: FakePush, device: dict[str, Any], channel: WebPushChannel, status: int) -> None:
    push.script(reply(status, b"", x_wns_status="received"))
    outcome = send(channel, device)

    assert isinstance(outcome, Accepted)
    assert (outcome.answer.http_status, outcome.answer.detail) == (status, None)


@pytest.mark.parametrize("word", ["dropped", "channelthrottled", "Dropped "])
def test_a_200_by_which_windows_says_no_is_not_accepted(
    push: FakePush, device: dict[str, Any], channel: WebPushChannel, word: str
) -> None:
    push.script(reply(200, b"", x_wns_status=word, retry_after="900"))
    outcome = send(channel, device)

    assert isinstance(outcome, Transient)
    assert (outcome.code, outcome.may_have_arrived) == (FailureCode.PUSH_RATE_LIMITED, False)
    assert (outcome.retry_after, outcome.answer.detail) == (timedelta(minutes=15), word.strip())


@pytest.mark.parametrize(
    ("answer", "code", "may_have_arrived"),
    [
        (reply(429), FailureCode.PUSH_RATE_LIMITED, False),
        (reply(406, x_wns_status="appthrottled"), FailureCode.PUSH_RATE_LIMITED, False),
        (reply(500), FailureCode.PUSH_SERVER_ERROR, True),
        (ACCEPT_THEN_500, FailureCode.PUSH_SERVER_ERROR, True),
        (reply(502), FailureCode.PUSH_SERVER_ERROR, True),
        (reply(503), FailureCode.PUSH_SERVER_ERROR, True),
        (reply(599), FailureCode.PUSH_SERVER_ERROR, True),
        (reply(999), FailureCode.PUSH_SERVER_ERROR, True),
        (answers.TIMEOUT, FailureCode.PUSH_TIMEOUT, True),
        (answers.CUT, FailureCode.PUSH_CONNECTION_LOST, True),
        (answers.ACCEPT_THEN_CUT, FailureCode.PUSH_CONNECTION_LOST, True),
    ],
    ids=lambda value: value.name if isinstance(value, Answer) else None,
)
def test_what_may_pass_is_tried_again(
    push: FakePush,
    device: dict[str, Any],
    channel: WebPushChannel,
    answer: Answer,
    code: FailureCode,
    may_have_arrived: bool,
) -> None:
    push.script(answer)
    outcome = send(channel, device)

    assert isinstance(outcome, Transient)
    assert (outcome.code, outcome.may_have_arrived) == (code, may_have_arrived)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (reply(400), FailureCode.PUSH_BAD_REQUEST),
        (reply(400, {"reason": "VapidPkHashMismatch"}), FailureCode.PUSH_BAD_REQUEST),
        (reply(401), FailureCode.PUSH_VAPID_REJECTED),
        (reply(403), FailureCode.PUSH_VAPID_REJECTED),
        (reply(413), FailureCode.PUSH_TOO_LARGE),
        (reply(304), FailureCode.PUSH_REDIRECTED),
        (reply(307, location="/"), FailureCode.PUSH_REDIRECTED),
        (reply(402), FailureCode.PUSH_REJECTED),
        (reply(405), FailureCode.PUSH_REJECTED),
        (reply(409), FailureCode.PUSH_REJECTED),
        (reply(410, b"", x_wns_error_description=BLOCKED), FailureCode.PUSH_REJECTED),
        (reply(410, b"<p>domain blocked</p>"), FailureCode.PUSH_REJECTED),
    ],
    ids=lambda value: value.name if isinstance(value, Answer) else None,
)
def test_what_is_refused_waits_for_a_person_and_keeps_the_device(
    push: FakePush, device: dict[str, Any], channel: WebPushChannel, answer: Answer, code: FailureCode
) -> None:
    push.script(answer)
    outcome = send(channel, device)

    assert isinstance(outcome, Rejected)
    assert (outcome.code, outcome.answer.http_status) == (code, answer.status)
    assert push.arrived(device) == []


@pytest.mark.parametrize(
    "answer",
    [reply(404), reply(410), reply(410, {"errno": 103}), reply(404, {"reason": "Unregistered"})],
    ids=lambda answer: answer.name,
)
def test_a_device_that_is_no_more_is_gone(
    push: FakePush, device: dict[str, Any], channel: WebPushChannel, answer: Answer
) -> None:
    push.script(answer)
    outcome = send(channel, device)

    assert isinstance(outcome, Gone)
    assert (outcome.code, outcome.may_have_arrived) == (FailureCode.PUSH_GONE, False)
    assert outcome.answer.http_status == answer.status


def test_who_unsubscribed_is_gone(push: FakePush, device: dict[str, Any], channel: WebPushChannel) -> None:
    push.unsubscribe(device)

    assert isinstance(send(channel, device), Gone)


def test_nobody_there_is_unreachable_and_certainly_not_arrived(device: dict[str, Any]) -> None:
    channel = WebPushChannel(VAPID_KEY, "mailto:todoke@example.jp", Doors(HOSTS, loopback=True))
    with closed_port() as port:
        outcome = send(channel, device | {"endpoint": f"http://127.0.0.1:{port}/push/x"})

    assert isinstance(outcome, Transient)
    assert (outcome.code, outcome.may_have_arrived) == (FailureCode.PUSH_UNREACHABLE, False)


@time_machine.travel("2026-11-30T00:00:00Z", tick=False)
@pytest.mark.parametrize("status", [429, 406, 503])
@pytest.mark.parametrize(
    ("value", "seconds"),
    [("120", 120), ("Mon, 30 Nov 2026 00:05:00 GMT", 300), ("Sun, 29 Nov 2026 23:00:00 GMT", None), ("soon", None)],
)
def test_retry_after_is_read_as_seconds_or_as_a_date(
    push: FakePush, device: dict[str, Any], channel: WebPushChannel, status: int, value: str, seconds: int | None
) -> None:
    push.script(reply(status, retry_after=value))
    outcome = send(channel, device)

    assert isinstance(outcome, Transient)
    assert outcome.retry_after == (None if seconds is None else timedelta(seconds=seconds))


@pytest.mark.parametrize(
    ("answer", "detail"),
    [
        (
            reply(401, {"code": 401, "errno": 109, "error": "Unauthorized", "message": "Bad key"}),
            "109; Bad key; Unauthorized",
        ),
        (reply(403, {"reason": "BadJwtToken"}), "BadJwtToken"),
        (reply(400, {"error": {"code": 400, "message": "Invalid"}}), "Invalid"),
        (reply(400, b"UnauthorizedRegistration\n"), "UnauthorizedRegistration"),
        (reply(400, b"", x_wns_error_description="Ttl value conflicts"), "Ttl value conflicts"),
        (reply(400, b""), "Scripted"),
        (reply(400, b"[" * 60_000), "[" * 300),
        (reply(400, b"\xff\xfe"), "\ufffd\ufffd"),
        (reply(400, b'{"message":"a\\u0000b\\ud800c\\u202ed"}'), "a b c d"),
        (reply(400, {"message": "鍵が正しくありません。" * 9}), "鍵が正しくありません。" * 9),
    ],
    ids=str,
)
def test_the_services_own_words_are_kept(
    push: FakePush, device: dict[str, Any], channel: WebPushChannel, answer: Answer, detail: str
) -> None:
    push.script(answer)

    assert send(channel, device).answer.detail == detail


@pytest.mark.parametrize("as_json", [True, False])
def test_endpoint_keys_and_tokens_are_removed_from_them(
    push: FakePush, device: dict[str, Any], channel: WebPushChannel, as_json: bool
) -> None:
    path = device["endpoint"].removeprefix(push.url)
    token = "t=eyJ0eXAiOiJKV1Qi.eyJhdWQi.c2lnbmF0dXJl, k=BBAOIEPx1tA3F5qRqtY_QeZgsYu2T8mrI15uaVjj6vStCV02"
    for secret in (device["endpoint"], path, path[-32:], *device["keys"].values(), token, f"vapid {token}"):
        words = f"No: {secret} !"
        push.script(reply(400, json.dumps({"message": words}).encode() if as_json else words.encode()))
        detail = send(channel, device).answer.detail

        assert detail is not None
        assert detail.startswith("No: ")
        assert "[removed]" in detail
        assert not [part for part in (secret, path[-32:], "c2lnbmF0", "BBAOIEP") if part in detail]
