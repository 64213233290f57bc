"""Promise: each browser has its own fate, and nothing that a push service says spoils another delivery."""

from datetime import timedelta
from typing import Any

import pytest
from flask import Flask

from app.channels import CHANNELS
from app.channels.web_push import WebPushChannel
from app.channels.web_push.doors import Doors
from app.channels.web_push.message import PushMessage
from app.clock import now
from app.engine.deliver import deliver
from app.kinds import Message, Send
from app.outbox import queries
from app.vapid import public_key
from tests.channels.web_push.speaking import MESSAGE, target_of
from tests.factories import delivery, line_user, make_delivery, make_tutor
from tests.fakes.kind import Probe
from tests.fakes.line_answers import reply
from tests.fakes.push import ACCEPT_THEN_500, FakePush
from tests.fixtures.background import later
from tests.fixtures.settings import VAPID_KEY


class ByLineLink(WebPushChannel):
    """Pushes to the browser of whoever has a LINE link: the ledger needs an address, whatever it is."""

    def __init__(self) -> None:
        super().__init__(VAPID_KEY, "mailto:todoke@example.jp", Doors((), loopback=True))
        self.browsers: dict[str, str] = {}

    def compose(self, target: str, message: Message) -> bytes:
        return super().compose(self.browsers[target], message)


@pytest.fixture
def channel(app: Flask) -> ByLineLink:
    channel = ByLineLink()
    CHANNELS["web_push"] = channel
    return channel


def owe(channel: ByLineLink, subscription: dict[str, Any], **changes: object) -> int:
    """A push that is owed to this browser."""
    tutor = make_tutor()
    channel.browsers[line_user(tutor)] = target_of(subscription, **changes)
    return make_delivery(tutor, channel="web_push", gate_key="web_push")


def fate(owed: int) -> tuple[str, str | None, str | None, list[str | None]]:
    """State, reason of not sending, last code, and how each try ended."""
    found = delivery(owed)
    outcomes = [attempt.outcome for attempt in queries.timeline(owed)]
    return found.state, found.cancel_reason, found.failure_code, outcomes


def test_five_browsers_have_five_fates(push: FakePush, channel: ByLineLink, probe: Probe) -> None:
    probe.send = lambda due: Send(_message(due.id), note=due.id)  # type: ignore[method-assign]
    devices = [push.subscribe(public_key(VAPID_KEY)) for _ in range(4)]
    push.script_for(devices[1], reply(410))
    push.script_for(devices[2], reply(429, retry_after="1800"))
    push.script_for(devices[3], reply(400, {"reason": "BadWebPushTopic"}))
    owed = [owe(channel, device) for device in devices] + [owe(channel, devices[0], auth="AAAA")]

    deliver("probe", owed, lambda: False)

    assert [fate(one) for one in owed] == [
        ("sent", None, None, ["accepted"]),
        ("canceled", "device_gone", None, ["gone"]),
        ("retry", None, "PUSH_RATE_LIMITED", ["transient"]),
        ("failed", None, "PUSH_BAD_REQUEST", ["rejected"]),
        ("failed", None, "PUSH_ENDPOINT_REFUSED", ["rejected"]),
    ]
    assert probe.told_ids == [owed[0]]
    assert [arrived["id"] for arrived in push.arrived(devices[0])] == [owed[0]]
    (gone,) = queries.timeline(owed[1])
    assert (gone.code, gone.http_status, gone.retry_key) == ("PUSH_GONE", 410, None)
    assert delivery(owed[1]).frozen_request is None
    wait = delivery(owed[2]).next_attempt_at
    assert wait is not None
    assert timedelta(minutes=29) < wait - now() < timedelta(minutes=34)


def test_a_second_try_says_what_is_true_by_then_in_the_place_of_the_first(
    push: FakePush, channel: ByLineLink, probe: Probe
) -> None:
    device, said = push.subscribe(), ["before"]
    push.device(device).offline = True
    push.script(ACCEPT_THEN_500)
    probe.send = lambda due: Send(_message(due.id, said[0]), note=due.id)  # type: ignore[method-assign]
    owed = owe(channel, device)
    deliver("probe", [owed], lambda: False)
    assert fate(owed)[0] == "retry"

    said[0] = "after"
    with later(minutes=3):
        deliver("probe", [owed], lambda: False)
        push.device(device).come_online()

    assert fate(owed) == ("sent", None, None, ["transient", "accepted"])
    assert [arrived["body"] for arrived in push.arrived(device)] == ["after"]


def _message(number: int, body: str = "body") -> PushMessage:
    return PushMessage(MESSAGE.title, body, MESSAGE.path, "ja", MESSAGE.ttl, notification_id=number)
