"""What these tests say, and to whom."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from app.channels.outcome import Outcome
from app.channels.web_push import WebPushChannel
from app.channels.web_push.message import PushMessage

HOSTS = ("fcm.googleapis.com", "push.example")
BOUND = 0.5
MESSAGE = PushMessage(
    "新しい問い合わせ", "渋谷店から届きました", "/inbox/17", "ja", timedelta(hours=6), notification_id=17
)


def target_of(subscription: Mapping[str, Any], **changes: object) -> str:
    """The address of a delivery to this browser."""
    return json.dumps({"endpoint": subscription["endpoint"], **subscription["keys"], **changes})


def send(channel: WebPushChannel, subscription: Mapping[str, Any], **changes: Any) -> Outcome:
    """Say MESSAGE, changed in these parts."""
    return channel.send(channel.compose(target_of(subscription), replace(MESSAGE, **changes)), None)
