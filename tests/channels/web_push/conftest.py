"""A push service, a browser that subscribed there, and the channel that speaks to it."""

from datetime import timedelta
from typing import Any

import pytest

from app.channels.web_push import WebPushChannel
from app.channels.web_push.doors import Doors
from app.vapid import public_key
from tests.channels.web_push.speaking import BOUND, HOSTS
from tests.fakes.push import FakePush
from tests.fixtures.settings import VAPID_KEY


@pytest.fixture
def device(push: FakePush) -> dict[str, Any]:
    return push.subscribe(public_key(VAPID_KEY))


@pytest.fixture
def channel() -> WebPushChannel:
    return WebPushChannel(
        VAPID_KEY, "mailto:todoke@example.jp", Doors(HOSTS, loopback=True), bound=timedelta(seconds=BOUND)
    )
