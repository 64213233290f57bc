"""An administrator at work in the list of deliveries."""

import re
from datetime import timedelta

from playwright.sync_api import Page, expect

from app.clock import now
from app.outbox.models import Delivery
from app.outbox.state import State
from tests.e2e.site import Looking, Site, tick, wait_until
from tests.factories import change, make_delivery, make_tutor
from tests.web.ledger import failed, standing_as


def fill(site: Site, number: int) -> list[int]:
    """So many that failed, the oldest first, and one that was sent."""
    with site.app.app_context():
        standing_as(state=State.SENT)
        return [failed(created_at=now() - timedelta(seconds=number - one)) for one in range(number)]


def ticked(page: Page) -> list[int]:
    """The ids of the rows that are ticked, from top to bottom."""
    boxes = page.locator("#deliveries input[name=ids]:checked")
    return [int(value) for value in boxes.evaluate_all("boxes => boxes.map(box => box.value)")]


def test_filter_then_the_second_page_then_an_act_and_back_at_the_same_place(looking: Looking, site: Site) -> None:
    made = fill(site, 60)
    page = looking.window()
    page.goto("/deliveries")
    page.locator("#folded summary").click()
    page.locator("#channel").select_option("line")
    page.get_by_role("button", name="Show").click()
    page.locator("#older").click()
    page.wait_for_url("**cursor=*")
    place = page.url
    assert "cursor=" in place
    page.locator(f"#retry-{made[5]}").click()
    page.get_by_text(f"Delivery {made[5]} is being sent again.").wait_for()
    assert page.url == place
    expect(page.locator(f"#delivery-{made[5]}")).to_contain_text("Waiting")
    expect(page.locator(f"#delivery-{made[5]}")).to_be_in_viewport()
    assert page.evaluate("document.activeElement.id") == f"show-{made[5]}"
    assert looking.complaints == []


def test_ticks_focus_selection_and_open_details_outlast_a_refresh(looking: Looking, site: Site) -> None:
    made = fill(site, 6)
    page = looking.window()
    page.goto("/deliveries?state=failed")
    page.locator("#folded summary").click()
    page.locator(f"#tick-{made[4]}").check()
    page.locator(f"#tick-{made[2]}").check()
    page.locator(f"#show-{made[3]}").focus()
    page.locator("#q").evaluate("field => { field.value = 'half a wo'; }")
    with site.app.app_context():
        change(Delivery, made[4], state=State.SENT)
        failed()
    tick(page)
    expect(page.locator(f"#delivery-{made[4]}")).to_contain_text("It has moved on.")
    expect(page.locator("#new")).to_contain_text("Show 1 new")
    assert ticked(page) == [made[2]]
    expect(page.locator("#chosen")).to_have_text("1 chosen")
    assert page.evaluate("document.activeElement.id") == f"show-{made[3]}"
    assert page.locator("#folded").get_attribute("open") is not None
    expect(page.locator("#q")).to_have_value("half a wo")
    assert looking.complaints == []


def test_many_are_ticked_with_shift_all_with_the_head_and_none_with_escape(looking: Looking, site: Site) -> None:
    made = fill(site, 8)
    page = looking.window()
    page.goto("/deliveries?state=failed")
    expect(page.locator("#bulk")).to_be_hidden()
    page.locator(f"#tick-{made[6]}").click()
    page.locator(f"#tick-{made[3]}").click(modifiers=["Shift"])
    assert ticked(page) == made[6:2:-1]
    expect(page.locator("#chosen")).to_have_text("4 chosen")
    page.keyboard.press("Escape")
    assert ticked(page) == []
    expect(page.locator("#bulk")).to_be_hidden()
    page.locator("#tick-all").focus()
    page.keyboard.press("Space")
    assert ticked(page) == made[::-1]


def test_how_often_a_page_asks_again_is_chosen_and_remembered(looking: Looking, site: Site) -> None:
    fill(site, 1)
    page = looking.window()
    page.goto("/deliveries")
    wait_until(page, "window.htmx?.version")
    page.locator("#rate").select_option("0")
    page.goto("/overview")
    wait_until(page, "window.htmx?.version")
    expect(page.locator("#rate")).to_have_value("0")
    before = page.locator("#updated").inner_text()
    assert re.fullmatch(r"\d\d:\d\d:\d\d", before)
    with page.expect_response("**/overview"):
        page.locator("#rate").select_option("60")
    wait_until(page, f"document.getElementById('updated').textContent >= '{before}'")
    assert looking.complaints == []


