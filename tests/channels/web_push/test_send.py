"""One push at a real socket: what arrives, decrypted and verified, and none of pywebpush's pitfalls."""

import json
import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
import time_machine

from app.channels.outcome import Accepted, Gone, Rejected, Transient
from app.channels.web_push import WebPushChannel
from app.channels.web_push.doors import Doors
from app.channels.web_push.message import Urgency
from app.channels.web_push.payload import LARGEST
from app.codes import FailureCode
from tests.channels.web_push.speaking import BOUND, HOSTS, MESSAGE, send, target_of
from tests.fakes import line_answers as answers
from tests.fakes.line_answers import Answer, reply
from tests.fakes.ports import closed_port
from tests.fakes.push import FakePush
from tests.fixtures.settings import VAPID_KEY

NOON = datetime(2026, 11, 30, 3, tzinfo=UTC)


def test_a_push_arrives_decrypted_from_a_verified_sender(
    push: FakePush, device: dict[str, Any], channel: WebPushChannel
) -> None:
    outcome = send(channel, device, urgency=Urgency.HIGH)

    seen = push.requests[0]
    assert isinstance(outcome, Accepted)
    assert (outcome.answer.http_status, outcome.accepted_id, seen.refusal) == (201, None, None)
    assert [arrived["body"] for arrived in push.arrived(device)] == [MESSAGE.body]
    named = ("Content-Encoding", "Content-Type", "TTL", "Urgency", "Topic")
    assert [seen.headers[name] for name in named] == [
        "aes128gcm", "application/octet-stream", "21600", "high", MESSAGE.tag,
    ]  # fmt: skip
    assert MESSAGE.title.encode() not in seen.body


def test_each_request_is_encrypted_anew_also_a_repeated_one(
    push: FakePush, device: dict[str, Any], channel: WebPushChannel
) -> None:
    request = channel.compose(target_of(device), MESSAGE)
    channel.send(request, None)
    channel.send(request, None)

    bodies = [seen.body for seen in push.requests]
    assert bodies[0][:16] != bodies[1][:16], "the salt"
    assert bodies[0][21:86] != bodies[1][21:86], "the key"
    assert len(push.arrived(device)) == 2
    assert push.connections == 1


def test_the_largest_payload_is_one_record_and_one_byte_more_is_never_sent(
    push: FakePush, device: dict[str, Any], channel: WebPushChannel
) -> None:
    composed = json.loads(channel.compose(target_of(device), MESSAGE))
    outcomes = []
    for size in (LARGEST, LARGEST + 1):
        composed["payload"] = json.dumps({"title": "x" * (size - 13)})
        assert len(composed["payload"]) == size
        outcomes.append(channel.send(json.dumps(composed).encode(), None))

    assert isinstance(outcomes[0], Accepted)
    assert isinstance(outcomes[1], Rejected)
    assert outcomes[1].code == FailureCode.PUSH_TOO_LARGE
    assert [len(seen.body) for seen in push.requests] == [4096]


@pytest.mark.parametrize("text", ["😀👨‍👩‍👧🏳️‍🌈", "長い日本語の文章。" * 400, '"\\\n\t', "\u202eabc"])
def test_emoji_and_long_japanese_survive(
    push: FakePush, device: dict[str, Any], channel: WebPushChannel, text: str
) -> None:
    send(channel, device, body=text)

    arrived = push.arrived(device)[0]["body"]
    assert text.startswith(arrived.removesuffix("…"))


@time_machine.travel(NOON, tick=False)
@pytest.mark.parametrize(
    ("ttl", "left", "seconds"),
    [
        (timedelta(hours=6), None, 21600),
        (timedelta(seconds=0), None, 0),
        (timedelta(seconds=90.9), None, 90),
        (timedelta(hours=6), timedelta(minutes=5, milliseconds=999), 300),
        (timedelta(hours=6), timedelta(days=2), 21600),
        (timedelta(hours=6), timedelta(milliseconds=500), 0),
        (timedelta(hours=6), timedelta(seconds=-5), 0),
    ],
)
def test_a_push_is_kept_for_whole_seconds_and_never_beyond_its_time(
    push: FakePush,
    device: dict[str, Any],
    channel: WebPushChannel,
    ttl: timedelta,
    left: timedelta | None,
    seconds: int,
) -> None:
    send(channel, device, ttl=ttl, expires_at=None if left is None else NOON + left)

    assert push.requests[0].headers["TTL"] == str(seconds)
    assert push.requests[0].refusal is None


