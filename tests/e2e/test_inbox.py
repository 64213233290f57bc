"""The inbox in a real browser: kept current, worked through by keys, and without JavaScript."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from app.clock import now
from app.extensions import db
from app.inbox.models import Notification
from tests.e2e.site import Looking, Site, tick
from tests.factories import change, make_account
from tests.fakes.inbox_kind import Greeting, greeting
from tests.inbox.inboxes import tell

COMPOSING_J = """document.body.dispatchEvent(
    new KeyboardEvent('keydown', {key: 'j', isComposing: true, bubbles: true}))"""
HEIGHTS = """() => [...document.querySelectorAll('.letter button, .letter .tick, .places li > a, #ticked button')]
    .filter((one) => one.offsetParent)
    .map((one) => [one.id || one.className, one.getBoundingClientRect().height])"""


@pytest.fixture(autouse=True)
def kind(site: Site) -> Iterator[Greeting]:
    with greeting() as one:
        yield one


def told(site: Site, name: str, *, minutes: int = 0) -> int:
    """A notification for the one who looks, so many minutes old; its id."""
    with site.app.app_context():
        (made,) = tell(make_account(name=name), site.admin)
        change(Notification, made, created_at=now() - timedelta(minutes=minutes))
        return made


def three(site: Site) -> list[int]:
    """Three notifications, the newest first."""
    return [told(site, f"n{number}", minutes=number) for number in range(3)]


def as_it_stands(site: Site, notification_id: int) -> Notification:
    with site.app.app_context():
        return db.session.get_one(Notification, notification_id)


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.id"))


def test_a_tick_changes_rows_in_place_and_what_is_new_waits_for_a_click(looking: Looking, site: Site) -> None:
    first, second, _third = three(site)
    page = looking.window()
    page.goto("/inbox")
    page.locator(f"#tick-{second}").check()
    page.locator(f"#open-{second}").focus()
    page.evaluate(f"document.getElementById('n-{second}').same = true")
    new = told(site, "new")
    with site.app.app_context():
        change(Notification, first, read_at=now())
    tick(page)
    expect(page.locator(f"#n-{first}.unread")).to_have_count(0)
    expect(page.locator(f"#n-{new}")).to_have_count(0)
    expect(page).to_have_title("(3) Inbox · Todoke")
    assert page.evaluate(f"document.getElementById('n-{second}').same") is True
    assert focused(page) == f"open-{second}"
    page.locator("#show-new", has_text="Show 1 new").click()
    expect(page.locator("[data-row]").first).to_have_attribute("id", f"n-{new}")
    expect(page.locator(f"#tick-{second}")).to_be_checked()
    expect(page.locator(f"#open-{new}")).to_be_focused()
    assert looking.complaints == []


def test_archiving_moves_the_focus_on_and_can_be_undone(looking: Looking, site: Site) -> None:
    first, second, _third = three(site)
    page = looking.window()
    page.goto("/inbox")
    page.locator(f"#archive-{first}").click()
    expect(page.locator(f"#n-{first}")).to_have_count(0)
    expect(page.locator("#done")).to_contain_text("1 archived.")
    expect(page.locator(f"#open-{second}")).to_be_focused()
    expect(page).to_have_title("(2) Inbox · Todoke")
    page.locator("#undo").click()
    expect(page.locator(f"#n-{first}")).to_be_visible()
    assert as_it_stands(site, first).archived_at is None
    assert looking.complaints == []


def test_the_toast_goes_away_after_ten_seconds(looking: Looking, site: Site) -> None:
    first, *_others = three(site)
    page = looking.window()
    page.clock.install()
    page.goto("/inbox")
    page.locator(f"#archive-{first}").click()
    expect(page.locator("#undo")).to_be_visible()
    page.mouse.move(0, 0)
    page.clock.run_for(12_000)
    expect(page.locator("#undo")).to_have_count(0)


def test_opening_goes_to_the_subject_and_was_noted_before(looking: Looking, site: Site) -> None:
    first, *_others = three(site)
    page = looking.window()
    page.goto("/inbox")
    page.locator(f"#open-{first}").click()
    page.wait_for_url("**/greetings/*")
    assert as_it_stands(site, first).read_at is not None


def test_when_nobody_answers_the_row_says_so_until_it_worked(looking: Looking, site: Site) -> None:
    first, *_others = three(site)
    page = looking.window()
    page.goto("/inbox")
    page.route("**/inbox/read", lambda route: route.abort())
    page.locator(f"#read-{first}").click()
    expect(page.locator(f"#problem-{first}")).to_contain_text("could not be saved")
    tick(page)
    expect(page.locator(f"#problem-{first}")).to_contain_text("could not be saved")
    page.unroute("**/inbox/read")
    page.locator(f"#read-{first}").click()
    expect(page.locator(f"#n-{first}.unread")).to_have_count(0)
    expect(page.locator(f"#problem-{first}")).to_be_empty()


def test_after_an_outage_nothing_says_any_more_that_it_could_not_be_saved(looking: Looking, site: Site) -> None:
    first, *_others = three(site)
    page = looking.window()
    page.goto("/inbox")
    page.route("**/inbox**", lambda route: route.abort())
    page.locator(f"#read-{first}").click()
    expect(page.locator(f"#problem-{first}")).to_contain_text("could not be saved")
    with page.expect_event("requestfailed"):
        page.evaluate("document.body.dispatchEvent(new CustomEvent('app:tick'))")
    expect(page.locator(f"#problem-{first}")).to_contain_text("could not be saved")
    page.unroute("**/inbox**")
    tick(page)
    expect(page.locator(f"#problem-{first}")).to_be_empty()
    expect(page.locator(f"#n-{first}.unread")).to_have_count(1)


def test_keys_move_mark_tick_and_put_away(looking: Looking, site: Site) -> None:
    first, second, third = three(site)
    page = looking.window()
    page.goto("/inbox")
    page.keyboard.press("j")
    assert focused(page) == f"open-{first}"
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    assert focused(page) == f"open-{second}"
    page.keyboard.press("Shift+I")
    expect(page.locator(f"#n-{second}.unread")).to_have_count(0)
    assert focused(page) == f"open-{second}"
    page.keyboard.press("Shift+U")
    expect(page.locator(f"#n-{second}.unread")).to_have_count(1)
    page.keyboard.press("x")
    expect(page.locator("#chosen")).to_have_text("1 selected")
    page.keyboard.press("e")
    expect(page.locator(f"#n-{second}")).to_have_count(0)
    expect(page.locator(f"#open-{third}")).to_be_focused()
    page.keyboard.press("/")
    assert focused(page) == "q"
    page.keyboard.type("jex?")
    expect(page.locator("#q")).to_have_value("jex?")
    page.locator(f"#open-{first}").focus()
    page.keyboard.press("?")
    expect(page.locator("#keys dl")).to_be_visible()
    page.locator(f"#open-{first}").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/greetings/*")


def test_keys_do_nothing_in_chords_while_composing_and_when_switched_off(looking: Looking, site: Site) -> None:
    three(site)
    page = looking.window()
    page.goto("/inbox")
    page.keyboard.press("Control+j")
    page.evaluate(COMPOSING_J)
    assert focused(page) == ""
    page.locator("#keys summary").click()
    page.get_by_role("button", name="Switch the shortcuts off in this browser").click()
    expect(page.locator("#inbox")).to_have_attribute("data-keys", "off")
    page.keyboard.press("j")
    assert focused(page) == ""
    page.reload()
    page.keyboard.press("j")
    assert focused(page) == ""


def test_ticked_ones_are_archived_together_and_the_rest_is_loaded_by_scrolling(looking: Looking, site: Site) -> None:
    with site.app.app_context():
        for number in range(60):
            tell(make_account(name=f"n{number}"), site.admin)
    page = looking.window()
    page.goto("/inbox")
    expect(page.locator("#ticked")).to_be_hidden()
    page.locator("#load-more").scroll_into_view_if_needed()
    expect(page.locator("[data-row]")).to_have_count(60)
    tick(page)
    expect(page.locator("[data-row]")).to_have_count(60)
    expect(page.locator(".day")).to_have_count(1)
    page.locator("[name=ids][type=checkbox]").nth(1).check()
    page.locator("[name=ids][type=checkbox]").nth(55).check()
    page.locator("#archive-ticked").click()
    expect(page.locator("#done")).to_contain_text("2 archived.")
    expect(page.locator("[data-row]")).to_have_count(58)
    expect(page.locator("#ticked")).to_be_hidden()
    page.locator("#read-all").click()
    expect(page.locator("#done")).to_contain_text("58 marked as read.")
    expect(page).to_have_title("Inbox · Todoke")
    assert looking.complaints == []


def test_a_push_that_the_service_worker_got_refreshes_at_once(looking: Looking, site: Site) -> None:
    three(site)
    page = looking.window()
    page.goto("/inbox")
    told(site, "new")
    page.evaluate("navigator.serviceWorker.dispatchEvent(new MessageEvent('message', {data: {type: 'todoke:push'}}))")
    expect(page.locator("#show-new")).to_have_text("Show 1 new")


def test_a_phone_has_room_for_it_and_targets_for_thumbs(looking: Looking, site: Site) -> None:
    three(site)
    page = looking.window(width=360)
    page.goto("/inbox")
    page.locator(".tick").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    sizes = page.evaluate(HEIGHTS)
    assert [one for one in sizes if one[1] < 44] == []
    page.get_by_text("More", exact=True).click()
    page.locator(".fold").get_by_role("link", name="Publications").click()
    page.wait_for_url("**/publications**")


def test_it_all_works_without_javascript(looking: Looking, site: Site) -> None:
    first, second, third = three(site)
    page = looking.window(js=False)
    page.goto("/inbox")
    page.locator(f"#archive-{first}").click()
    expect(page.get_by_role("status").filter(has_text="1 archived.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(f"#n-{first}")).to_be_visible()
    page.locator(f"#tick-{second}").check()
    page.locator(f"#tick-{third}").check()
    page.locator("#read-ticked").click()
    expect(page.get_by_text("2 marked as read.")).to_be_visible()
    page.locator("#tab-unread").click()
    expect(page.locator("[data-row]")).to_have_count(1)
    page.locator("#read-all").click()
    expect(page.get_by_text("Everything is read")).to_be_visible()
    page.goto("/inbox")
    page.locator(f"#open-{third}").click()
    page.wait_for_url("**/greetings/*")
