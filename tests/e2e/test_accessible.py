"""Pages for everybody: no violation that axe knows, no sideways scrolling, both themes and languages."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from app import audit, pulse
from app.audit import COMMAND_LINE
from app.clock import now
from app.codes import FailureCode
from app.operations import gates
from app.outbox import gates as ledger
from app.outbox.state import AttemptOutcome, State
from app.transaction import writing
from tests.e2e.announced import announced
from tests.e2e.planned import planned
from tests.e2e.repaired import repaired
from tests.e2e.served import served
from tests.e2e.site import Looking, Site
from tests.e2e.talked import talked
from tests.e2e.watching import watching_all_sorts
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
    for number, outcome in enumerate(AttemptOutcome, start=2):
        tried(one, number, outcome=outcome, may_have_arrived=outcome is AttemptOutcome.TRANSIENT)
    with writing() as tx:
        pulse.beat(tx, "worker-1", "worker", "urgent, default", now())
        pulse.start(tx, "reminders", timedelta(minutes=15), timedelta(minutes=2))
        pulse.finish(tx, "reminders", {"shifts": 4, "enqueued": 3}, None)
    with writing() as tx:
        audit.note(tx, COMMAND_LINE, "rotate_key", ("delivery", one), {"may_double": True, "why": "a reason " * 30})
        gates.pause(tx, COMMAND_LINE, "web_push:a-very-long-name-of-a-push-service.notify.windows.com", "w" * 300)
        ledger.close(tx, "line", FailureCode.LINE_SERVER_ERROR, timedelta(minutes=5))
    return one


def addresses(one: int) -> list[str]:
    """The pages that matter."""
    return [
        "/overview", "/deliveries", "/deliveries?state=failed&q=x", "/deliveries?state=x&kind=y", f"/deliveries/{one}",
        f"/deliveries/{one}/rotate-key", "/help/codes", "/settings/notifications", "/gates", "/gates/pause?gate=line",
        "/audit", "/audit?act=x&who=y",
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


def serving() -> list[str]:
    """The inbox, and what fills it."""
    return served()


def announcing() -> list[str]:
    """The pages of announcements."""
    return announced()


def repairing() -> list[str]:
    """The pages of bulk retries."""
    return repaired()


def watching() -> list[str]:
    """The pages of price watches."""
    return watching_all_sorts()


@pytest.mark.parametrize("inhabited", [operating, planning, talking, serving, announcing, repairing, watching])
@pytest.mark.parametrize(("theme", "language", "width"), [("light", "en", 1280), ("dark", "ja", 375)])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    looking: Looking, site: Site, theme: str, language: str, width: int, inhabited: Callable[[], list[str]]
) -> None:
    with site.app.app_context():
        visited = inhabited()
    page = looking.window(theme=theme, language=language, width=width)
    found: dict[str, object] = {}
    for address in visited:
        page.goto(address)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        violations = Axe().run(page).response["violations"]
        found |= {f"{address} {one['id']}": [node["html"][:200] for node in one["nodes"]] for one in violations}
        found |= {f"{address} at {wide}": beyond for wide, beyond in sideways(page).items()}
        page.set_viewport_size({"width": width, "height": 800})
    assert not found


def sideways(page: Page) -> dict[int, int]:
    """How many pixels stand beyond the edge of the window, at each width where any do."""
    beyond: dict[int, int] = {}
    for width in (320, 1024, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        beyond[width] = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return {width: pixels for width, pixels in beyond.items() if pixels > 0}


def test_a_keyboard_gets_past_the_navigation(looking: Looking, site: Site) -> None:
    page = looking.window()
    page.goto("/overview")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    assert looking.complaints == []
