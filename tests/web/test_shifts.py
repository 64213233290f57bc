"""The shifts of a month and of a day."""

import re
from datetime import timedelta

import pytest
from flask import Flask

from app.clock import now
from app.codes import CancelReason
from app.extensions import db
from app.kinds import Address, Due, Send, Told
from app.outbox.models import Delivery
from app.outbox.state import State
from app.sources.classroom.kinds import ShiftCorrection
from app.sources.classroom.models import Shift
from app.transaction import writing
from tests.factories import all_deliveries, change, line_user, make_shift, make_tutor
from tests.web.classroom import as_seen, shift_on, switch_line_off, told_of, tomorrow
from tests.web.visitor import Visitor, text_of


def in_month(shift: int) -> str:
    """The address of the month that a shift lies in."""
    return f"/shifts?month={db.session.get_one(Shift, shift).starts_at:%Y-%m}"


def test_a_month_shows_each_day_with_tutors_times_and_states(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        shift = shift_on(tomorrow(), make_tutor(name="髙橋 花子"), "22:00", "25:30")
        told_of(shift)
        address = f"/shifts?month={tomorrow():%Y-%m}"
    page = admin.get(address)
    assert "22:00–01:30 (next day) 髙橋 花子" in text_of(page)
    assert 'class="sent" title="Sent"' in page.text
    assert f'href="/shifts?day={tomorrow()}"' in page.text


def test_a_day_says_what_was_told_to_whom_and_when(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        shift = shift_on(tomorrow(), make_tutor(name="髙橋 花子"), note="中2 数学")
        told = told_of(shift)
        change(Shift, shift, starts_at=db.session.get_one(Shift, shift).starts_at + timedelta(hours=1))
    page = admin.get(f"/shifts?day={tomorrow()}")
    assert "中2 数学" in text_of(page)
    assert f'<a href="/deliveries/{told}"><span class="state sent">' in page.text
    assert "18:00–20:00" in text_of(page)
    assert "17:00–20:00, 渋谷" in text_of(page).partition("Said:")[2]


def test_a_correction_that_called_the_shift_off_is_not_shown_as_an_order_to_come(
    pages_app: Flask, admin: Visitor
) -> None:
    with pages_app.app_context():
        shift = shift_on(tomorrow(), make_tutor())
        told_of(shift)
        seen = as_seen(shift)
    admin.post("/shifts/unconfirm", ids=seen, confirmed="1")
    with pages_app.app_context():
        correction_sent(shift)
    for address in (f"/shifts?day={tomorrow()}", f"/shifts/{shift}"):
        corrected, reminded = text_of(admin.get(address)).split("Said:")[1:]
        assert re.match(r" off \(was [^()]*17:00–20:00, 渋谷\d*\)", corrected)
        assert re.match(r" [^()]*17:00–20:00, 渋谷", reminded)
        assert "off (was" not in reminded


def correction_sent(shift: int) -> None:
    """The correction that is owed about this shift goes out, and what it says is kept."""
    (owed,) = (one for one in all_deliveries() if one.kind == ShiftCorrection.name)
    due = Due(
        owed.id, owed.kind, "line", "shift", shift, owed.subject_version, owed.account_id, None,
        Address("line_link", 1, line_user(1)), "ja",
    )  # fmt: skip
    kind = ShiftCorrection()
    verdict = kind.recheck([due])[due.id]
    assert isinstance(verdict, Send)
    with writing() as tx:
        kind.told(tx, [Told(due, verdict.note)])
    change(Delivery, owed.id, state=State.SENT, finished_at=now())


def test_staff_look_without_links_that_are_not_theirs(pages_app: Flask, staff: Visitor) -> None:
    with pages_app.app_context():
        shift = shift_on(tomorrow(), make_tutor())
        told_of(shift)
        switch_line_off(make_tutor_of(shift))
    for address in (f"/shifts?day={tomorrow()}", f"/shifts?month={tomorrow():%Y-%m}", f"/shifts/{shift}"):
        page = staff.get(address)
        assert page.status_code == 200
        main = page.text.partition("<main")[2].partition("</main>")[0]
        for theirs in ("/shifts/import", "/shifts/new", "/edit", "/settings/", 'name="ids"'):
            assert theirs not in main, (address, theirs)


def make_tutor_of(shift: int) -> int:
    return db.session.get_one(Shift, shift).tutor_id


def test_who_cannot_be_told_is_seen_before_it_matters(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        tutor, fine, past = make_tutor(name="Away"), make_tutor(name="Fine"), make_tutor(name="Past")
        far = shift_on(tomorrow() + timedelta(days=80), tutor)
        shift_on(tomorrow() + timedelta(days=81), tutor)
        shift_on(tomorrow(), fine)
        make_shift(past, starts_in=timedelta(hours=-3))
        make_shift(make_tutor(name="Draft"), status="draft")
        switch_line_off(tutor)
        switch_line_off(past)
    page = admin.get("/shifts")
    assert "1 tutor of shifts to come cannot be reached Away : The recipient has no LINE link" in text_of(page)
    assert f'<a href="/settings/accounts/{tutor}">Away</a>' in page.text
    assert f'href="/shifts/{far}"' in page.text
    assert CancelReason.LINE_DISABLED not in page.text


def test_one_tutor_twice_at_a_time_is_pointed_out_whatever_the_filter(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        tutor = make_tutor()
        one, two = shift_on(tomorrow(), tutor), shift_on(tomorrow(), tutor, "19:59", "22:00", status="draft")
        shift_on(tomorrow(), tutor, "22:00", "23:00")
        classroom = db.session.get_one(Shift, one).classroom_id
    day = text_of(admin.get(f"/shifts?day={tomorrow()}"))
    assert day.count("Overlaps") == 2
    assert "19:59–22:00" in text_of(admin.get(f"/shifts?day={tomorrow()}&classroom={classroom}"))
    assert f"shift-{two}" not in admin.get(f"/shifts?day={tomorrow()}&classroom={classroom}").text
    assert text_of(admin.get(f"/shifts?month={tomorrow():%Y-%m}")).count("Overlaps") == 2


def test_months_and_days_follow_each_other_with_the_classroom_kept(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        shift = shift_on(tomorrow(), make_tutor())
        room = db.session.get_one(Shift, shift).classroom_id
    month = admin.get(f"/shifts?month=2026-12&classroom={room}").text
    assert f'id="before" class="button" href="/shifts?month=2026-11&amp;classroom={room}"' in month
    assert f'id="after" class="button" href="/shifts?month=2027-01&amp;classroom={room}"' in month
    day = admin.get("/shifts?day=2026-12-31").text
    assert 'href="/shifts?day=2027-01-01"' in day
    assert 'href="/shifts?month=2026-12"' in day


@pytest.mark.parametrize(
    "query", ["month=never", "month=2026-13", "month=0000-01", "month=9999-12", "day=never", "day=0001-01-01",
              "classroom=x", "classroom=" + "9" * 30, "ticked=everything", "month=２０２６-12"]
)  # fmt: skip
def test_an_address_that_makes_no_sense_shows_this_month_and_all(admin: Visitor, query: str) -> None:
    page = admin.get(f"/shifts?{query}")
    assert page.status_code == 200
    assert "There are no shifts yet" in text_of(page)


def test_a_month_in_another_zone_begins_at_midnight_there(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        shift = shift_on(tomorrow().replace(day=1), make_tutor(), "00:00", "01:00")
    assert f"shift-{shift}" in admin.get(f"/shifts?month={tomorrow():%Y-%m}").text
    assert f"shift-{shift}" in admin.get(f"/shifts?day={tomorrow().replace(day=1)}").text


def test_drafts_can_be_ticked_without_a_script(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        shift_on(tomorrow(), make_tutor())
        draft = as_seen(shift_on(tomorrow(), make_tutor(), status="draft"))
    page = admin.get(f"/shifts?month={tomorrow():%Y-%m}&ticked=drafts").text
    assert page.count(" checked") == 1
    assert f'value="{draft}" checked' in page


def test_the_page_of_a_shift_stays_when_it_is_deleted(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        shift = shift_on(tomorrow(), make_tutor(name="髙橋 花子"))
        told_of(shift)
        change(Shift, shift, deleted_at=now())
    page = admin.get(f"/shifts/{shift}")
    assert "Deleted" in text_of(page)
    assert "Sent Shift reminder" in text_of(page)
    assert f"/shifts/{shift}/edit" not in page.text
    assert admin.get("/shifts/77").status_code == 404
