"""Bringing shifts in from a file: what it would do is shown first."""

import io
import re
from datetime import timedelta

import pytest
import time_machine
from flask import Flask
from sqlalchemy import func, select
from werkzeug.test import TestResponse

from app import audit
from app.accounts.create import create_account
from app.accounts.models import Account
from app.clock import now
from app.extensions import db
from app.sources.classroom.models import Classroom, ImportFile, Shift
from app.transaction import writing
from tests.factories import change, make_account, make_classroom, make_tutor
from tests.web.classroom import shift_now, shift_on, switch_line_off, told_of, tomorrow
from tests.web.visitor import Visitor, text_of

HEADER = "external_id,tutor_email,classroom,date,start,end,status,note\r\n"


def csv(*lines: str) -> tuple[io.BytesIO, str]:
    """An uploaded file."""
    return io.BytesIO((HEADER + "\r\n".join(lines)).encode()), "november.csv"


def row(number: int, email: str, **changes: str) -> str:
    """One line of a file: a shift of tomorrow."""
    cells = {"id": f"X-{number}", "email": email, "classroom": "渋谷", "date": tomorrow().isoformat(),
             "start": "17:00", "end": "20:00", "status": "confirmed", "note": ""} | changes  # fmt: skip
    return ",".join(cells.values())


def how_many(table: type[Shift] | type[Classroom] | type[ImportFile]) -> int:
    db.session.rollback()
    return db.session.scalar(select(func.count()).select_from(table)) or 0


def email_of(account: int) -> str:
    return db.session.get_one(Account, account).email


def shown(admin: Visitor, *lines: str) -> str:
    """The address of the preview of a file with these lines."""
    answer = admin.post("/shifts/import", file=csv(*lines), create_classrooms="1")
    assert answer.status_code == 303, text_of(answer)
    return answer.location


def confirm(admin: Visitor, preview: str) -> TestResponse:
    """Look at the preview, and press the button."""
    found = re.search(r'name="seen" value="([^"]+)"', admin.get(preview).text)
    return admin.post(preview, seen=found.group(1) if found else "")


