"""Where htmx comes from."""

from playwright.sync_api import Page, Route

from tests.e2e.site import CDN, HTMX, Looking, serve, tick

LOADED = "performance.getEntriesByType('resource').map((one) => one.name).filter((name) => name.includes('htmx'))"


def scripts_of(page: Page) -> list[str]:
    """The addresses that htmx was asked for at, once it is there."""
    page.wait_for_function("window.htmx?.version")
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
