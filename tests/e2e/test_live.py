"""Pages that bring themselves up to date, and do not get in the way."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from app import audit
from app.clock import now
from app.outbox.models import Delivery
from app.outbox.state import State
from tests.e2e.site import Looking, Site, tick, wait_until
from tests.factories import change
from tests.web.ledger import failed, standing_as, tried

SELECT_NAME = """() => {
    const name = document.querySelector('.what .muted').firstChild;
    getSelection().setBaseAndExtent(name, 0, name, 5);
}"""


def test_a_tick_changes_the_row_and_keeps_focus_and_selection(looking: Looking, site: Site) -> None:
    with site.app.app_context():
        one = failed()
        two = standing_as(state=State.SENDING)
    page = looking.window()
    page.goto("/deliveries")
    page.locator(f"#show-{one}").focus()
    page.evaluate(SELECT_NAME)
    with site.app.app_context():
        change(Delivery, two, state=State.SENT)
    tick(page)
    expect(page.locator(f"#delivery-{two}").get_by_text("Sent")).to_be_visible()
    assert page.evaluate("document.activeElement.id") == f"show-{one}"
    assert page.evaluate("getSelection().toString()") == "髙橋 花子"
    assert looking.complaints == []


def test_what_is_new_waits_for_a_click(looking: Looking, site: Site) -> None:
    with site.app.app_context():
        failed()
    page = looking.window()
    page.goto("/deliveries")
    with site.app.app_context():
        new = failed()
    tick(page)
    expect(page.locator(f"#delivery-{new}")).to_have_count(0)
    page.get_by_role("link", name="Show 1 new").click()
    expect(page.locator(f"#delivery-{new}")).to_be_visible()


def test_a_delivery_brings_itself_up_to_date_until_it_rests(looking: Looking, site: Site) -> None:
    with site.app.app_context():
        one = standing_as(state=State.SENDING, attempts=1)
        tried(one)
    page = looking.window()
    page.goto(f"/deliveries/{one}")
    page.locator("#try-1 summary").click()
    tick(page)
    assert page.locator("#try-1").get_attribute("open") is not None
    with site.app.app_context():
        change(Delivery, one, state=State.SENT, finished_at=now())
    tick(page)
    expect(page.locator(".standing .sent")).to_be_visible()
    assert page.locator("#try-1").get_attribute("open") is not None
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.evaluate("document.body.dispatchEvent(new CustomEvent('app:tick'))")
    page.wait_for_timeout(300)
    assert asked == []


def test_a_double_click_on_retry_makes_one_try(looking: Looking, site: Site) -> None:
    with site.app.app_context():
        one = failed()
    page = looking.window()
    page.goto(f"/deliveries/{one}")
    page.locator("#retry").dblclick()
    page.get_by_text(f"Delivery {one} is being sent again.").wait_for()
    with site.app.app_context():
        assert [entry.act for entry in audit.entries("delivery", one)] == ["retry"]
    assert looking.complaints == []


def test_three_ticks_without_an_answer_are_told_and_taken_back(looking: Looking, site: Site) -> None:
    page = looking.window()
    page.goto("/overview")
    wait_until(page, "window.htmx?.version")
    page.route("**/overview", lambda route: route.abort())
    for _ in range(3):
        with page.expect_event("requestfailed"):
            page.evaluate("document.body.dispatchEvent(new CustomEvent('app:tick'))")
    page.locator("#offline").wait_for(state="visible")
    page.unroute("**/overview")
    page.get_by_role("button", name="Try again").click()
    page.locator("#offline").wait_for(state="hidden")


def test_an_id_can_be_copied(looking: Looking, site: Site) -> None:
    with site.app.app_context():
        one = failed()
    page = looking.window()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/deliveries/{one}")
    page.locator(".facts .copy").first.click()
    page.locator("#said", has_text="Copied").wait_for(state="attached")
    assert page.evaluate("navigator.clipboard.readText()") == str(one)


@pytest.mark.parametrize(
    ("age", "said", "passed", "then"),
    [
        (timedelta(days=16), "2 weeks ago", timedelta(days=7), "3 weeks ago"),
        (timedelta(minutes=58), "58 minutes ago", timedelta(seconds=105), "1 hour ago"),
    ],
)
def test_times_grow_older_in_the_words_of_the_server(
    looking: Looking, site: Site, age: timedelta, said: str, passed: timedelta, then: str
) -> None:
    with site.app.app_context():
        made = standing_as(state=State.SENT, created_at=now() - age, finished_at=now())
    page = looking.window()
    page.clock.install(time=now())
    page.goto("/deliveries")
    shown = page.locator(f"#delivery-{made} time").first
    expect(shown).to_have_text(said)
    page.context.set_offline(True)  # the server's clock goes on as ever
    page.clock.fast_forward(passed // timedelta(milliseconds=1))
    expect(shown).to_have_text(then)
