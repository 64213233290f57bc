"""Pages for everybody: no violation that axe knows, no sideways scrolling, both themes and languages."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe

from app import pulse
from app.clock import now
from app.codes import FailureCode
from app.outbox.state import State
from app.transaction import writing
from tests.e2e.planned import planned
from tests.e2e.site import Looking, Site
from tests.e2e.talked import talked
from tests.factories import make_delivery, make_shift, make_tutor
from tests.web.ledger import failed, standing_as, tried


def lived_in() -> int:
    """A house with something of everything; the id of a failed delivery."""
    tutor = make_tutor(name="髙橋 花子")
    shift = make_shift(tutor, starts_in=timedelta(days=1), note="中2 数学")
    make_delivery(tutor, subject_type="shift", subject_id=shift)
    for state in State:
        standing_as(state=state)
    one = failed(FailureCode.LINE_QUOTA_EXCEEDED, key_ambiguous=True)
    tried(one, detail="You have reached your monthly limit.", provider_request_id="5b59509c-c57b-11e9-aa8c-2a2ae2db")
    with writing() as tx:
        pulse.beat(tx, "worker-1", "worker", "urgent, default", now())
        pulse.start(tx, "reminders", timedelta(minutes=15), timedelta(minutes=2))
        pulse.finish(tx, "reminders", {"shifts": 4, "enqueued": 3}, None)
    return one


def addresses(one: int) -> list[str]:
    """The pages that matter."""
    return [
        "/overview", "/deliveries", "/deliveries?state=failed&q=x", "/deliveries?state=x&kind=y", f"/deliveries/{one}",
        f"/deliveries/{one}/rotate-key", "/help/codes", "/settings/notifications",
        "/no-such-page",
    ]  # fmt: skip


def operating() -> list[str]:
    """The pages of those who operate."""
    return addresses(lived_in())


def planning() -> list[str]:
    """The pages of those who plan."""
    return planned().addresses


def talking() -> list[str]:
    """The pages on which people write to each other."""
    return talked()


@pytest.mark.parametrize("inhabited", [operating, planning, talking])
@pytest.mark.parametrize(("theme", "language"), [("light", "en"), ("dark", "ja")])
@pytest.mark.parametrize("width", [1280, 375])
def test_axe_finds_nothing(
    looking: Looking, site: Site, theme: str, language: str, width: int, inhabited: Callable[[], list[str]]
) -> None:
    with site.app.app_context():
        visited = inhabited()
    page = looking.window(theme=theme, language=language, width=width)
    found: dict[str, list[str]] = {}
    for address in visited:
        page.goto(address)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        violations = Axe().run(page).response["violations"]
        found |= {f"{address} {one['id']}": [node["html"][:200] for node in one["nodes"]] for one in violations}
    assert not found


@pytest.mark.parametrize("inhabited", [operating, planning, talking])
@pytest.mark.parametrize("width", [320, 1024, 1280])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_nothing_scrolls_sideways(
    looking: Looking, site: Site, language: str, width: int, inhabited: Callable[[], list[str]]
) -> None:
    with site.app.app_context():
        visited = inhabited()
    page = looking.window(width=width, language=language)
    too_wide: dict[str, int] = {}
    for address in visited:
        page.goto(address)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        beyond = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        too_wide |= {address: beyond} if beyond > 0 else {}
    assert not too_wide


def test_a_keyboard_gets_past_the_navigation(looking: Looking, site: Site) -> None:
    page = looking.window()
    page.goto("/overview")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    assert looking.complaints == []
