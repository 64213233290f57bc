"""Everything works without JavaScript."""

from playwright.sync_api import expect

from tests.e2e.site import PASSWORD, Looking, Site
from tests.factories import delivery
from tests.web.ledger import failed


def test_from_signing_in_to_a_retry(looking: Looking, site: Site) -> None:
    with site.app.app_context():
        one = failed()
    page = looking.window(signed_in=False, js=False)
    page.goto("/deliveries?state=failed")
    page.get_by_label("E-mail address").fill(site.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(f"{site.url}/deliveries?state=failed")
    page.locator(f"#retry-{one}").click()
    expect(page.get_by_role("status").filter(has_text=f"Delivery {one} is being sent again.")).to_be_visible()
    page.get_by_role("link", name="All 1").click()
    page.locator(f"#show-{one}").click()
    expect(page.get_by_text("青木 葵 retried")).to_be_visible()
    page.get_by_role("link", name="Refresh").click()
    page.get_by_role("link", name="Cancel").click()
    page.get_by_role("button", name="Cancel the delivery").click()
    expect(page.get_by_text(f"Delivery {one} was canceled.")).to_be_visible()
    expect(page.locator(".copy").first).to_be_attached()
    expect(page.locator(".copy").first).to_be_hidden()
    with site.app.app_context():
        assert delivery(one).state == "canceled"


def test_the_language_can_be_changed_before_signing_in(looking: Looking) -> None:
    page = looking.window(signed_in=False, js=False, language="ja")
    page.goto("/login")
    expect(page.get_by_role("heading", name="Todokeにサインイン")).to_be_visible()
    page.get_by_role("button", name="English").click()
    page.get_by_role("heading", name="Sign in to Todoke").wait_for()
