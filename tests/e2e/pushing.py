"""A browser that takes pushes: its worker is the real one, only what it subscribes to is the test's."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession, Page, Worker, expect

from tests.e2e.site import wait_until

STUB = (Path(__file__).parent / "agreeing.js").read_text()
PAGE = "/settings/notifications"

SLOW = 20_000
"""Milliseconds: a worker is installed on a machine that does other things, too."""
LOOKS, PAUSE_MS = 100, 200
"""Twenty seconds."""


def prepare(page: Page, subscription: dict[str, Any], *, allowed: bool = True) -> None:
    """What this browser will subscribe to, and whether the person allows it."""
    if allowed:
        page.context.grant_permissions(["notifications"])
    page.context.add_init_script(f"const PREPARED = {json.dumps(subscription)};\n{STUB}")


def switch_on(page: Page) -> Worker:
    """The person presses the button; the worker that then runs."""
    page.goto(PAGE)
    page.get_by_role("button", name="Get notifications on this device").click()
    expect(page.get_by_role("status").filter(has_text="This device gets notifications from now on.")).to_be_visible(
        timeout=SLOW
    )
    expect(page.locator("[data-state=on]")).to_be_visible()
    wait_until(page, "navigator.serviceWorker.controller !== null")
    return page.context.service_workers[0]


class PushService:
    """Pushes by DevTools, as if a push service had sent them."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._origin = page.evaluate("location.origin")
        self._registrations: list[str] = []
        self._devtools: CDPSession = page.context.new_cdp_session(page)
        self._devtools.on("ServiceWorker.workerRegistrationUpdated", self._heard)
        self._devtools.send("ServiceWorker.enable")

    def _heard(self, event: dict[str, Any]) -> None:
        self._registrations += [one["registrationId"] for one in event["registrations"] if not one["isDeleted"]]

    def push(self, data: str) -> None:
        """One push with these bytes."""
        while not self._registrations:
            self._page.wait_for_timeout(20)
        # A push to a worker that is not active yet is dropped.
        self._page.evaluate(
            """async () => {
                 const worker = (await navigator.serviceWorker.ready).active;
                 while (worker.state !== "activated") await new Promise((over) => { setTimeout(over, 20); });
               }"""
        )
        push = {"origin": self._origin, "registrationId": self._registrations[-1], "data": data}
        self._devtools.send("ServiceWorker.deliverPushMessage", push)


def shown(page: Page, condition: str = "true") -> list[dict[str, Any]]:
    """The notifications on the screen, as soon as they are as wanted; `condition` is JavaScript about `all`."""
    found = page.evaluate(
        f"""async () => {{
              const worker = await navigator.serviceWorker.ready;
              for (let look = 0; look < {LOOKS}; look += 1) {{
                const all = await worker.getNotifications();
                if ({condition}) return all.map(({{ title, body, tag, lang, data }}) =>
                  ({{ title, body, tag, lang, data }}));
                await new Promise((over) => {{ setTimeout(over, {PAUSE_MS}); }});
              }}
              return null;
            }}"""
    )
    assert found is not None, f"waited in vain for notifications with {condition}"
    return list(found)
