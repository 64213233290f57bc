"""The page in a real browser: it shows what arrives by itself, and neither input nor opened details are lost by it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.sandbox.conftest import Line, new_key
from tests.sandbox.samples import reminder


@pytest.fixture
def browser_page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(locale="en-GB", viewport={"width": 375, "height": 812})
    yield page
    page.close()


def test_a_message_appears_by_itself_and_nothing_typed_or_opened_is_lost(line: Line, browser_page: Page) -> None:
    complaints: list[str] = []
    browser_page.on("console", lambda message: complaints.append(message.text))
    browser_page.on("pageerror", lambda error: complaints.append(str(error)))
    line.push()
    browser_page.goto(line.base)
    browser_page.locator("summary").click()
    browser_page.get_by_label("How many times").fill("7")
    line.push(reminder(), key=new_key())
    expect(browser_page.locator("article")).to_have_count(2)
    expect(browser_page.get_by_label("How many times")).to_have_value("7")
    expect(browser_page.get_by_label("How many times")).to_be_focused()
    expect(browser_page.locator("article").nth(1).locator("details")).to_have_attribute("open", "")
    expect(browser_page.get_by_text("Delivered pushes: 2 · requests: 2")).to_be_visible()
    assert complaints == []


def test_a_message_is_drawn_in_its_own_colours_under_the_strict_policy(line: Line, browser_page: Page) -> None:
    line.push(reminder())
    browser_page.goto(line.base)
    title = browser_page.get_by_text("まもなく授業です", exact=True)
    expect(title).to_have_css("color", "rgb(39, 64, 139)")
    expect(title).to_have_css("font-size", "19px")
    expect(browser_page.get_by_role("link", name="シフトを見る")).to_have_css("background-color", "rgb(39, 64, 139)")
    assert browser_page.evaluate("document.documentElement.scrollWidth") == 375