def test_what_would_be_added_changed_and_left_is_shown_and_nothing_stored(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        email = email_of(make_account(name="髙橋 花子"))
    page = text_of(admin.get(shown(admin, row(1, email), row(2, email, start="21:00", end="25:30"))))
    assert "november.csv · 2 to add, 0 to change, 0 that stay as they are" in page
    assert "New classrooms: 渋谷." in page
    assert "21:00–01:30 (next day), 渋谷 (髙橋 花子)" in page
    with pages_app.app_context():
        assert (how_many(Shift), how_many(Classroom), how_many(ImportFile)) == (0, 0, 1)


def test_it_is_imported_once_and_written_down(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        email = email_of(make_account(name="髙橋 花子"))
    preview = shown(admin, row(1, email))
    assert confirm(admin, preview).location == "/shifts"
    page = text_of(admin.get("/shifts"))
    assert "Shifts: 1 added, 0 changed, 0 unchanged. New classrooms: 渋谷." in page
    second = confirm(admin, preview)
    for over in (second, admin.get(preview)):  # Back leads to the preview
        assert over.status_code == 410
        assert "This file was imported Its shifts were stored at" in text_of(over)
        assert "Nothing was stored" not in text_of(over)
        assert 'class="button primary" href="/shifts"' in over.text
    assert admin.post(f"{preview}/drop").status_code == 404
    with pages_app.app_context():
        assert how_many(Shift) == 1
        assert db.session.execute(select(ImportFile.name, ImportFile.data)).all() == [("", b"")]
        admin_id = db.session.scalar(select(Account.id).where(Account.name == "admin Aoki"))
        assert admin_id is not None
        assert [one.detail["added"] for one in audit.entries("account", admin_id)] == [1]


def test_a_change_is_shown_old_and_new_with_who_is_corrected(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        tutor = make_tutor(name="髙橋 花子")
        shift = shift_on(tomorrow(), tutor, external_id="X-1")
        told_of(shift)
        email, room = email_of(tutor), db.session.get_one(Classroom, shift_now(shift).classroom_id).name
    page = text_of(admin.get(shown(admin, row(1, email, classroom=room, start="18:00", end="21:00"))))
    assert "0 to add, 1 to change" in page
    assert page.index("17:00–20:00") < page.index("18:00–21:00") < page.index("髙橋 花子", page.index("18:00–21:00"))


def test_a_file_that_changes_nothing_says_so(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        email = email_of(make_account())
    confirm(admin, shown(admin, row(1, email)))
    page = admin.get(shown(admin, row(1, email)))
    assert "This file changes nothing." in text_of(page)
    assert ">Import shifts</button>" not in page.text


def test_a_preview_can_be_given_up(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        email = email_of(make_account())
    preview = shown(admin, row(1, email))
    assert admin.post(f"{preview}/drop").location == "/shifts/import"
    assert "Nothing was imported, and the file is forgotten." in text_of(admin.get("/shifts/import"))
    over = admin.get(preview)
    assert (over.status_code, "It was given up, or an hour is over." in text_of(over)) == (410, True)
    assert admin.post(f"{preview}/drop").status_code == 404


def test_a_file_is_its_uploaders_alone_and_kept_for_an_hour(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        email = email_of(make_account())
        other = Visitor(pages_app, make_account("admin", language="en"))
    preview = shown(admin, row(1, email))
    assert (other.get(preview).status_code, other.post(preview).status_code) == (410, 410)
    with time_machine.travel(now() + timedelta(minutes=61)):
        assert admin.post(preview).status_code == 410
    assert admin.get("/shifts/import/no-such-token").status_code == 410


def test_what_is_gone_since_the_preview_is_explained(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        room = make_classroom()
        email, name = email_of(make_account()), db.session.get_one(Classroom, room).name
    answer = admin.post("/shifts/import", file=csv(row(1, email, classroom=name)))
    admin.post(f"/settings/classrooms/{room}", name="改名")
    for refused in (admin.get(answer.location), admin.post(answer.location)):
        assert refused.status_code == 422
        assert "No classroom has this name." in text_of(refused)


def test_a_faulty_file_lists_every_fault_with_its_line_and_keeps_nothing(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        email = email_of(make_account())
    lines = csv(row(1, email), row(2, "nobody@example.jp"), row(3, email, date="tomorrow", status="maybe"))
    answer = admin.post("/shifts/import", file=lines, create_classrooms="1")
    assert answer.status_code == 422
    page = text_of(answer)
    assert "3 tutor_email No account has this e-mail address." in page
    assert "4 date Expected a date such as 2026-11-30" in page
    assert "4 status Expected one of: " in page
    assert "november.csv" in page
    assert 'name="create_classrooms" value="1" checked' in answer.text
    with pages_app.app_context():
        assert (how_many(Shift), how_many(Classroom), how_many(ImportFile)) == (0, 0, 0)


def test_what_somebody_changed_after_the_preview_is_shown_again_and_stays(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        tutor = make_tutor(name="髙橋 花子")
        shift = shift_on(tomorrow(), tutor, external_id="X-1", note="鍵")
        email, room = email_of(tutor), db.session.get_one(Classroom, shift_now(shift).classroom_id).name
    preview = shown(admin, row(1, email, classroom=room, end="21:00", note="鍵"))
    page = admin.get(preview)
    with pages_app.app_context():
        change(Shift, shift, note="theirs")
    found = re.search(r'name="seen" value="([^"]+)"', page.text)
    assert found is not None
    for seen in (found.group(1), ""):
        answer = admin.post(preview, seen=seen)
        assert answer.status_code == 409
        assert "Nothing was imported: since you saw the preview, something has changed" in text_of(answer)
        assert "theirs" in text_of(answer)
        with pages_app.app_context():
            assert (shift_now(shift).note, shift_now(shift).version) == ("theirs", 1)
    assert confirm(admin, preview).status_code == 303
    with pages_app.app_context():
        assert (shift_now(shift).note, shift_now(shift).version) == ("鍵", 2)


def test_tutors_who_cannot_be_reached_are_named_first_with_the_way_to_them(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        none, off, on = make_account(name="Nora"), make_tutor(name="Otto"), make_tutor(name="Olga")
        switch_line_off(off)
        lines = [row(number, email_of(tutor)) for number, tutor in enumerate((none, off, on))]
    page = admin.get(shown(admin, *lines)).text
    warned = page.partition('id="unreachable"')[2].partition("</details>")[0]
    assert "2 tutors of this file cannot be reached by LINE" in warned
    assert f'<a href="/settings/accounts/{none}">Nora</a>' in warned
    assert f'<a href="/settings/accounts/{off}">Otto</a>' in warned
    assert "Olga" not in warned
    assert page.index('id="unreachable"') < page.index(">Import shifts</button>")


def test_two_shifts_at_once_are_named_first_with_the_way_to_them(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        tutor = make_tutor(name="髙橋 花子")
        there = shift_on(tomorrow(), tutor, "19:00", "21:00", status="draft")
        email = email_of(tutor)
    page = admin.get(shown(admin, row(1, email), row(2, email, start="21:00", end="22:00"))).text
    warned = page.partition('id="clashes"')[2].partition("</details>")[0]
    assert "1 time a tutor would have two shifts at once" in warned
    assert "17:00–20:00, 渋谷" in warned
    assert re.search(rf'<a href="/shifts/{there}">[^<]*19:00–21:00', warned)
    assert page.index('id="clashes"') < page.index(">Import shifts</button>")
    assert 'id="unreachable"' not in page


def test_of_20_000_faults_the_first_are_shown_and_the_rest_counted(pages_app: Flask, admin: Visitor) -> None:
    answer = admin.post("/shifts/import", file=csv(*(row(number, "nobody@example.jp") for number in range(1, 20_001))))
    answer.request.environ["wsgi.input"].close()  # a file of the test client's own
    assert answer.status_code == 422
    assert len(answer.data) < 200_000
    assert "201 tutor_email" not in text_of(answer)
    # Each line names nobody, and no classroom that there is.
    assert re.search(r"and [0-9]{5} more places; they are shown when these are mended.", text_of(answer))


def test_a_form_without_a_file_says_so(admin: Visitor) -> None:
    answer = admin.post("/shifts/import")
    assert answer.status_code == 422
    assert "Nothing was stored Choose a CSV file." in text_of(answer)
    assert "<code>file</code>" not in answer.text


def test_each_column_is_shown_with_both_of_its_names(admin: Visitor) -> None:
    page = text_of(admin.get("/shifts/import"))
    assert "講師メール tutor_email 教室 classroom 日付 date 開始 start" in page
    assert "終了 end 状態 status 備考 note (optional) ID external_id (optional)" in page


@pytest.mark.parametrize(
    ("language", "headings", "confirmed"),
    [
        ("en", "tutor_email,classroom,date,start,end,status,note,external_id", "confirmed"),
        ("ja", "講師メール,教室,日付,開始,終了,状態,備考,ID", "確定"),
    ],
)
def test_the_example_file_is_in_the_readers_language_and_can_be_imported(
    pages_app: Flask, admin: Visitor, language: str, headings: str, confirmed: str
) -> None:
    admin.post("/language", language=language)
    example = admin.get("/shifts/example.csv")
    assert example.headers["Content-Disposition"] == "attachment; filename=shifts.csv"
    cells = f"sato@example.jp,渋谷,{tomorrow()},17:00,20:00,{confirmed},,A-101"
    assert example.data.decode("utf-8-sig") == f"{headings}\r\n{cells}\r\n"
    with pages_app.app_context(), writing() as tx:
        create_account(
            tx, email="sato@example.jp", name="佐藤", role="member", language="ja", password_hash=None
        )  # fmt: skip
    answer = admin.post("/shifts/import", file=(io.BytesIO(example.data), "shifts.csv"), create_classrooms="1")
    assert confirm(admin, answer.location).status_code == 303
    with pages_app.app_context():
        assert [(one.external_id, one.status) for one in db.session.scalars(select(Shift))] == [("A-101", "confirmed")]


def test_a_line_that_cannot_be_read_names_no_column(admin: Visitor) -> None:
    answer = admin.post("/shifts/import", file=(io.BytesIO(HEADER.encode() + b"X-1,\x81\xff\xff\r\n"), "november.csv"))
    assert answer.status_code == 422
    assert '<td class="number" data-label="Line">2</td><td></td>' in answer.text


def test_previews_are_shut_to_staff(staff: Visitor) -> None:
    assert staff.get("/shifts/import/token").status_code == 403
    assert staff.post("/shifts/import/token").status_code == 403
