"""Watching a price in a real browser: from the address of a page to what became of the push."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from app.engine.deliver import deliver
from app.sources.prices.audience import KIND
from tests.e2e.site import Looking, Site, tick
from tests.factories import only_delivery
from tests.fakes.push import FakePush
from tests.fakes.shop import FakeShop
from tests.fixtures.background import later
from tests.inbox.browsers import register
from tests.sources.prices.town import look


def detect_and_send(site: Site) -> None:
    """The scan looks at the shop, and a worker sends what that made."""
    with site.app.app_context(), later(seconds=3):
        assert look()["owed"] == 1
        deliver(KIND, [only_delivery().id], lambda: False)


def test_a_price_falls_and_the_pages_tell_what_became_of_it(
    looking: Looking, site: Site, shop: FakeShop, push: FakePush
) -> None:
    with site.app.app_context():
        register(site.admin, push.subscribe())
    kettle = shop.sells("kettle", "1980")
    page = looking.window()
    page.goto("/watches")
    page.get_by_role("link", name="Watch a page").click()
    page.get_by_label("Address of the product page").fill(kettle)
    page.get_by_role("button", name="Read the page").click()
    expect(page.locator("#read")).to_have_text("It costs ¥1,980 now.")
    page.get_by_label("Price in JPY, at most").fill("1500")
    page.get_by_role("button", name="Watch it").click()
    expect(page.get_by_role("status").filter(has_text="It is watched.")).to_be_visible()
    shop.sells("kettle", "1400")
    detect_and_send(site)
    tick(page)
    expect(page.locator("#price")).to_have_text("¥1,400")
    expect(page.locator("#story + p")).to_have_text("Sent: 1. Rightly not sent: 0.")
    expect(page.get_by_text("It said ¥1,400, as of")).to_be_visible()
    page.get_by_role("link", name="Delivery 1").click()
    expect(page.get_by_role("heading", name="¥1,400: kettle")).to_be_visible()
    assert len(push.requests) == 1
    assert looking.complaints == []


def test_without_javascript_a_drop_that_is_over_is_rightly_not_sent(
    looking: Looking, site: Site, shop: FakeShop, push: FakePush
) -> None:
    with site.app.app_context():
        register(site.admin, push.subscribe())
    kettle = shop.sells("kettle", "1980")
    page = looking.window(js=False, width=320)
    page.goto("/watches/new")
    page.get_by_label("Address of the product page").fill("kettle")
    page.get_by_role("button", name="Read the page").click()
    expect(page.get_by_text("Paste the address of a product page")).to_be_visible()
    page.get_by_label("Address of the product page").fill(kettle)
    page.get_by_role("button", name="Read the page").click()
    page.get_by_label("Price in JPY, at most").fill("1500")
    page.get_by_role("button", name="Watch it").click()
    shop.sells("kettle", "1400")
    with site.app.app_context(), later(seconds=3):
        look()
        shop.sells("kettle", "1980")
        with later(seconds=15):
            deliver(KIND, [only_delivery().id], lambda: False)
    page.reload()
    expect(page.locator("#story + p")).to_have_text("Sent: 0. Rightly not sent: 1.")
    page.goto("/overview")
    page.locator("#not-sent-condition_lost").click()
    expect(page.locator("#delivery-1")).to_be_visible()
    page.goto("/watches")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("Paused", exact=True)).to_be_visible()
    page.get_by_role("link", name="Remove the watch").click()
    page.get_by_role("button", name="Remove the watch").click()
    expect(page.get_by_text("You watch nothing yet")).to_be_visible()
    assert push.requests == []


@pytest.mark.parametrize(("theme", "language", "width"), [("light", "en", 1280), ("dark", "ja", 375)])
def test_what_was_read_is_shown_to_everybody(
    looking: Looking, shop: FakeShop, theme: str, language: str, width: int
) -> None:
    page = looking.window(theme=theme, language=language, width=width)
    page.goto("/watches/new")
    page.locator("#url").fill(shop.sells("kettle", "1980"))
    page.locator("main button").click()
    page.locator("main form button").last.click()
    expect(page.locator("#target-fault")).to_be_visible()
    assert Axe().run(page).response["violations"] == []
    page.set_viewport_size({"width": 320, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