def test_the_time_to_keep_is_counted_when_it_is_sent(
    push: FakePush, device: dict[str, Any], channel: WebPushChannel
) -> None:
    with time_machine.travel(NOON, tick=False):
        composed = channel.compose(target_of(device), MESSAGE)
        late = json.loads(composed) | {"expires_at": (NOON + timedelta(minutes=10)).isoformat()}
    with time_machine.travel(NOON + timedelta(minutes=9), tick=False):
        channel.send(json.dumps(late).encode(), None)

    assert push.requests[0].headers["TTL"] == "60"


def test_a_repeat_takes_the_place_of_what_an_offline_browser_has_not_seen(
    push: FakePush, device: dict[str, Any], channel: WebPushChannel
) -> None:
    push.device(device).offline = True
    for number, body in ((17, "first"), (17, "second"), (18, "another")):
        send(channel, device, notification_id=number, body=body)
    push.device(device).come_online()

    assert [arrived["body"] for arrived in push.arrived(device)] == ["second", "another"]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(
    push: FakePush, device: dict[str, Any], channel: WebPushChannel, status: int
) -> None:
    other = push.subscribe()
    push.script(reply(status, location=str(other["endpoint"])))
    outcome = send(channel, device)

    assert isinstance(outcome, Rejected)
    assert outcome.code == FailureCode.PUSH_REDIRECTED
    assert len(push.requests) == 1
    assert push.arrived(other) == []


