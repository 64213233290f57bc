"""The list of shifts, and bringing them in."""

import io
from datetime import timedelta

from flask import Flask
from sqlalchemy import func, select

from app.accounts.create import create_account
from app.accounts.models import Account
from app.clock import now
from app.codes import CancelReason
from app.extensions import db
from app.outbox.models import Delivery
from app.outbox.state import State
from app.reach.models import LineLink
from app.sources.classroom.models import Classroom, Shift
from app.transaction import writing
from tests.factories import change, make_account, make_delivery, make_shift, make_tutor
from tests.web.visitor import Visitor, text_of

HEADER = "external_id,tutor_email,classroom,date,start,end,status,note\r\n"


def csv(*lines: str) -> tuple[io.BytesIO, str]:
    """An uploaded file."""
    return io.BytesIO((HEADER + "\r\n".join(lines)).encode()), "november.csv"


def row(number: int, email: str, **changes: str) -> str:
    """One line of a file: a shift of tomorrow."""
    tomorrow = (now() + timedelta(days=1)).date().isoformat()
    cells = {"id": f"X-{number}", "email": email, "classroom": "渋谷", "date": tomorrow, "start": "17:00",
             "end": "20:00", "status": "confirmed", "note": ""} | changes  # fmt: skip
    return ",".join(cells.values())


def how_many(table: type[Shift] | type[Classroom]) -> int:
    return db.session.scalar(select(func.count()).select_from(table)) or 0


def a_tutor() -> str:
    """The e-mail of a tutor."""
    return db.session.get_one(Account, make_account(name="髙橋 花子")).email


def test_the_week_shows_tutor_classroom_times_and_what_was_told(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        tutor = make_tutor(name="髙橋 花子")
        shift = make_shift(tutor, starts_in=timedelta(days=1), note="中2 数学")
        told = make_delivery(tutor, subject_type="shift", subject_id=shift)
        change(Delivery, told, state=State.SENT)
    page = admin.get("/shifts")
    assert "髙橋 花子" in text_of(page)
    assert "中2 数学" in text_of(page)
    assert f'<a href="/deliveries/{told}"><span class="state sent">' in page.text


def test_staff_see_the_shifts_without_links_that_are_not_theirs(pages_app: Flask, staff: Visitor) -> None:
    with pages_app.app_context():
        tutor = make_tutor()
        make_delivery(tutor, subject_type="shift", subject_id=make_shift(tutor, starts_in=timedelta(days=1)))
    page = staff.get("/shifts").text
    assert '<span class="state pending">' in page
    assert "/deliveries/" not in page
    assert "/shifts/import" not in page


def test_who_cannot_be_told_is_seen_before_it_matters(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        tutor = make_tutor()
        make_shift(tutor, starts_in=timedelta(days=1))
        link = db.session.scalar(select(LineLink.id).where(LineLink.account_id == tutor))
        assert link is not None
        change(LineLink, link, enabled=False)
    assert "The recipient has no LINE link" in text_of(admin.get("/shifts"))
    assert CancelReason.LINE_DISABLED not in admin.get("/shifts").text


def test_the_list_can_be_narrowed_to_days_and_a_classroom(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        near, far = make_shift(make_tutor(name="Near")), make_shift(make_tutor(name="Far"), starts_in=timedelta(days=9))
        classroom = db.session.get_one(Shift, near).classroom_id
        day = (now() + timedelta(days=9)).date()
    assert ("Near" in admin.get("/shifts").text, "Far" in admin.get("/shifts").text) == (True, False)
    later = admin.get(f"/shifts?from={day}").text
    assert (f"shift-{near}" in later, f"shift-{far}" in later) == (False, True)
    assert f"shift-{near}" in admin.get(f"/shifts?classroom={classroom}").text
    assert f"shift-{far}" not in admin.get(f"/shifts?from={day}&classroom={classroom}").text


def test_an_address_with_a_wrong_day_or_classroom_shows_today_and_all(admin: Visitor) -> None:
    for query in ("from=never", "from=9999-12-31", "from=0001-01-01", "classroom=x", "classroom=" + "9" * 30):
        assert admin.get(f"/shifts?{query}").status_code == 200


def test_an_import_says_what_it_added_changed_and_left(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        email = a_tutor()
    first = admin.post("/shifts/import", file=csv(row(1, email), row(2, email, start="21:00", end="25:30")),
                       create_classrooms="1")  # fmt: skip
    assert (first.status_code, first.location) == (303, "/shifts")
    page = text_of(admin.get("/shifts"))
    assert "Shifts: 2 added, 0 changed, 0 unchanged. New classrooms: 渋谷." in page
    admin.post("/shifts/import", file=csv(row(1, email, end="21:00"), row(2, email, start="21:00", end="25:30")))
    assert "Shifts: 0 added, 1 changed, 1 unchanged." in text_of(admin.get("/shifts"))


def test_a_faulty_file_lists_every_fault_with_its_line_and_stores_nothing(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        email = a_tutor()
    lines = csv(row(1, email), row(2, "nobody@example.jp"), row(3, email, date="tomorrow", status="maybe"))
    answer = admin.post("/shifts/import", file=lines, create_classrooms="1")
    assert answer.status_code == 422
    page = text_of(answer)
    assert "3 tutor_email No account has this e-mail address." in page
    assert "4 date Expected a date such as 2026-11-30." in page
    assert "4 status Expected one of: draft, confirmed." in page
    assert "november.csv" in page
    assert 'name="create_classrooms" value="1" checked' in answer.text
    with pages_app.app_context():
        assert (how_many(Shift), how_many(Classroom)) == (0, 0)


def test_a_form_without_a_file_says_so(admin: Visitor) -> None:
    answer = admin.post("/shifts/import")
    assert answer.status_code == 422
    assert "file Choose a CSV file." in text_of(answer)


def test_a_file_in_another_encoding_is_explained(admin: Visitor) -> None:
    answer = admin.post("/shifts/import", file=(io.BytesIO("氏名".encode("shift_jis")), "a.csv"))
    assert answer.status_code == 422
    assert "Expected a CSV file in UTF-8." in text_of(answer)


def test_the_example_file_can_be_imported(pages_app: Flask, admin: Visitor) -> None:
    example = admin.get("/shifts/example.csv")
    assert example.headers["Content-Disposition"] == "attachment; filename=shifts.csv"
    with pages_app.app_context(), writing() as tx:
        create_account(
            tx, email="sato@example.jp", name="佐藤", role="member", language="ja", password_hash=None
        )  # fmt: skip
    answer = admin.post("/shifts/import", file=(io.BytesIO(example.data), "shifts.csv"), create_classrooms="1")
    assert answer.status_code == 303