def test_the_end_of_a_session_is_told_and_loses_nothing(looking: Looking, site: Site) -> None:
    made = fill(site, 3)
    page = looking.window()
    page.goto("/deliveries?state=failed")
    wait_until(page, "window.htmx?.version")
    page.locator(f"#tick-{made[1]}").check()
    page.context.clear_cookies(name="session")
    page.evaluate("document.body.dispatchEvent(new CustomEvent('app:tick'))")
    page.get_by_text("Your session has ended").wait_for()
    assert ticked(page) == [made[1]]
    page.get_by_role("link", name="Sign in again").click()
    page.wait_for_url("**/login?next=%2Fdeliveries%3Fstate%3Dfailed")


def test_a_name_stands_in_no_address(looking: Looking, site: Site) -> None:
    with site.app.app_context():
        tutor = make_tutor(name="髙橋 花子")
        theirs = make_delivery(tutor)
    page = looking.window()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/deliveries")
    page.locator("#q").fill("髙橋")
    page.keyboard.press("Enter")
    page.locator(f"#delivery-{theirs}").wait_for()
    assert page.url.endswith(f"/deliveries?person={tutor}")
    assert not any("髙" in url or "%E9%AB%99" in url for url in asked)
    page.locator("#without-person").click()
    page.wait_for_url("**/deliveries")


def test_a_long_file_is_watched_and_saved(looking: Looking, site: Site) -> None:
    fill(site, 5)
    page = looking.window()
    page.goto("/deliveries?state=failed")
    with page.expect_download() as file:
        page.locator("#export").click()
    assert re.fullmatch(r"deliveries-\d{8}-\d{4}\.csv", file.value.suggested_filename)
    expect(page.locator("#exported")).to_have_text("Saved: 5 deliveries.")
    assert file.value.path().read_text(encoding="utf-8-sig").count("\n") == 6
    assert looking.complaints == []


def test_without_javascript_the_list_is_filtered_searched_and_acted_upon(looking: Looking, site: Site) -> None:
    made = fill(site, 55)
    page = looking.window(js=False)
    page.goto("/deliveries?state=failed")
    page.locator("#older").click()
    page.locator("#code").select_option("LINE_SERVER_ERROR")
    page.get_by_role("button", name="Show").click()
    page.locator("#q").fill(str(made[7]))
    page.get_by_role("button", name="Find").click()
    page.locator(f"#delivery-{made[7]}").wait_for()
    page.locator(f"#retry-{made[7]}").click()
    page.get_by_text(f"Delivery {made[7]} is being sent again.").wait_for()
    expect(page.locator("#rate")).to_be_hidden()
    page.goto("/overview")
    page.locator("#figures summary").click()
    page.get_by_role("columnheader", name="Hour from").wait_for()


def test_an_act_that_the_server_could_not_do_is_told_and_its_button_says_again_what_it_does(
    looking: Looking, site: Site
) -> None:
    (made,) = fill(site, 1)
    page = looking.window()
    page.goto("/deliveries?state=failed")
    page.locator("#rate").select_option("0")
    page.route("**/retry", lambda route: route.fulfill(status=500, body="no"))
    with page.expect_response("**/retry"):
        page.locator(f"#retry-{made}").click()
    expect(page.locator(f"#retry-{made}")).to_be_enabled()
    expect(page.locator(f"#retry-{made}")).to_have_text(f"Retry {made}")
    expect(page.locator("#result")).not_to_be_empty()


def test_a_file_asked_for_after_the_session_ended_says_so_and_not_that_the_connection_broke(
    looking: Looking, site: Site
) -> None:
    fill(site, 1)
    page = looking.window()
    page.goto("/deliveries?state=failed")
    page.context.clear_cookies(name="session")
    page.locator("#export").click()
    expect(page.locator("#export-stop")).to_be_hidden()
    page.get_by_text("Your session has ended").wait_for()
    expect(page.locator("#exported")).to_be_empty()


def test_who_wants_no_refresh_gets_none_on_the_pages_of_a_delivery_and_of_the_gates_either(
    looking: Looking, site: Site
) -> None:
    with site.app.app_context():
        waits = standing_as(state=State.RETRY, next_attempt_at=now() + timedelta(hours=1))
    page = looking.window()
    page.clock.install()
    page.goto("/deliveries")
    page.locator("#rate").select_option("0")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for address in (f"/deliveries/{waits}", "/gates"):
        page.goto(address)
        wait_until(page, "window.htmx?.version")
        page.clock.run_for(20_000)
        assert len([url for url in asked if url.endswith(address)]) == 1, address
