"""What a browser says about its push subscription, and whose device it is when people come and go."""

import re
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask

from app.accounts import sessions
from app.accounts.models import Account, BrowserSession
from app.clock import now
from app.extensions import db
from app.reach.devices import remove
from app.reach.models import Device
from app.transaction import writing
from tests.factories import change, make_account
from tests.fakes.push import FakePush
from tests.inbox.browsers import KEY, devices_now
from tests.web.test_lost_form import in_the_middle_of_a_form
from tests.web.visitor import Visitor, text_of

PASSWORD = "a password of hers"
OURS = {"X-Todoke": "service-worker", "Sec-Fetch-Site": "same-origin"}
PAGE = "/settings/notifications"


@pytest.fixture
def two(pages_app: Flask) -> tuple[int, int]:
    """Two members who share a browser and can sign in."""
    with pages_app.app_context():
        return make_account(password=PASSWORD, language="en"), make_account(password=PASSWORD, language="en")


def say(visitor: Visitor, path: str, document: object, **headers: str) -> Any:
    """JSON, as push.js sends it."""
    return visitor.client.post(path, json=document, headers={"X-CSRFToken": visitor.token(), **headers})


def press(visitor: Visitor, subscription: dict[str, Any], **more: object) -> Any:
    """The person presses the button."""
    return say(visitor, "/devices", {"subscription": subscription, "key": KEY, "pressed": True} | more)


def sign_in(visitor: Visitor, app: Flask, account: int) -> Any:
    """By the form."""
    with app.app_context():
        email = db.session.get_one(Account, account).email
    return visitor.post("/login", email=email, password=PASSWORD)


def owners(app: Flask) -> list[int]:
    """Whose the devices are."""
    with app.app_context():
        return [device.account_id for device in devices_now()]


def only(app: Flask) -> Device:
    """The one device there is."""
    with app.app_context():
        (device,) = devices_now()
        return device


