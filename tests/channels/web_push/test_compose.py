"""What a push may say, and the bytes that it becomes."""

import json
import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from app.channels.messages import InvalidMessage
from app.channels.web_push import WebPushChannel
from app.channels.web_push.message import PushMessage
from app.channels.web_push.payload import LARGEST, SAFE, TITLE, payload_of, shortened
from tests.channels.web_push.speaking import MESSAGE, target_of


def said(message: PushMessage) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(payload_of(message))
    return document


def test_a_composed_request_is_the_same_each_time_and_knows_its_target(
    channel: WebPushChannel, device: dict[str, Any]
) -> None:
    target = target_of(device)
    request = channel.compose(target, MESSAGE)

    assert request == channel.compose(target, replace(MESSAGE))
    assert channel.target_of(request) == target
    assert not channel.keyed


def test_the_service_worker_gets_the_words_the_page_the_tag_and_the_notification() -> None:
    assert said(MESSAGE) == {
        "title": "新しい問い合わせ", "body": "渋谷店から届きました", "path": "/inbox/17", "tag": MESSAGE.tag,
        "lang": "ja", "id": 17,
    }  # fmt: skip
    assert said(replace(MESSAGE, notification_id=None))["id"] is None


def test_a_tag_is_that_of_the_notification_and_fit_to_be_a_topic_at_every_service() -> None:
    tags = [replace(MESSAGE, notification_id=number).tag for number in (None, *range(200))]

    assert MESSAGE.tag == replace(MESSAGE, title="other words").tag
    assert len(set(tags)) == 201
    assert not [tag for tag in tags if not re.fullmatch("[A-Za-z0-9_-]{32}", tag)]


@pytest.mark.parametrize("body", ["あ" * 5000, "😀" * 5000, '"' * 5000, "\x01" * 5000, "a" * 5000, "あ\n" * 3000])
def test_a_long_body_is_shortened_on_a_whole_character(body: str) -> None:
    payload = payload_of(replace(MESSAGE, body=body))
    shown = json.loads(payload)["body"]

    assert SAFE - 8 <= len(payload.encode()) <= SAFE < LARGEST
    assert shown.endswith("…")
    assert body.startswith(shown[:-1])


def test_long_words_everywhere_still_fit() -> None:
    message = replace(MESSAGE, title="題" * 3000, body="文" * 3000, path="/" + "p" * 499)
    payload = payload_of(message)

    assert len(payload.encode()) <= SAFE
    assert len(json.loads(payload)["title"].encode()) <= TITLE
    assert len(json.loads(payload)["body"]) > 400


@pytest.mark.parametrize("extra", range(6))
def test_what_just_fits_is_not_shortened(extra: int) -> None:
    room = SAFE - len(payload_of(replace(MESSAGE, body="")).encode())
    body = "あ" * ((room - extra) // 3)

    assert said(replace(MESSAGE, body=body))["body"] == body


@pytest.mark.parametrize(
    ("words", "most", "expected"),
    [
        ("short", 5, "short"),
        ("longer", 5, "lo…"),
        ("あいう", 9, "あいう"),
        ("あいうえ", 9, "あい…"),
        ("a 😀b", 6, "a…"),
    ],
)
def test_a_text_is_shortened_in_bytes(words: str, most: int, expected: str) -> None:
    assert shortened(words, most) == expected


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"title": ""}, "title"),
        ({"title": " \u3000"}, "title"),
        ({"title": "秘密\ud83d"}, "title"),
        ({"body": "秘密\udc00"}, "body"),
        ({"path": "/\ud800"}, "path"),
        ({"path": ""}, "path"),
        ({"path": "inbox"}, "path"),
        ({"path": "//evil.example/秘密"}, "path"),
        ({"path": "/\\evil.example"}, "path"),
        ({"path": "/a\\b"}, "path"),
        ({"path": "https://evil.example"}, "path"),
        ({"path": "javascript:秘密"}, "path"),
        ({"path": "/a b"}, "path"),
        ({"path": "/a\n"}, "path"),
        ({"path": "/" + "あ" * 200}, "path"),
        ({"language": "日本語"}, "language"),
        ({"ttl": timedelta(seconds=-1)}, "ttl"),
        ({"ttl": timedelta(days=30, seconds=1)}, "ttl"),
    ],
)
def test_what_cannot_be_said_is_named_but_not_quoted(
    channel: WebPushChannel, device: dict[str, Any], changes: dict[str, Any], name: str
) -> None:
    with pytest.raises(InvalidMessage) as caught:
        channel.compose(target_of(device), replace(MESSAGE, **changes))

    assert str(caught.value).startswith(f"{name}: ")
    assert not [word for word in ("秘密", "evil", "javascript") if word in str(caught.value)]


def test_messages_of_other_channels_and_unknown_urgencies_are_refused(
    channel: WebPushChannel, device: dict[str, Any]
) -> None:
    with pytest.raises(TypeError, match="not str"):
        channel.compose(target_of(device), "a message of another channel")
    with pytest.raises(ValueError, match="soon"):
        channel.compose(target_of(device), replace(MESSAGE, urgency="soon"))  # type: ignore[arg-type]
