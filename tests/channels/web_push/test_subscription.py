"""Broken, swapped and hostile subscriptions are refused with a readable message; good ones come out whole."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import pytest
from flask import Flask
from flask_babel import force_locale

from app.channels.web_push.doors import Doors, is_retired, origin_of
from app.channels.web_push.subscription import Subscription, read_subscription, subscription_at
from app.config import PUSH_HOSTS
from app.faults import InvalidInput
from app.sandbox.web_push import Browser
from tests.fixtures.settings import VAPID_KEY

DOORS = Doors(("fcm.googleapis.com", "notify.windows.com"))
ENDPOINT = "https://fcm.googleapis.com/fcm/send/c0ffee:APA91b"
# Not made anew: the keys stand in the names of the tests, and those must be the same in every process.
BROWSER = Browser(VAPID_KEY, "AAECAwQFBgcICQoLDA0ODw")
P256DH, AUTH = BROWSER.p256dh, BROWSER.auth


def given(endpoint: object = ENDPOINT, p256dh: object = P256DH, auth: object = AUTH) -> dict[str, Any]:
    return {"endpoint": endpoint, "expirationTime": None, "keys": {"p256dh": p256dh, "auth": auth}}


def faults_of(document: object, doors: Doors = DOORS) -> dict[str, str]:
    with pytest.raises(InvalidInput) as refused:
        read_subscription(document, doors)
    return {fault.field: fault.message for fault in refused.value.faults}


def changed(key: str, place: int, byte: int) -> str:
    raw = bytearray(urlsafe_b64decode(key + "=="))
    raw[place] = byte
    return urlsafe_b64encode(raw).decode()


@pytest.mark.parametrize("padding", ["", "="])
def test_a_browsers_subscription_is_read_with_or_without_padding(padding: str) -> None:
    found = read_subscription(given(p256dh=P256DH + padding, auth=AUTH + padding * 2), DOORS)

    assert found == Subscription(ENDPOINT, P256DH, AUTH)
    assert subscription_at(found.target, DOORS) == found


def test_neither_a_subscription_nor_a_refusal_shows_its_secrets() -> None:
    shown = repr(read_subscription(given(), DOORS))
    with pytest.raises(InvalidInput) as refused:
        read_subscription(given("https://elsewhere.example/secret", AUTH, P256DH), DOORS)

    told = f"{shown} {refused.value!r} {refused.value.faults}"
    assert not [secret for secret in (ENDPOINT, P256DH, AUTH, "secret", "c0ffee") if secret in told]


@pytest.mark.parametrize(
    "endpoint",
    [
        ENDPOINT,
        "https://fcm.googleapis.com:443/wp/x",
        "https://FCM.googleapis.com/wp/x",
        "https://db5p.notify.windows.com/w/?token=BQ%2bYAA%3d%3d",
        "https://fcm.googleapis.com/" + "x" * 2021,
    ],
)
def test_push_services_on_the_list_and_below_them_are_open(endpoint: str) -> None:
    assert read_subscription(given(endpoint), DOORS).endpoint == endpoint


def test_the_default_list_opens_the_services_of_the_browsers() -> None:
    doors = Doors(tuple(PUSH_HOSTS.split(", ")))
    hosts = [
        "fcm.googleapis.com", "jmt17.google.com", "android.googleapis.com", "updates.push.services.mozilla.com",
        "web.push.apple.com", "wns2-par02p.notify.windows.com",
    ]  # fmt: skip
    assert not [host for host in hosts if doors.fault_of(f"https://{host}/x")]
    assert not [host for host in ("google.com", "mozilla.com", "apple.com") if not doors.fault_of(f"https://{host}/x")]


@pytest.mark.parametrize(
    ("endpoint", "words"),
    [
        (None, "missing"),
        ("", "missing"),
        (17, "missing"),
        (["https://fcm.googleapis.com/x"], "missing"),
        ("https://fcm.googleapis.com/" + "x" * 2022, "too long"),
        ("https://fcm.googleapis.com/ x", "strange"),
        ("https://fcm.googleapis.com/\r\nHost: evil", "strange"),
        ("https://fcm.googleapis.com\\@evil.example/x", "strange"),
        ("https://fcm.googleapis.com/\ud800", "strange"),
        ("https://fcm.googleapiѕ.com/x", "strange"),
        ("https://ｆcm.googleapis.com/x", "strange"),
        ("https://fcm。googleapis。com/x", "strange"),
        ("hello", "incomplete"),
        ("https://", "incomplete"),
        ("https:///x", "incomplete"),
        ("https://fcm.googleapis.com", "incomplete"),
        ("https://fcm.googleapis.com?x", "incomplete"),
        ("https://[::1/x", "incomplete"),
        ("https://fcm.googleapis.com:x/", "incomplete"),
        ("https://fcm.googleapis.com:99999/", "incomplete"),
        ("https://fcm.googleapis.com:0/", "incomplete"),
        ("http://fcm.googleapis.com/x", "https"),
        ("ftp://fcm.googleapis.com/x", "https"),
        ("file://fcm.googleapis.com/etc/passwd", "https"),
        ("http://127.0.0.1:8001/push/x", "https"),
        ("http://localhost/x", "https"),
        ("https://user:pass@fcm.googleapis.com/x", "name or a password"),
        ("https://fcm.googleapis.com@evil.example/x", "name or a password"),
        ("https://@fcm.googleapis.com/x", "name or a password"),
        ("https://fcm.googleapis.com:8443/x", "port"),
        ("https://fcm.googleapis.com:80/x", "port"),
        ("https://evilfcm.googleapis.com.evil.example/x", "no push service"),
        ("https://evil-fcm.googleapis.com/x", "no push service"),
        ("https://xfcm.googleapis.com/x", "no push service"),
        ("https://googleapis.com/x", "no push service"),
        ("https://fcm.googleapis.com./x", "no push service"),
        ("https://fcm.googleapis.com%2eevil.example/x", "no push service"),
        ("https://xn--fcm-googleapis.com/x", "no push service"),
        ("https://127.0.0.1/x", "no push service"),
        ("https://localhost/x", "no push service"),
        ("https://2130706433/x", "no push service"),
        ("https://0x7f000001/x", "no push service"),
        ("https://[::1]/x", "no push service"),
        ("https://[::ffff:127.0.0.1]/x", "no push service"),
        ("https://10.0.0.1/x", "no push service"),
        ("https://169.254.169.254/latest", "no push service"),
        ("https://permanently-removed.invalid/fcm/send/x", "no push service"),
    ],
)
def test_every_other_endpoint_is_refused_with_its_reason(endpoint: object, words: str) -> None:
    faults = faults_of(given(endpoint))

    assert list(faults) == ["endpoint"]
    assert words in faults["endpoint"]


def test_this_machine_is_open_only_where_loopback_is() -> None:
    doors = Doors(DOORS.hosts, loopback=True)
    here = ["http://127.0.0.1:8001/push/x", "http://localhost:9/x", "https://127.0.0.1/x"]
    elsewhere = ["http://10.0.0.1/x", "http://fcm.googleapis.com/x", "http://u@127.0.0.1/x", "ftp://127.0.0.1/x"]

    assert not [endpoint for endpoint in here if doors.fault_of(endpoint)]
    assert not [endpoint for endpoint in here if not DOORS.fault_of(endpoint)]
    assert not [endpoint for endpoint in elsewhere if not doors.fault_of(endpoint)]


@pytest.mark.parametrize(
    ("p256dh", "auth", "fields"),
    [
        (None, AUTH, ["p256dh"]),
        (P256DH, None, ["auth"]),
        (None, None, ["p256dh", "auth"]),
        ("", "", ["p256dh", "auth"]),
        (AUTH, P256DH, ["p256dh"]),
        (17, {"a": 1}, ["p256dh", "auth"]),
        ("これは鍵ではありません", "text where a key should be", ["p256dh", "auth"]),
        ("A" * 5, "A" * 5, ["p256dh", "auth"]),
        (P256DH[:-4], AUTH, ["p256dh"]),
        (P256DH + "AAAA", AUTH, ["p256dh"]),
        (changed(P256DH, 0, 3), AUTH, ["p256dh"]),
        (changed(P256DH, 64, 0) if P256DH[-1] != "A" else changed(P256DH, 63, 1), AUTH, ["p256dh"]),
        (P256DH, AUTH[:11], ["auth"]),
        (P256DH, AUTH + "AA", ["auth"]),
        (P256DH, AUTH.replace(AUTH[3], "+", 1), ["auth"]),
        (P256DH, AUTH + "===", ["auth"]),
        (P256DH, AUTH + "\n", ["auth"]),
        (P256DH * 50, AUTH * 50, ["p256dh", "auth"]),
    ],
)
def test_keys_that_are_none_are_refused_by_name(p256dh: object, auth: object, fields: list[str]) -> None:
    assert list(faults_of(given(p256dh=p256dh, auth=auth))) == fields


def test_swapped_keys_are_told_as_such() -> None:
    assert faults_of(given(p256dh=AUTH, auth=P256DH))["p256dh"].startswith("The two keys are swapped")


@pytest.mark.parametrize("document", [None, [], "text", 5, {}, {"endpoint": ENDPOINT}, given() | {"keys": [P256DH]}])
def test_what_is_no_subscription_at_all_is_refused(document: object) -> None:
    assert {"p256dh", "auth"} <= set(faults_of(document))


@pytest.mark.parametrize("target", ["", "x", "[]", "null", "{}", "[" * 9999, '{"endpoint": 5}', '"' + ENDPOINT + '"'])
def test_a_damaged_target_is_refused_like_any_other(target: str) -> None:
    with pytest.raises(InvalidInput):
        subscription_at(target, DOORS)


def test_faults_are_told_in_both_languages(sqlite_app: Flask) -> None:
    broken = given("http://fcm.googleapis.com/x", AUTH, P256DH)
    with force_locale("en"):
        english = faults_of(broken)
    with force_locale("ja"):
        japanese = faults_of(broken)

    assert english["endpoint"] == "The address of the push service must begin with https://."
    assert not [words for words in japanese.values() if words in english.values()]


@pytest.mark.parametrize(
    ("endpoint", "origin"),
    [
        (ENDPOINT, "https://fcm.googleapis.com"),
        ("https://fcm.googleapis.com:443/x", "https://fcm.googleapis.com"),
        ("https://FCM.googleapis.com/x", "https://fcm.googleapis.com"),
        ("http://127.0.0.1:8001/push/x", "http://127.0.0.1:8001"),
        ("http://127.0.0.1:80/push/x", "http://127.0.0.1"),
    ],
)
def test_the_origin_names_a_port_only_where_it_is_not_the_usual_one(endpoint: str, origin: str) -> None:
    assert origin_of(endpoint) == origin


def test_a_revoked_subscription_is_known_by_its_host() -> None:
    assert is_retired("https://permanently-removed.invalid/fcm/send/x")
    assert not [one for one in (ENDPOINT, "", "https://[", "https://x.permanently-removed.invalid/") if is_retired(one)]
