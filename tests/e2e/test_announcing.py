"""An announcement, from the first word to the last push, as its author does it."""

import pytest
from playwright.sync_api import Page, expect

from app.engine.deliver import deliver
from app.sources.announcements.fan_out import announce
from app.sources.announcements.kinds import KIND
from tests.e2e.site import Looking, Site, tick
from tests.factories import all_deliveries, make_account
from tests.fakes.push import FakePush
from tests.inbox.browsers import KEY
from tests.inbox.inboxes import make_device, titles


def write_and_publish(page: Page) -> None:
    """Write it in both languages, look at it, and publish it at once."""
    page.goto("/announcements")
    page.get_by_role("link", name="New announcement").click()
    page.get_by_role("group", name="日本語").get_by_label("Title").fill("年末の休業")
    page.get_by_role("group", name="日本語").get_by_label("Text").fill("29日から休みます。")
    page.get_by_role("group", name="English").get_by_label("Title").fill("Closed in winter")
    page.get_by_role("button", name="Save the draft").dblclick()
    page.get_by_text("Nobody has been told yet.").wait_for()
    expect(page.locator("#outside-ja")).to_contain_text("29日から休みます。")
    page.get_by_role("link", name="Publish …").click()
    expect(page.get_by_text("People in their inbox")).to_be_visible()
    page.get_by_role("button", name="Publish the announcement").dblclick()
    page.get_by_text("The announcement is published, and everybody is being told.").wait_for()


def work() -> None:
    """A worker sends what is owed."""
    deliver(KIND, [one.id for one in all_deliveries()], lambda: False)


@pytest.mark.parametrize("width", [375, 1280])
def test_it_is_followed_to_its_end(looking: Looking, site: Site, push: FakePush, width: int) -> None:
    with site.app.app_context():
        reader, browser = make_account(language="en"), push.subscribe(KEY)
        make_device(reader, endpoint=browser["endpoint"], language="en", **browser["keys"])
    page = looking.window(width=width)
    write_and_publish(page)
    standing = page.locator("#standing")
    expect(standing).to_have_text("It is being told.")
    with site.app.app_context():
        announce()
        assert titles(reader) == ["Closed in winter"]
    tick(page)
    expect(standing).to_have_text("Everybody has been told. Messages are still on their way.")
    expect(page.get_by_label("Pushes and LINE messages: 0 of 1 settled")).to_be_visible()
    with site.app.app_context():
        work()
    tick(page)
    expect(standing).to_have_text("Finished: nothing more is sent by itself.")
    expect(page.locator("#live[hx-get]")).to_have_count(0)
    assert [one["title"] for one in push.arrived(browser)] == ["Closed in winter"]
    assert looking.complaints == []


def test_without_javascript_it_is_written_scheduled_published_and_archived(looking: Looking, site: Site) -> None:
    page = looking.window(js=False)
    write_and_publish(page)
    with site.app.app_context():
        announce()
    page.get_by_role("link", name="Refresh").click()
    expect(page.locator("#standing")).to_have_text("Finished: nothing more is sent by itself.")
    page.get_by_role("link", name="Edit").click()
    page.get_by_role("group", name="English").get_by_label("Title").fill("Closed all winter")
    expect(page.locator("#published")).to_be_visible()
    page.get_by_label("Tell everybody again").check()
    expect(page.locator("#published")).to_be_hidden()
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Go back").click()
    expect(page.get_by_label("Tell everybody again")).to_be_checked()
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Save, and tell everybody again").click()
    page.get_by_text("everybody is told again").wait_for()
    page.get_by_role("link", name="Archive …").click()
    page.get_by_role("button", name="Archive the announcement").click()
    page.get_by_text("The announcement is in the archive now.").wait_for()


def test_a_time_is_chosen_and_taken_back(looking: Looking, site: Site) -> None:
    page = looking.window()
    page.goto("/announcements/new")
    page.get_by_role("group", name="English").get_by_label("Title").fill("Closed in winter")
    page.get_by_role("button", name="Save the draft").click()
    page.get_by_role("link", name="Publish …").click()
    page.wait_for_url("**/publish")  # with its scripts: they tick what a time means
    page.get_by_label("Day and time (Asia/Tokyo)").fill("2031-12-24T09:00")
    expect(page.get_by_label("At a time")).to_be_checked()
    page.get_by_role("button", name="Publish the announcement").click()
    page.get_by_text("It will be published on Wed 24 Dec 2031, 09:00.").wait_for()
    page.get_by_role("button", name="Keep as a draft").click()
    page.get_by_text("It stays a draft until somebody publishes it.").wait_for()
    assert looking.complaints == []
