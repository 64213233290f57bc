"""A pause and a resume, as an operator does them; the list of gates stays as it was left while it refreshes."""

from datetime import timedelta

from playwright.sync_api import expect

from app import audit
from app.clock import now
from app.outbox.state import State
from tests.e2e.site import Looking, Site, tick
from tests.web.ledger import standing_as


def test_a_pause_is_foreseen_told_and_ended(looking: Looking, site: Site) -> None:
    with site.app.app_context():
        standing_as(state=State.PENDING, expires_at=now() + timedelta(minutes=30))
    page = looking.window()
    page.goto("/gates")
    page.get_by_role("link", name="Pause LINE").click()
    expect(page.get_by_text("1 delivery waits there now.")).to_be_visible()
    page.get_by_label("Why (may be left empty)").fill("LINE is being repaired")
    page.get_by_role("button", name="Pause LINE").click()
    expect(page.get_by_role("status").filter(has_text="LINE is paused.")).to_be_visible()
    expect(page.get_by_text("by 青木 葵")).to_be_visible()
    page.get_by_role("button", name="Resume LINE").focus()
    with site.app.app_context():
        standing_as(state=State.PENDING)
    tick(page)
    expect(page.get_by_text("2 deliveries go out at once.")).to_be_visible()
    assert page.evaluate("document.activeElement.textContent") == "Resume LINE"
    page.get_by_role("button", name="Resume LINE").dblclick()
    expect(page.get_by_role("status").filter(has_text="LINE is open again.")).to_be_visible()
    with site.app.app_context():
        assert [act.act for act in audit.entries("gate", 0)] == ["pause_gate", "resume_gate"]
    assert looking.complaints == []


def test_without_javascript_too(looking: Looking, site: Site) -> None:
    page = looking.window(js=False)
    page.goto("/gates")
    page.get_by_role("link", name="Pause LINE").click()
    page.get_by_role("button", name="Pause LINE").click()
    page.get_by_role("button", name="Resume LINE").click()
    expect(page.get_by_text("LINE is open again.")).to_be_visible()
    page.get_by_role("link", name="Who paused what").click()
    expect(page.get_by_role("link", name="Gate LINE")).to_be_visible()
