"""Planning shifts and publishing them, as people do it."""

import pytest
from playwright.sync_api import expect

from app.sources.classroom.models import ShiftStatus
from tests.e2e.planned import planned
from tests.e2e.site import Looking, Site
from tests.factories import all_deliveries, make_classroom, make_tutor
from tests.web.classroom import next_month, shift_now

MONTH = f"/shifts?month={next_month():%Y-%m}"


def test_many_are_confirmed_on_a_phone(looking: Looking, site: Site) -> None:
    with site.app.app_context():
        plan = planned()
    page = looking.window(width=375)
    page.goto(MONTH)
    expect(page.locator(".bar")).to_be_hidden()
    page.get_by_role("link", name="Tick all 4 drafts").click()
    expect(page.locator(".chosen")).to_have_text("4 ticked")
    page.locator(f"#shift-{plan.drafts[0]} label").click()
    expect(page.locator(".chosen")).to_have_text("3 ticked")
    page.locator(".bar").get_by_role("button", name="Confirm", exact=True).click()
    expect(page.get_by_role("status").filter(has_text="3 shifts were confirmed.")).to_be_visible()
    with site.app.app_context():
        assert [shift_now(one).status for one in plan.drafts] == [
            ShiftStatus.DRAFT, ShiftStatus.CONFIRMED, ShiftStatus.CONFIRMED
        ]  # fmt: skip
    assert looking.complaints == []


@pytest.mark.parametrize("js", [True, False])
def test_a_table_is_previewed_and_sent(looking: Looking, site: Site, js: bool) -> None:
    with site.app.app_context():
        planned()
        before = len(all_deliveries())
    page = looking.window(js=js)
    page.goto("/publications")
    page.get_by_label("Classroom").select_option("渋谷教室")
    page.get_by_role("button", name="Preview").click()
    picture = page.get_by_role("img", name="as it would be sent")
    assert picture.bounding_box()["width"] > 300  # type: ignore[index]
    page.get_by_role("button", name="Send to LINE").dblclick()
    page.get_by_text("The table is on its way to LINE.").wait_for()
    page.get_by_role("img", name="The shift table of").wait_for()
    with site.app.app_context():
        assert len(all_deliveries()) == before + 1
    assert looking.complaints == []


@pytest.mark.parametrize("js", [True, False])
def test_a_shift_is_added_moved_and_deleted(looking: Looking, site: Site, js: bool) -> None:
    with site.app.app_context():
        make_tutor(name="髙橋 花子")
        make_classroom()
    page = looking.window(js=js, width=375)
    page.goto(f"/shifts?day={next_month()}")
    page.get_by_role("link", name="Add a shift").click()
    page.get_by_label("Tutor").select_option(index=1)
    page.get_by_label("Classroom").select_option(index=1)
    page.get_by_label("Start").fill("22:00")
    page.get_by_label("End").fill("25:30")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("The shift was added.").wait_for()
    page.get_by_role("link", name="Edit").click()
    expect(page.get_by_label("End")).to_have_value("25:30")
    page.get_by_label("Start").fill("21:00")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("21:00–01:30 (next day)").first).to_be_visible()
    page.get_by_role("button", name="Confirm").first.click()
    page.get_by_text("1 shift was confirmed.").wait_for()
    page.get_by_role("link", name="Delete").click()
    page.get_by_role("button", name="Delete").click()
    page.get_by_text("1 shift was deleted.").wait_for()
    assert looking.complaints == []


def test_a_table_is_zoomed_within_its_own_frame_on_a_phone(looking: Looking, site: Site) -> None:
    with site.app.app_context():
        plan = planned()
    page = looking.window(width=375)
    page.goto(f"/liff?document={plan.document}")
    picture = page.get_by_role("img", name="The shift table of")
    assert picture.bounding_box()["width"] < 375  # type: ignore[index]
    page.get_by_label("Full size").check()
    assert picture.bounding_box()["width"] > 1500  # type: ignore[index]
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert looking.complaints == []