def test_a_browser_registers_once_and_is_known_by_its_cookie(pages_app: Flask, member: Visitor, push: FakePush) -> None:
    agent = {
        "User-Agent": "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/156.0.0.0 Mobile Safari/537.36"
    }
    subscription = push.subscribe(KEY)
    document = {"subscription": subscription, "key": KEY, "pressed": True}
    answers = [say(member, "/devices", document, **agent) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [204, 204]
    assert (only(pages_app).name, only(pages_app).language) == ("Chrome · Android", "en")
    cookie = member.client.get_cookie("device")
    assert cookie is not None
    assert cookie.http_only
    page = text_of(member.get(PAGE))
    assert "This device gets notifications from now on." in page
    assert "Chrome · Android (this device)" in page


def test_the_page_shows_no_endpoint_and_no_key_of_the_browser(member: Visitor, push: FakePush) -> None:
    subscription = push.subscribe(KEY)
    press(member, subscription)
    page = member.get(PAGE).text
    assert subscription["endpoint"] not in page
    assert subscription["keys"]["p256dh"] not in page
    assert subscription["keys"]["auth"] not in page


BROKEN: list[dict[str, Any] | str | None] = [
    None,
    "text",
    {},
    {"endpoint": 7},
    {"endpoint": "http://push.example/x"},
    {"endpoint": "https://169.254.169.254/latest"},
    {"endpoint": "https://fcm.googleapis.com.evil.example/x"},
    {"endpoint": "https://user@fcm.googleapis.com/x"},
    {"endpoint": "https://fcm.googleapis.com:8443/x"},
    {"endpoint": "https://fcm.googleapis.com/" + "x" * 2048},
    {"endpoint": "https://fcm.googleapis.com/\udcff"},
    {"keys": {"p256dh": "short", "auth": "short"}},
    {"keys": "text"},
]


@pytest.mark.parametrize("broken", BROKEN, ids=range(len(BROKEN)))
@pytest.mark.parametrize("language", ["ja", "en"])
def test_a_broken_subscription_is_explained_and_leaves_no_row(
    pages_app: Flask, push: FakePush, broken: dict[str, Any] | str | None, language: str
) -> None:
    with pages_app.app_context():
        visitor = Visitor(pages_app, make_account(), language)
    subscription: Any = push.subscribe(KEY) | broken if isinstance(broken, dict) and broken else broken
    answer = press(visitor, subscription)
    assert answer.status_code == 422
    assert all(answer.json["faults"].values())
    assert owners(pages_app) == []
    assert visitor.client.get_cookie("device") is None


def test_a_key_that_is_no_longer_ours_is_refused(pages_app: Flask, member: Visitor, push: FakePush) -> None:
    answer = press(member, push.subscribe(KEY), key="old")
    assert (answer.status_code, list(answer.json["faults"])) == (422, ["key"])
    assert owners(pages_app) == []


@pytest.mark.parametrize("path", ["/devices", "/devices/recognise", "/devices/refresh"])
def test_what_is_no_document_is_not_understood(member: Visitor, path: str) -> None:
    headers = OURS | {"X-CSRFToken": member.token(), "Content-Type": "application/json"}
    for body in ("", "[]", "7", "{", '"' + "x" * 10):
        assert member.client.post(path, data=body, headers=headers).status_code == 400


def test_signing_out_removes_the_device_unless_it_shall_stay(pages_app: Flask, member: Visitor, push: FakePush) -> None:
    press(member, push.subscribe(KEY))
    kept = member.client.get_cookie("device")
    member.post("/logout", keep="on")
    assert len(owners(pages_app)) == 1
    assert member.client.get_cookie("device") == kept


def test_signing_out_leaves_nothing_on_the_browser(pages_app: Flask, member: Visitor, push: FakePush) -> None:
    press(member, push.subscribe(KEY))
    member.post("/logout")
    assert owners(pages_app) == []
    assert member.client.get_cookie("device") is None


@pytest.mark.parametrize("where", ["/settings/me/browsers/sign-out", "/settings/me/browsers/{}/sign-out"])
def test_signing_out_from_elsewhere_removes_the_device_there_and_says_so(
    pages_app: Flask, push: FakePush, two: tuple[int, int], where: str
) -> None:
    first, second = two
    phone, here, theirs = Visitor(pages_app, first), Visitor(pages_app, first), Visitor(pages_app, second)
    for visitor in (phone, here, theirs):
        press(visitor, push.subscribe(KEY))
    numbers = re.findall(r'id="browser-(\d+)"', phone.get("/settings/me").text)
    page = here.get("/settings/me")
    assert "Notifications on your other devices stop as well" in text_of(page)
    here.post(where.format(min(numbers, key=int)))
    assert "gets no more notifications" in text_of(here.get("/settings/me"))
    assert owners(pages_app) == [first, second]
    assert "(this device)" in text_of(here.get(PAGE))
    assert phone.get(PAGE).status_code == 302


def test_a_browser_that_was_a_device_before_its_session_knew_of_devices_is_known_within_an_hour(
    pages_app: Flask, member: Visitor, push: FakePush
) -> None:
    press(member, push.subscribe(KEY))
    with pages_app.app_context():
        session = db.session.query(BrowserSession).one().id
        change(BrowserSession, session, browser_hash=None, seen_at=now() - timedelta(hours=2))
        member.get(PAGE)
        db.session.rollback()
        assert db.session.query(BrowserSession).one().browser_hash == only(pages_app).browser_hash


def test_another_account_signing_in_drops_what_was_kept_and_is_told(
    pages_app: Flask, push: FakePush, two: tuple[int, int], stranger: Visitor
) -> None:
    first, second = two
    sign_in(stranger, pages_app, first)
    press(stranger, push.subscribe(KEY))
    stranger.post("/logout", keep="on")
    sign_in(stranger, pages_app, first)
    assert owners(pages_app) == [first]
    stranger.post("/logout", keep="on")
    sign_in(stranger, pages_app, second)
    assert owners(pages_app) == []
    assert stranger.client.get_cookie("device") is None
    assert "got the notifications of another account" in text_of(stranger.get(PAGE))


def test_a_browser_without_its_cookie_is_recognised_only_by_the_accounts_own_endpoint(
    pages_app: Flask, push: FakePush, two: tuple[int, int]
) -> None:
    first, second = two
    subscription = push.subscribe(KEY)
    press(Visitor(pages_app, first), subscription)
    hers = Visitor(pages_app, first)
    assert say(hers, "/devices/recognise", {"endpoint": subscription["endpoint"]}).json == {"whose": "yours"}
    assert "(this device)" in text_of(hers.get(PAGE))
    his = Visitor(pages_app, second)
    assert say(his, "/devices/recognise", {"endpoint": subscription["endpoint"]}).json == {"whose": "dropped"}
    assert owners(pages_app) == []
    assert say(his, "/devices/recognise", {"endpoint": subscription["endpoint"]}).json == {"whose": "nobodys"}


def test_the_service_worker_renews_with_its_header_and_within_one_account(
    pages_app: Flask, push: FakePush, two: tuple[int, int]
) -> None:
    first, second = two
    former, fresh = push.subscribe(KEY), push.subscribe(KEY)
    hers, his = Visitor(pages_app, first), Visitor(pages_app, second)
    press(hers, former)
    document = {"old": former["endpoint"], "subscription": fresh, "key": KEY}
    assert hers.client.post("/devices/refresh", json=document).status_code == 403
    assert his.client.post("/devices/refresh", json=document, headers=OURS).status_code == 404
    assert Visitor(pages_app).client.post("/devices/refresh", json=document, headers=OURS).status_code == 401
    assert only(pages_app).endpoint == former["endpoint"]
    assert hers.client.post("/devices/refresh", json=document | {"old": None}, headers=OURS).status_code == 204
    assert only(pages_app).endpoint == fresh["endpoint"]
    broken = document | {"subscription": {}}
    assert hers.client.post("/devices/refresh", json=broken, headers=OURS).status_code == 422


def test_the_language_of_the_page_is_that_of_this_accounts_devices_and_of_no_others(
    pages_app: Flask, push: FakePush, two: tuple[int, int]
) -> None:
    first, second = two
    hers, elsewhere = Visitor(pages_app, first), Visitor(pages_app, first)
    press(hers, push.subscribe(KEY))
    press(elsewhere, push.subscribe(KEY))
    press(Visitor(pages_app, second), push.subscribe(KEY))
    hers.post("/language", language="ja")
    Visitor(pages_app).post("/language", language="ja")
    with pages_app.app_context():
        assert [device.language for device in devices_now()] == ["ja", "ja", "en"]


def test_a_device_that_is_gone_is_a_lapsed_registration_on_its_browser(
    pages_app: Flask, member: Visitor, push: FakePush
) -> None:
    assert "data-lapsed" not in member.get(PAGE).text
    press(member, push.subscribe(KEY))
    assert "data-lapsed" not in member.get(PAGE).text
    with pages_app.app_context(), writing() as tx:
        remove(tx, Device.id > 0)
    assert "data-lapsed" in member.get(PAGE).text


def test_before_any_script_has_looked_the_page_says_what_the_server_knows_of_the_browser(
    pages_app: Flask, member: Visitor, push: FakePush
) -> None:
    def shown() -> list[str]:
        return re.findall(r'data-state="(\w+)">', member.get(PAGE).text)

    assert shown() == ["unset"]
    press(member, push.subscribe(KEY))
    assert shown() == ["on"]
    with pages_app.app_context(), writing() as tx:
        remove(tx, Device.id > 0)
    assert shown() == ["lapsed"]


def test_after_our_key_changed_the_page_names_the_devices_that_must_register_again(
    pages_app: Flask, member: Visitor, push: FakePush
) -> None:
    press(member, push.subscribe(KEY))
    assert "key has changed" not in text_of(member.get(PAGE))
    with pages_app.app_context():
        change(Device, devices_now()[0].id, vapid_key="another")
    assert "key has changed" in text_of(member.get(PAGE))


@pytest.mark.parametrize("path", ["/devices", "/devices/recognise", "/devices/refresh"])
def test_lists_in_lists_without_end_are_refused(member: Visitor, path: str) -> None:
    headers = OURS | {"X-CSRFToken": member.token()}
    answer = member.client.post(path, data="[" * 100_000, headers=headers, content_type="application/json")
    assert answer.status_code == 400


def test_a_browser_that_is_signed_out_meanwhile_registers_nothing_and_gets_no_page(
    pages_app: Flask, two: tuple[int, int], push: FakePush
) -> None:
    account, _other = two
    in_the_middle_of_a_form(pages_app, lambda tx: sessions.end_all(tx, account))
    answer = press(Visitor(pages_app, account), push.subscribe(KEY))
    assert (answer.status_code, answer.text) == (401, "")
    assert owners(pages_app) == []
