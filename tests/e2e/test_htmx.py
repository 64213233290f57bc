"""Where htmx comes from."""

from datetime import timedelta

from playwright.sync_api import Page, Route, expect

from app.clock import now
from tests.e2e.site import CDN, HTMX, Looking, serve, tick, wait_until

LOADED = "performance.getEntriesByType('resource').map((one) => one.name).filter((name) => name.includes('htmx'))"
STARTED = "[data-htmx-powered]"
"""What htmx has taken up."""
LOCAL = "script[src*=vendor]"


def scripts_of(page: Page) -> list[str]:
    """The addresses that htmx was asked for at, once it is there."""
    wait_until(page, "window.htmx?.version")
    return list(page.evaluate(LOADED))


def test_it_comes_from_the_cdn_when_the_bytes_are_the_expected_ones(looking: Looking) -> None:
    page = looking.window()
    page.goto("/overview")
    assert [name for name in scripts_of(page) if "/static/" in name] == []
    assert page.evaluate("htmx.version") == "4.0.1"
    tick(page)
    assert looking.complaints == []


def test_without_the_cdn_the_local_copy_does(looking: Looking) -> None:
    page = looking.window()
    page.context.unroute(CDN)
    page.context.route(CDN, lambda route: route.abort())
    page.goto("/overview")
    assert any("/static/vendor/" in name for name in scripts_of(page))
    tick(page)


def test_other_bytes_from_the_cdn_are_refused(looking: Looking) -> None:
    def tampered(route: Route) -> None:
        serve(route, b"window.stolen = true;" + HTMX)

    page = looking.window()
    page.context.unroute(CDN)
    page.context.route(CDN, tampered)
    page.goto("/overview")
    assert any("/static/vendor/" in name for name in scripts_of(page))
    assert page.evaluate("window.stolen") is None
    tick(page)


def without_an_answer(looking: Looking, address: str) -> tuple[Page, list[Route]]:
    """A page whose CDN drops what it is asked, and what it was asked. Its time stands still."""
    asked: list[Route] = []
    page = looking.window()
    page.context.unroute(CDN)
    page.context.route(CDN, lambda route: asked.append(route))
    page.context.add_init_script("Object.defineProperty(Notification, 'permission', { value: 'denied' })")
    page.clock.install(time=now())
    page.clock.pause_at(now() + timedelta(minutes=1))
    page.goto(address, wait_until="commit")
    page.locator("html.js").wait_for()
    return page, asked


def test_a_cdn_that_never_answers_holds_no_other_script_up(looking: Looking) -> None:
    page, asked = without_an_answer(looking, "/settings/notifications")
    expect(page.locator("[data-state=blocked]")).to_be_visible()
    page.clock.run_for(2_999)
    assert [len(asked), page.locator(LOCAL).count()] == [1, 0]
    page.clock.run_for(1)
    page.locator(LOCAL).wait_for(state="attached")
    page.clock.resume()
    page.locator(STARTED).first.wait_for(state="attached")
    assert looking.complaints == []


def test_a_cdn_that_answers_after_the_local_copy_is_not_heard(looking: Looking) -> None:
    page, asked = without_an_answer(looking, "/overview")
    page.clock.run_for(3_000)
    page.clock.resume()
    page.locator(STARTED).first.wait_for(state="attached")
    page.evaluate("window.first = htmx")
    with page.expect_request_finished(lambda request: request == asked[0].request):
        serve(asked[0], HTMX)
    page.wait_for_load_state("load")
    tick(page)
    assert page.evaluate("htmx === first")
    assert looking.complaints == []