def test_proxies_and_netrc_of_the_environment_are_ignored(
    push: FakePush, device: dict[str, Any], channel: WebPushChannel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("default login someone password else\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    with closed_port() as nobody:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{nobody}")

        assert isinstance(send(channel, device), Accepted)
    assert push.requests[0].headers["Authorization"].startswith("vapid t=")


@pytest.mark.parametrize("answer", [answers.TIMEOUT, answers.DRIP_HEADERS, answers.DRIP_BODY], ids=lambda one: one.name)
def test_a_service_that_hangs_is_given_up_in_time(
    push: FakePush, device: dict[str, Any], channel: WebPushChannel, answer: Answer
) -> None:
    push.script(answer)
    start = monotonic()
    outcome = send(channel, device)

    assert isinstance(outcome, Transient)
    assert (outcome.code, outcome.may_have_arrived) == (FailureCode.PUSH_TIMEOUT, True)
    assert monotonic() - start < BOUND + 0.6


@pytest.mark.parametrize(
    "changes",
    [
        {"auth": "AAAAAAAAAAA"},
        {"auth": "ÄÖÜ"},
        {"auth": 5},
        {"p256dh": ""},
        {"p256dh": "garbage"},
        {"p256dh": "BAAA" + "A" * 83},
        {"endpoint": "http://[::1]:9/push/x"},
        {"endpoint": "https://elsewhere.example/x"},
        {"endpoint": "https://user:pass@fcm.googleapis.com/x"},
        {"endpoint": ""},
        {"endpoint": None},
    ],
    ids=str,
)
def test_a_subscription_that_went_bad_ends_its_own_delivery_and_no_request_is_made(
    push: FakePush, device: dict[str, Any], channel: WebPushChannel, changes: dict[str, Any]
) -> None:
    outcome = channel.send(channel.compose(target_of(device, **changes), MESSAGE), None)

    assert isinstance(outcome, Rejected)
    assert (outcome.code, outcome.may_have_arrived) == (FailureCode.PUSH_ENDPOINT_REFUSED, False)
    assert outcome.answer.detail == next(iter(changes))
    assert push.connections == 0


@pytest.mark.parametrize("target", ["", "no JSON", "[]", "{}"])
def test_a_damaged_target_ends_its_own_delivery(channel: WebPushChannel, target: str) -> None:
    outcome = channel.send(channel.compose(target, MESSAGE), None)

    assert isinstance(outcome, Rejected)
    assert outcome.code == FailureCode.PUSH_ENDPOINT_REFUSED


def test_without_loopback_neither_this_machine_nor_a_name_that_leads_here_is_spoken_to(
    push: FakePush, device: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = ("127.0.0.1", int(push.url.rpartition(":")[2]))
    monkeypatch.setattr("app.bounds.getaddrinfo", lambda *_, **__: [(2, 1, 0, "", address)])
    shut = WebPushChannel(VAPID_KEY, "mailto:todoke@example.jp", Doors(HOSTS))
    for endpoint in (device["endpoint"], "https://db5p.push.example/x"):
        outcome = shut.send(shut.compose(target_of(device, endpoint=endpoint), MESSAGE), None)

        assert isinstance(outcome, Rejected)
        assert outcome.code == FailureCode.PUSH_ENDPOINT_REFUSED
    assert push.connections == 0


def test_a_subscription_that_the_browser_gave_back_is_gone_without_a_request(
    device: dict[str, Any], channel: WebPushChannel
) -> None:
    endpoint = "https://permanently-removed.invalid/fcm/send/x"
    outcome = channel.send(channel.compose(target_of(device, endpoint=endpoint), MESSAGE), None)

    assert isinstance(outcome, Gone)
    assert outcome.code == FailureCode.PUSH_GONE


@pytest.mark.parametrize(
    "answer", [answers.CUT, answers.TIMEOUT, reply(500, b"no"), None], ids=["cut", "silence", "500", "accepted"]
)
def test_neither_logs_nor_outcomes_hold_endpoint_keys_token_or_text(
    push: FakePush,
    device: dict[str, Any],
    channel: WebPushChannel,
    caplog: pytest.LogCaptureFixture,
    answer: Answer | None,
) -> None:
    caplog.set_level(logging.DEBUG)
    if answer:
        push.script(answer)
    told = f"{send(channel, device)} {caplog.text}"

    keys: Mapping[str, str] = device["keys"]
    secrets = [device["endpoint"], device["endpoint"][-32:], *keys.values(), "eyJ", VAPID_KEY, MESSAGE.title, "渋谷店"]
    assert not [secret for secret in secrets if secret in told]


def test_two_services_each_get_a_token_of_their_own(push: FakePush, channel: WebPushChannel) -> None:
    with FakePush() as other:
        for _ in range(2):
            for service in (push, other):
                assert isinstance(send(channel, service.subscribe()), Accepted)

        tokens = [[seen.headers["Authorization"] for seen in service.requests] for service in (push, other)]
    assert [len(set(each)) for each in tokens] == [1, 1]
    assert tokens[0][0] != tokens[1][0]


@pytest.mark.parametrize(
    ("passed", "renewed"),
    [
        (timedelta(minutes=59), False),
        (timedelta(hours=5, minutes=59), False),
        (timedelta(hours=6), True),
        (timedelta(hours=13), True),
        (timedelta(days=30), True),
        (timedelta(hours=-1), True),
    ],
)
def test_a_token_is_used_for_half_its_life_and_never_one_from_the_future(
    push: FakePush, device: dict[str, Any], channel: WebPushChannel, passed: timedelta, renewed: bool
) -> None:
    for moment in (NOON, NOON + passed):
        with time_machine.travel(moment, tick=False):
            assert isinstance(send(channel, device), Accepted)

    tokens = {seen.headers["Authorization"] for seen in push.requests}
    assert len(tokens) == (2 if renewed else 1)


def test_a_clock_that_is_hours_off_does_no_harm(
    push: FakePush, device: dict[str, Any], channel: WebPushChannel, monkeypatch: pytest.MonkeyPatch
) -> None:
    for skew in (timedelta(hours=-11), timedelta(hours=11)):
        monkeypatch.setattr("tests.fakes.push.now", _shifted(skew))
        assert isinstance(send(channel, device), Accepted)


def _shifted(skew: timedelta) -> Callable[[], datetime]:
    return lambda: datetime.now(UTC) + skew


def test_another_key_is_told_by_the_service(push: FakePush) -> None:
    other = WebPushChannel("A" * 42 + "Q", "mailto:todoke@example.jp", Doors(HOSTS, loopback=True))
    device = push.subscribe("B" * 87)
    outcome = send(other, device)

    assert isinstance(outcome, Rejected)
    assert (outcome.code, outcome.answer.http_status) == (FailureCode.PUSH_VAPID_REJECTED, 403)
    assert push.arrived(device) == []


def test_a_contact_that_apple_refuses_is_seen_by_the_fake(push: FakePush, device: dict[str, Any]) -> None:
    local = WebPushChannel(VAPID_KEY, "mailto:a@localhost", Doors(HOSTS, loopback=True))
    outcome = send(local, device)

    assert isinstance(outcome, Rejected)
    assert (outcome.code, outcome.answer.detail) == (
        FailureCode.PUSH_VAPID_REJECTED, "sub is no mailto: or https: contact",
    )  # fmt: skip
