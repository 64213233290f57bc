"""Pushes in a real browser: the settings page, and the real service worker."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app.engine.deliver import deliver
from app.reach.models import Device
from app.sources.trial.try_device import KIND
from tests.e2e.pushing import PAGE, PushService, prepare, shown, switch_on
from tests.e2e.site import Looking, Site, wait_until
from tests.factories import all_deliveries, change, make_account
from tests.fakes.push import FakePush
from tests.inbox.browsers import KEY, devices_now

GENERIC = {"title": "News in Todoke", "body": "Open Todoke to read it."}


@pytest.fixture
def on(looking: Looking, push: FakePush) -> Page:
    """A browser whose owner gets pushes."""
    page = looking.window()
    prepare(page, push.subscribe(KEY))
    switch_on(page)
    return page


def until_shown(page: Page, number: int) -> list[dict[str, Any]]:
    """The notifications on the screen, once there are so many."""
    return shown(page, f"all.length === {number}")


def test_opening_the_page_asks_for_nothing(looking: Looking, site: Site, push: FakePush) -> None:
    page = looking.window()
    prepare(page, push.subscribe(KEY), allowed=False)
    page.context.add_init_script(
        "Notification.requestPermission = async () => { window.asked = true; return 'default'; }"
    )
    page.goto(PAGE)
    expect(page.locator("[data-state=unset]")).to_be_visible()
    assert page.evaluate("window.asked") is None
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
    page.get_by_role("button", name="Get notifications on this device").click()
    expect(page.get_by_text("You have not allowed notifications yet.")).to_be_visible()
    assert page.evaluate("window.asked")
    with site.app.app_context():
        assert devices_now() == []
    assert looking.complaints == []


def test_a_device_is_switched_on_tested_and_switched_off(
    looking: Looking, site: Site, on: Page, push: FakePush
) -> None:
    on.locator("[data-state=on]").get_by_role("button", name="Send a test notification").click()
    expect(on.locator("#trial")).to_contain_text("Test notification")
    with site.app.app_context():
        (owed,) = all_deliveries()
        deliver(KIND, [owed.id], lambda: False)
        (arrived,) = push.requests
    expect(on.locator("#trial")).to_contain_text("That is no proof that the device showed it")
    expect(on.locator("[id^=device-] .facts")).not_to_contain_text("none yet")
    assert arrived.refusal is None
    on.get_by_role("link", name="Switch off on this device").click()
    on.get_by_role("button", name="Remove the device").click()
    expect(on.get_by_text("The device was removed.")).to_be_visible()
    expect(on.locator("[data-state=unset]")).to_be_visible()
    wait_until(on, "localStorage.length === 0")
    with site.app.app_context():
        assert devices_now() == []
    assert looking.complaints == []


def test_a_push_becomes_one_notification_and_a_repeat_takes_its_place(on: Page, looking: Looking) -> None:
    service = PushService(on)
    on.evaluate("() => { navigator.serviceWorker.onmessage = ({ data }) => { window.heard = data.type; }; }")
    said = {"title": "不具合報告", "body": "渋谷店 🏪", "path": "/x", "tag": "t" * 32, "lang": "ja", "id": 17}
    service.push(json.dumps(said))
    (first,) = until_shown(on, 1)
    assert first == {
        "title": "不具合報告", "body": "渋谷店 🏪", "tag": "t" * 32, "lang": "ja", "data": {"id": 17, "path": "/x"},
    }  # fmt: skip
    wait_until(on, "window.heard === 'todoke:push'")
    service.push(json.dumps(said | {"body": "again"}))
    assert len(shown(on, "all.some((one) => one.body === 'again')")) == 1
    service.push(json.dumps(said | {"tag": "u" * 32}))
    until_shown(on, 2)
    assert looking.complaints == []


@pytest.mark.parametrize(
    "data", ["", "no json", "null", "[]", "7", "{}", '{"title": ""}', '{"title": 7, "body": {}, "tag": [], "id": "x"}']
)
def test_a_push_that_cannot_be_read_still_shows_one_notification(on: Page, data: str) -> None:
    PushService(on).push(data)
    (only,) = until_shown(on, 1)
    assert {name: only[name] for name in GENERIC} == GENERIC
    assert only["lang"] == "en"


def click(page: Page) -> dict[str, Any]:
    """Click the notification that is shown; what the worker fetched and opened, none of which leaves it."""
    (worker,) = page.context.service_workers
    return dict(
        worker.evaluate(
            """async () => {
                 const did = { fetched: [], opened: [], focused: 0 };
                 self.fetch = async (address, { method, headers }) => { did.fetched.push([address, method, headers]); };
                 self.clients.openWindow = async (address) => { did.opened.push(address); };
                 WindowClient.prototype.focus = async () => { did.focused += 1; };
                 WindowClient.prototype.navigate = async function (address) { did.opened.push(address); };
                 const [notification] = await self.registration.getNotifications();
                 const event = new NotificationEvent("notificationclick", { notification });
                 const work = [];
                 event.waitUntil = (promise) => work.push(promise);
                 self.dispatchEvent(event);
                 await Promise.all(work);
                 did.left = (await self.registration.getNotifications()).length;
                 return did;
               }"""
        )
    )


def test_a_click_marks_it_read_and_opens_its_page_once(on: Page, site: Site) -> None:
    PushService(on).push(json.dumps({"title": "x", "path": "https://evil.example/", "id": 17}))
    until_shown(on, 1)
    assert click(on) == {
        "fetched": [["/notifications/17/read", "POST", {"X-Todoke": "service-worker"}]],
        "opened": [f"{site.url}/notifications/17/go"], "focused": 0, "left": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("path", "opened"),
    [
        ("/settings/notifications", "/settings/notifications"),
        ("https://evil.example/x", ""),
        ("//evil.example/x", ""),
        ("\\\\evil.example", ""),
        ("http://[", ""),
    ],
)
def test_a_click_never_leads_to_another_site(on: Page, site: Site, path: str, opened: str) -> None:
    PushService(on).push(json.dumps({"title": "x", "path": path}))
    until_shown(on, 1)
    did = click(on)
    assert (did["opened"], did["fetched"]) == ([site.url + opened], [])


def test_a_window_with_the_inbox_is_used_again_and_one_with_a_form_is_left_alone(on: Page, site: Site) -> None:
    inbox = on.context.new_page()
    inbox.goto("/notifications/1")
    PushService(on).push(json.dumps({"title": "x", "id": 3}))
    until_shown(on, 1)
    did = click(on)
    assert (did["opened"], did["focused"]) == ([f"{site.url}/notifications/3/go"], 1)


def test_a_subscription_that_the_browser_replaced_is_renewed(on: Page, site: Site, push: FakePush) -> None:
    fresh = push.subscribe(KEY)
    (worker,) = on.context.service_workers
    worker.evaluate(
        """async ([fresh, key]) => {
             const options = { applicationServerKey: bytes(key).buffer };
             const event = new ExtendableEvent("pushsubscriptionchange");
             event.newSubscription = { options, toJSON: () => fresh };
             const work = [];
             event.waitUntil = (promise) => work.push(promise);
             self.dispatchEvent(event);
             await Promise.all(work);
           }""",
        [fresh, KEY],
    )
    with site.app.app_context():
        assert [one.endpoint for one in devices_now()] == [fresh["endpoint"]]


def test_signing_out_ends_the_subscription_and_the_device(on: Page, site: Site, looking: Looking) -> None:
    on.get_by_role("button", name="Sign out").click()
    expect(on.get_by_role("heading", name="Sign in to Todoke")).to_be_visible()
    assert on.evaluate("localStorage.length") == 0
    with site.app.app_context():
        assert devices_now() == []
    assert looking.complaints == []


def test_signing_out_keeps_what_the_person_wants_to_keep(on: Page, site: Site) -> None:
    on.get_by_label("Keep notifications here").check()
    on.get_by_role("button", name="Sign out").click()
    expect(on.get_by_role("heading", name="Sign in to Todoke")).to_be_visible()
    assert on.evaluate("localStorage.length") == 1
    with site.app.app_context():
        assert len(devices_now()) == 1


def test_a_subscription_that_nobody_here_agreed_to_is_ended_and_told(on: Page, site: Site, looking: Looking) -> None:
    on.context.clear_cookies(name="device")
    with site.app.app_context():
        change(Device, devices_now()[0].id, account_id=make_account())
    on.goto("/shifts")
    expect(on.get_by_text("This browser held notifications that are not for this account.")).to_be_visible()
    assert on.evaluate("localStorage.length") == 0
    with site.app.app_context():
        assert devices_now() == []
    assert looking.complaints == []


def test_after_our_key_changed_any_page_registers_the_browser_again(on: Page, site: Site) -> None:
    on.evaluate(
        """() => { const kept = JSON.parse(localStorage["the test's subscription"]);
                   localStorage["the test's subscription"] = JSON.stringify({ ...kept, key: "AAAA" }); }"""
    )
    with on.expect_response("**/devices") as registered:
        on.goto("/shifts")
    assert registered.value.status == 204
    assert json.loads(on.evaluate('localStorage["the test\'s subscription"]'))["key"] == KEY


def test_a_blocked_browser_is_told_how_to_allow_it(looking: Looking) -> None:
    page = looking.window(width=375)
    page.context.add_init_script(
        "Object.defineProperty(Notification, 'permission', { get: () => window.now ?? 'denied' })"
    )
    page.goto(PAGE)
    expect(page.locator("[data-state=blocked]")).to_be_visible()
    expect(page.locator("details[data-browser=chrome]")).to_have_attribute("open", "")
    page.evaluate("window.now = 'default'")
    page.get_by_role("button", name="Check again").click()
    expect(page.locator("[data-state=unset]")).to_be_visible()
