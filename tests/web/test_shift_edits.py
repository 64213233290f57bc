"""Adding and changing a shift by hand."""

from datetime import timedelta
from typing import Any

import pytest
from flask import Flask

from app import audit
from tests.factories import make_classroom, make_shift, make_tutor
from tests.web.classroom import agreed_in, fields_of, shift_now, shift_on, tomorrow
from tests.web.visitor import Visitor, text_of


def new_fields(of_tutor: int, in_classroom: int, **changes: str) -> dict[str, Any]:
    fields = {
        "tutor": str(of_tutor), "classroom": str(in_classroom), "date": tomorrow().isoformat(), "start": "22:00",
        "end": "25:30", "status": "confirmed", "note": "鍵を忘れずに\r\n中2",
    }  # fmt: skip
    return fields | changes


def test_a_shift_is_added_with_a_time_beyond_midnight(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        fields = new_fields(make_tutor(), make_classroom())
    answer = admin.post("/shifts/new", **fields)
    assert answer.status_code == 303
    assert answer.location.startswith(f"/shifts?day={tomorrow()}#shift-")
    assert "The shift was added." in text_of(admin.get("/shifts"))
    with pages_app.app_context():
        shift = shift_now(int(answer.location.rpartition("-")[2]))
        assert (shift.ends_at - shift.starts_at, shift.note) == (timedelta(hours=3.5), "鍵を忘れずに\n中2")
        assert [(one.act, one.actor_name) for one in audit.entries("shift", shift.id)] == [("add", "admin Aoki")]


def test_the_form_begins_with_the_day_and_classroom_that_one_came_from(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        room = make_classroom()
    page = admin.get(f"/shifts/new?day=2026-12-24&classroom={room}").text
    assert 'name="date" value="2026-12-24"' in page
    assert f'<option value="{room}" selected>' in page


@pytest.mark.parametrize(
    ("field", "typed", "says"),
    [
        ("tutor", "77", "Choose one of the list."),
        ("tutor", "", "Choose one of the list."),
        ("classroom", "x", "Choose one of the list."),
        ("status", "perhaps", "Choose one of the list."),
        ("date", "someday", "Expected a date such as 2026-11-30"),
        ("date", "46356", "Expected a date such as 2026-11-30"),
        ("start", "25h", "Expected a time such as 17:05"),
        ("start", "0.7", "Expected a time such as 17:05"),
        ("end", "48:00", "Expected a time such as 17:05"),
        ("end", "21:00", "Expected a time after the start"),
        ("note", "x" * 501, "Write at most 500 characters; these are 501."),
        ("note", "bell\x07", "It holds characters that are no text."),
        ("note", "\ue000", "Expected characters that every computer knows"),
    ],
)
def test_each_faulty_field_says_what_it_expects_and_keeps_what_was_typed(
    pages_app: Flask, admin: Visitor, field: str, typed: str, says: str
) -> None:
    with pages_app.app_context():
        fields = new_fields(make_tutor(), make_classroom(), **{field: typed})
    answer = admin.post("/shifts/new", **fields)
    assert answer.status_code == 422
    assert says in text_of(answer)
    assert f'id="{field}-fault"' in answer.text
    assert "鍵を忘れずに" in answer.text or field == "note"
    assert "Excel" not in text_of(answer)
    assert admin.get(f"/shifts?month={tomorrow():%Y-%m}").text.count('name="ids"') == 0


def test_full_width_digits_are_understood(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        fields = new_fields(make_tutor(), make_classroom(), start="１７：００", end="２５：３０")
    assert admin.post("/shifts/new", **fields).status_code == 303


def test_an_inactive_account_gets_no_new_shift(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        tutor = make_tutor(name="Gone")
        fields = new_fields(tutor, make_classroom())
    admin.post(f"/settings/accounts/{tutor}/suspend")
    assert "Gone" not in admin.get("/shifts/new").text
    answer = admin.post("/shifts/new", **fields)
    assert answer.status_code == 422
    assert "This account is suspended, so it gets no shifts." in text_of(answer)


def test_a_second_shift_at_that_time_is_pointed_out_and_can_be_saved_all_the_same(
    pages_app: Flask, admin: Visitor
) -> None:
    with pages_app.app_context():
        tutor, room = make_tutor(), make_classroom()
        shift_on(tomorrow(), tutor, "21:00", "23:00")
        fields = new_fields(tutor, room)
    asked = admin.post("/shifts/new", **fields)
    assert asked.status_code == 200
    assert "The tutor has another shift at that time:" in text_of(asked)
    assert "21:00–23:00" in text_of(asked)
    assert admin.post("/shifts/new", **fields, agreed="something else").status_code == 200
    assert admin.post("/shifts/new", **fields, agreed=agreed_in(asked.text)).status_code == 303


def test_a_change_is_saved_and_written_down(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        shift = shift_on(tomorrow(), make_tutor())
        fields = fields_of(shift, end="21:30")
    assert 'name="end" value="20:00"' in admin.get(f"/shifts/{shift}/edit").text
    answer = admin.post(f"/shifts/{shift}/edit", **fields, next=f"/shifts/{shift}")
    assert (answer.status_code, answer.location) == (303, f"/shifts/{shift}")
    assert "admin Aoki changed it" in text_of(admin.get(answer.location))
    with pages_app.app_context():
        assert shift_now(shift).version == 2


def test_an_overnight_shift_comes_back_as_it_was_written(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        shift = shift_on(tomorrow(), make_tutor(), "22:00", "25:30")
        version, fields = shift_now(shift).version, fields_of(shift, end="25:30")
    assert 'name="end" value="25:30"' in admin.get(f"/shifts/{shift}/edit").text
    admin.post(f"/shifts/{shift}/edit", **fields | {"note": "only this"})
    with pages_app.app_context():
        assert (shift_now(shift).version, shift_now(shift).note) == (version, "only this")


@pytest.mark.parametrize("seen", ["", "x", "1", "-1", "1-", "9" * 12 + "-01234567", "1-0123456G"])
def test_a_form_that_does_not_say_what_was_seen_is_refused(pages_app: Flask, admin: Visitor, seen: str) -> None:
    with pages_app.app_context():
        shift = shift_on(tomorrow(), make_tutor())
        fields = fields_of(shift, seen=seen)
    assert admin.post(f"/shifts/{shift}/edit", **fields).status_code == 400


def test_editing_is_shut_to_staff_and_to_unknown_shifts(pages_app: Flask, admin: Visitor, staff: Visitor) -> None:
    with pages_app.app_context():
        shift = make_shift(make_tutor())
    for path in ("/shifts/new", f"/shifts/{shift}/edit"):
        assert (staff.get(path).status_code, staff.post(path).status_code) == (403, 403)
    assert admin.get("/shifts/77/edit").status_code == 404


def test_without_a_classroom_the_way_to_the_first_is_shown(admin: Visitor) -> None:
    assert 'href="/settings/classrooms"' in admin.get("/shifts/new").text.partition("<main")[2]
