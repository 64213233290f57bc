"""Writing to each other in a real browser: new messages appear by themselves, and what is half typed stays."""

from playwright.sync_api import expect
from sqlalchemy import select

from app.extensions import db
from app.sources.conversations import converse
from app.sources.conversations.models import ConversationMember
from tests.e2e.site import Looking, Site, tick
from tests.e2e.talked import talked
from tests.sources.conversations.talk import do, say


def test_a_new_message_appears_and_disturbs_nobody_and_nothing_stays_for_who_has_left(
    looking: Looking, site: Site
) -> None:
    with site.app.app_context():
        address = talked()[-1]
        other = db.session.scalars(
            select(ConversationMember.account_id).where(ConversationMember.account_id != site.admin)
        ).first()
    assert other is not None
    talk = int(address.split("/")[-1])
    page = looking.window()
    page.goto(address)
    page.fill("#text", "half typed")
    page.click(".mine summary")
    with site.app.app_context():
        say(other, talk, text="やっぱり明日にします")
    tick(page)
    expect(page.get_by_text("やっぱり明日にします")).to_be_visible()
    expect(page.locator("#text")).to_have_value("half typed")
    expect(page.get_by_role("button", name="Delete the message")).to_be_visible()
    page.get_by_role("button", name="Send the message").click()
    expect(page.locator(".talk li:target")).to_contain_text("half typed")
    expect(page.locator("#text")).to_have_value("")
    assert looking.complaints == []
    with site.app.app_context():
        do(converse.leave, site.admin, talk)
    tick(page)
    expect(page.get_by_text("やっぱり明日にします")).to_have_count(0)
    expect(page.get_by_text("There is no such page")).to_be_visible()
