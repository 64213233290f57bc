"""The sandbox's push service: what the real channel sends is verified, decrypted and shown; the rest is refused."""

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import requests

from app.channels.outcome import Accepted, Gone, Outcome, Rejected
from app.channels.web_push import WebPushChannel
from app.channels.web_push.doors import Doors
from app.channels.web_push.subscription import read_subscription
from app.codes import FailureCode
from app.vapid import public_key
from tests.channels.web_push.speaking import MESSAGE
from tests.fixtures.settings import VAPID_KEY
from tests.sandbox.conftest import Line

DOORS = Doors((), loopback=True)


def subscribe(line: Line, **given: object) -> dict[str, Any]:
    answer = requests.post(f"{line.base}/push/subscriptions", json=given, timeout=5)
    assert answer.status_code == 201
    document: dict[str, Any] = answer.json()
    return document


def push(subscription: dict[str, Any], key: str = VAPID_KEY, **changes: Any) -> Outcome:
    channel = WebPushChannel(key, "mailto:todoke@example.jp", DOORS)
    target = read_subscription(subscription, DOORS).target
    return channel.send(channel.compose(target, replace(MESSAGE, **changes)), None)


def seen(line: Line, lang: str = "en") -> str:
    return re.sub(r"\s+", " ", requests.get(f"{line.base}/?lang={lang}", timeout=5).text)


def test_a_push_is_shown_with_title_body_page_and_tag(line: Line) -> None:
    subscription = subscribe(line, applicationServerKey=public_key(VAPID_KEY))

    assert isinstance(push(subscription), Accepted)
    html = seen(line)
    assert "<strong>新しい問い合わせ</strong>" in html
    assert "<p>渋谷店から届きました</p>" in html
    assert 'A click opens: <a href="http://127.0.0.1:8000/inbox/17"' in html
    assert f"Tag: <code>{MESSAGE.tag}</code>" in html
    assert "<dt>Kept for</dt><dd>21600 s</dd>" in html
    assert "Delivered pushes: 1 · requests: 1" in html
    assert "押すと開くページ" in seen(line, "ja")
    assert line.used() == 0, "LINE's month counts LINE's messages"


def test_a_subscription_is_a_browsers(line: Line) -> None:
    first, second = subscribe(line), subscribe(line)

    assert set(first) == {"endpoint", "expirationTime", "keys"}
    assert first["endpoint"].startswith(f"{line.base}/push/")
    assert first["endpoint"] != second["endpoint"]
    assert first["keys"] != second["keys"]
    assert read_subscription(first, DOORS).endpoint == first["endpoint"]


def test_the_keys_survive_a_restart_and_forgetting(line: Line, serve: Callable[[Path], Line], file: Path) -> None:
    subscription = subscribe(line)
    push(subscription)
    requests.post(f"{line.base}/forget", timeout=5)
    assert "Nothing has arrived yet." in seen(line)

    again = serve(file)
    moved = subscription | {"endpoint": subscription["endpoint"].replace(line.base, again.base)}
    assert isinstance(push(moved), Accepted)
    assert "渋谷店から届きました" in seen(again)


def test_the_file_of_an_older_sandbox_goes_on(line: Line, serve: Callable[[Path], Line], file: Path) -> None:
    line.push()
    with closing(sqlite3.connect(file)) as db:
        db.execute("ALTER TABLE call DROP COLUMN service")
        db.execute("DROP TABLE browser")
        db.execute("DROP TABLE product")
        db.execute("PRAGMA user_version = 1")
        db.commit()
    again = serve(file)

    assert again.used() == 1
    assert isinstance(push(subscribe(again)), Accepted)


def test_another_key_than_the_one_subscribed_with_is_refused(line: Line) -> None:
    outcome = push(subscribe(line, applicationServerKey=public_key(VAPID_KEY)), key="A" * 42 + "Q")

    assert isinstance(outcome, Rejected)
    assert outcome.code == FailureCode.PUSH_VAPID_REJECTED
    html = seen(line)
    assert "answered: 403 The VAPID key is not the one that the subscription was made with" in html
    assert "渋谷店" not in html


def test_an_endpoint_that_nobody_has_is_gone(line: Line) -> None:
    subscription = subscribe(line)
    gone = subscription | {"endpoint": f"{line.base}/push/nobody"}

    assert isinstance(push(gone), Gone)
    assert "answered: 404 No browser has this endpoint" in seen(line)


@pytest.mark.parametrize(
    ("headers", "body", "status", "words"),
    [
        ({"TTL": ""}, b"", 400, "TTL is missing"),
        ({"TTL": "-1"}, b"", 400, "TTL is missing"),
        ({"TTL": "1.5"}, b"", 400, "TTL is missing"),
        ({"Urgency": "soon"}, b"", 400, "Urgency is not one of"),
        ({"Topic": "x" * 33}, b"", 400, "Topic is no base64url"),
        ({"Topic": "x" * 13}, b"", 400, "Topic is no base64url"),
        ({"Topic": "a b"}, b"", 400, "Topic is no base64url"),
        ({}, b"", 401, "Authorization is not vapid"),
        ({"Authorization": "Bearer sandbox"}, b"", 401, "Authorization is not vapid"),
        ({"Authorization": f"vapid t=a.b.c, k={'A' * 87}"}, b"", 401, "The signature of the JWT is wrong"),
    ],
)
def test_what_a_push_service_would_refuse_is_refused(
    line: Line, headers: dict[str, str], body: bytes, status: int, words: str
) -> None:
    endpoint = subscribe(line)["endpoint"]
    answer = requests.post(endpoint, data=body, headers={"TTL": "60", **headers}, timeout=5)

    assert answer.status_code == status
    assert answer.json()["error"].startswith(words)
    assert f"answered: {status} {words}" in seen(line)


@pytest.mark.parametrize("given", ["short", 5, ["x"], "=" * 87])
def test_a_key_to_bind_to_must_be_one(line: Line, given: object) -> None:
    answer = requests.post(f"{line.base}/push/subscriptions", json={"applicationServerKey": given}, timeout=5)

    assert answer.status_code == 400
    assert "applicationServerKey" in answer.json()["error"]


def test_another_site_cannot_subscribe(line: Line) -> None:
    headers = {"Origin": "https://evil.example"}

    assert requests.post(f"{line.base}/push/subscriptions", headers=headers, timeout=5).status_code == 403


def test_what_a_browser_would_not_show_well_is_shown_all_the_same(line: Line) -> None:
    subscription = subscribe(line)
    for payload in ("no JSON", "[1]", '{"path":"https://evil.example/"}', '{"title":"<b>x</b>\\ud800"}', "null"):
        assert isinstance(_push_raw(subscription, payload), Accepted)

    html = seen(line)
    assert html.count('class="notification"') == 5
    assert html.count("A click opens nothing") == 5
    assert "(no title)" in html
    assert 'href="https://evil' not in html
    assert "<b>x</b>" not in html


def _push_raw(subscription: dict[str, Any], payload: str) -> Outcome:
    """What another sender than Todoke might push."""
    channel = WebPushChannel(VAPID_KEY, "mailto:todoke@example.jp", DOORS)
    request = json.loads(channel.compose(read_subscription(subscription, DOORS).target, MESSAGE))
    return channel.send(json.dumps(request | {"payload": payload}).encode(), None)
