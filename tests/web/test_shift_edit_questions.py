"""What is said before a changed shift is saved, and when somebody else was faster."""

from flask import Flask

from app.clock import now
from app.sources.classroom.models import Shift
from tests.factories import all_deliveries, change, make_tutor
from tests.web.classroom import agreed_in, fields_of, seen_of, shift_now, shift_on, switch_line_off, told_of, tomorrow
from tests.web.visitor import Visitor, text_of


def test_who_would_be_corrected_is_said_before_it_is_saved(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        shift = shift_on(tomorrow(), make_tutor(name="髙橋 花子"))
        told_of(shift)
        fields = fields_of(shift, start="18:00")
    asked = admin.post(f"/shifts/{shift}/edit", **fields)
    assert asked.status_code == 200
    assert "髙橋 花子 has already been told and gets a correction by LINE at once." in text_of(asked)
    with pages_app.app_context():
        assert shift_now(shift).version == 1
    assert admin.post(f"/shifts/{shift}/edit", **fields, agreed=agreed_in(asked.text)).status_code == 303
    with pages_app.app_context():
        assert [one.kind for one in all_deliveries()] == ["shift_reminder", "shift_correction"]


def test_somebody_told_who_cannot_be_reached_any_more_is_named(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        tutor = make_tutor(name="髙橋 花子")
        shift = shift_on(tomorrow(), tutor)
        told_of(shift)
        switch_line_off(tutor)
        fields = fields_of(shift, status="draft")
    assert "髙橋 花子 has already been told and cannot be reached by LINE now: tell them yourself." in text_of(
        admin.post(f"/shifts/{shift}/edit", **fields)
    )


def test_only_a_note_needs_no_question(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        shift = shift_on(tomorrow(), make_tutor())
        told_of(shift)
        fields = fields_of(shift, note="新しいメモ")
    assert admin.post(f"/shifts/{shift}/edit", **fields).status_code == 303


def test_a_shift_that_changed_meanwhile_shows_both(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        shift = shift_on(tomorrow(), make_tutor())
        fields = fields_of(shift, start="18:30")
        change(Shift, shift, version=2, note="theirs")
    answer = admin.post(f"/shifts/{shift}/edit", **fields)
    assert answer.status_code == 409
    assert "Somebody has changed this shift since you opened it. Nothing was saved." in text_of(answer)
    assert "theirs" in text_of(answer)
    assert 'name="start" value="18:30"' in answer.text
    with pages_app.app_context():
        assert shift_now(shift).version == 2
        seen = seen_of(shift)
    assert f'name="seen" value="{seen}"' in answer.text
    assert admin.post(f"/shifts/{shift}/edit", **fields | {"seen": seen}).status_code == 303


def test_of_two_who_edit_only_the_note_the_second_is_shown_the_first(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        shift = shift_on(tomorrow(), make_tutor())
        mine, theirs = fields_of(shift, note="mine"), fields_of(shift, note="theirs")
    assert admin.post(f"/shifts/{shift}/edit", **theirs).status_code == 303
    answer = admin.post(f"/shifts/{shift}/edit", **mine)
    assert answer.status_code == 409
    assert "Somebody has changed this shift since you opened it. Nothing was saved." in text_of(answer)
    assert "· theirs" in text_of(answer)
    assert ">mine</textarea>" in answer.text
    with pages_app.app_context():
        assert (shift_now(shift).version, shift_now(shift).note) == (1, "theirs")


def test_a_shift_that_was_deleted_meanwhile_says_so(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        shift = shift_on(tomorrow(), make_tutor())
        fields = fields_of(shift)
        change(Shift, shift, deleted_at=now())
    for answer in (admin.get(f"/shifts/{shift}/edit"), admin.post(f"/shifts/{shift}/edit", **fields)):
        assert answer.status_code == 409
        assert "This shift was deleted" in text_of(answer)
