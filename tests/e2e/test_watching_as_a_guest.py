"""Watching without an account in a real browser: coming in, signing in later, being forgotten."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.e2e.site import PASSWORD, Looking, Site
from tests.fakes.shop import FakeShop


def come_in(page: Page) -> None:
    """From the front door to the form."""
    page.goto("/")
    page.get_by_role("link", name="Watch a price without an account").click()
    page.get_by_role("button", name="Go on as a guest").click()


def watch(page: Page, url: str) -> None:
    page.get_by_label("Address of the product page").fill(url)
    page.get_by_role("button", name="Read the page").click()
    page.get_by_label("Price in JPY, at most").fill("1500")
    page.get_by_role("button", name="Watch it").click()
    expect(page.get_by_role("status").filter(has_text="It is watched.")).to_be_visible()


@pytest.mark.parametrize("js", [True, False])
def test_a_guest_watches_a_price_and_finds_it_in_the_account_they_sign_in_to(
    looking: Looking, site: Site, shop: FakeShop, js: bool
) -> None:
    page = looking.window(signed_in=False, js=js)
    come_in(page)
    watch(page, shop.sells("kettle", "1980"))
    page.get_by_role("link", name="Sign in").click()
    page.get_by_label("E-mail address").fill(site.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("What you watched as a guest is in your account now.")).to_be_visible()
    page.get_by_role("link", name="Watches").first.click()
    expect(page.get_by_role("link", name="kettle").first).to_be_visible()
    assert looking.complaints == []


def test_a_guest_is_forgotten_at_once(looking: Looking, shop: FakeShop) -> None:
    page = looking.window(signed_in=False)
    come_in(page)
    watch(page, shop.sells("kettle", "1980"))
    page.get_by_role("link", name="Forget me here").click()
    page.get_by_role("button", name="Forget me here").click()
    expect(page.get_by_text("You are forgotten here")).to_be_visible()
    page.goto("/watches")
    expect(page.get_by_role("heading", name="Sign in to Todoke")).to_be_visible()
    assert looking.complaints == []


@pytest.mark.parametrize(("theme", "language"), [("light", "en"), ("dark", "ja")])
def test_what_a_guest_sees_is_shown_to_everybody(looking: Looking, theme: str, language: str) -> None:
    page = looking.window(signed_in=False, theme=theme, language=language)
    page.goto("/guest")
    shown_to_everybody(page)
    page.locator("form.stack button").click()
    for address in ("/watches", "/settings/notifications", "/guest/forget", "/login"):
        page.goto(address)
        shown_to_everybody(page)


def shown_to_everybody(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    assert Axe().run(page).response["violations"] == [], page.url
    page.set_viewport_size({"width": 320, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0, page.url
