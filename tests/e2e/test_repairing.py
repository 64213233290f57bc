"""Repairing an outage in a browser: the plan, how far it has come, and stop."""

from playwright.sync_api import expect

from app.outbox.models import Delivery
from app.outbox.state import State
from tests.e2e.site import Looking, Site, tick
from tests.factories import change
from tests.fixtures.background import later
from tests.operations.bulks import released
from tests.web.ledger import failed


def test_from_the_plan_over_its_progress_to_stop(looking: Looking, site: Site) -> None:
    with site.app.app_context():
        first, *_others, last = [failed() for _ in range(5)]
    page = looking.window()
    page.goto("/bulk-retries/new")
    page.get_by_label("60 a minute").check()
    page.get_by_label("Why (may be left empty)").fill("LINE is well again")
    page.get_by_role("button", name="Retry 5 deliveries").click()
    page.wait_for_url("**/bulk-retries/1")
    bar = page.get_by_role("progressbar")
    expect(bar).to_have_js_property("value", 0)
    expect(page.get_by_text("LINE is well again")).to_be_visible()
    page.locator(f"#show-{last}").focus()
    with site.app.app_context(), later(seconds=3):
        released(1)
        change(Delivery, first, state=State.SENT)
    tick(page)
    assert bar.evaluate("(one) => one.value") > 0
    expect(page.locator(f"#delivery-{first}").get_by_text("Sent")).to_be_visible()
    assert page.evaluate("document.activeElement.id") == f"show-{last}"
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped by")).to_be_visible()
    expect(page.locator(f"#delivery-{last}").get_by_text("Skipped")).to_be_visible()
    assert looking.complaints == []


def test_it_is_done_without_javascript(looking: Looking, site: Site) -> None:
    with site.app.app_context():
        failed()
    page = looking.window(js=False)
    page.goto("/bulk-retries/new")
    page.get_by_role("button", name="Retry 1 delivery").click()
    page.get_by_role("link", name="Refresh").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped by")).to_be_visible()


def test_pressed_twice_it_begins_once(looking: Looking, site: Site) -> None:
    with site.app.app_context():
        failed()
    page = looking.window()
    page.goto("/bulk-retries/new")
    page.locator("#begin").dblclick()
    page.wait_for_url("**/bulk-retries/1")
    page.goto("/bulk-retries")
    expect(page.locator("tbody tr")).to_have_count(1)
