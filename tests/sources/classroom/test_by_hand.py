"""What people do to shifts by hand, foreseen before it is done and written down after."""

from dataclasses import replace
from datetime import timedelta
from threading import Barrier, Thread

import pytest
from flask import Flask
from sqlalchemy import select

from app import audit
from app.accounts.models import Account
from app.audit import Actor
from app.clock import now
from app.extensions import db
from app.reach.models import LineLink
from app.sources.classroom.models import Shift, ShiftStatus
from app.sources.classroom.seen import mark_of
from app.sources.classroom.shifts import by_hand
from app.sources.classroom.shifts.by_hand import Done
from app.sources.classroom.shifts.clashes import clashes_between, clashes_with
from app.sources.classroom.shifts.edit import ShiftValues
from app.sources.classroom.shifts.foresight import misled_by_change, misled_by_deletion, misled_by_status
from app.sources.classroom.shifts.listing import get_shift, shifts_of, unreachable_tutors
from app.sources.classroom.shifts.tutors import tutors
from app.sources.classroom.telling.told import told_about
from app.transaction import writing
from tests.factories import all_deliveries, change, make_account, make_classroom, make_shift, make_tutor
from tests.web.classroom import seen_of, shift_now, told_of

ADMIN = Actor(None, "青木 葵")
HOUR = timedelta(hours=1)


def values_of(shift_id: int, **changes: object) -> ShiftValues:
    shift = shift_now(shift_id)
    values = {name: getattr(shift, name) for name in ShiftValues.__slots__} | changes
    return ShiftValues(**values | {"status": ShiftStatus(values["status"])})


def acts(shift_id: int) -> list[tuple[str, str]]:
    return [(entry.act, entry.actor_name) for entry in audit.entries("shift", shift_id)]


def test_each_act_is_written_down_with_who_did_it(app: Flask) -> None:
    values = values_of(make_shift(make_tutor()))
    with writing() as tx:
        made = by_hand.add_shift(tx, ADMIN, values)
    with writing() as tx:
        assert by_hand.change_shift(tx, ADMIN, made, replace(values, note="x"), mark_of(1, ""))
        assert not by_hand.change_shift(tx, ADMIN, made, replace(values, note="y"), mark_of(7, "x"))
        assert not by_hand.change_shift(tx, ADMIN, made, replace(values, note="y"), mark_of(1, ""))
        assert not by_hand.change_shift(tx, ADMIN, 777, values, mark_of(1, ""))
    for status, number in ((ShiftStatus.DRAFT, 1), (ShiftStatus.DRAFT, 0), (ShiftStatus.CONFIRMED, 1)):
        seen = {made: seen_of(made), 777: mark_of(1, "")}
        with writing() as tx:
            assert by_hand.set_status(tx, ADMIN, seen, status) == Done(number, 2 - number, 0)
    seen = {made: seen_of(made), 777: mark_of(1, "")}
    with writing() as tx:
        assert by_hand.delete_shifts(tx, ADMIN, seen) == Done(1, 1, 0)
        assert by_hand.delete_shifts(tx, ADMIN, seen) == Done(0, 2, 0)
    assert [act for act, who in acts(made) if who == "青木 葵"] == ["add", "change", "unconfirm", "confirm", "delete"]


def test_of_two_who_confirm_at_once_one_did_it(app: Flask) -> None:
    shift, together, done = make_shift(make_tutor(), status="draft"), Barrier(2), list[int]()
    seen = {shift: seen_of(shift)}
    db.session.close()

    def press() -> None:
        with app.app_context():
            together.wait()
            with writing() as tx:
                number = by_hand.set_status(tx, ADMIN, seen, ShiftStatus.CONFIRMED)
            done.append(number.done)

    both = [Thread(target=press) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert sorted(done) == [0, 1]
    assert len(acts(shift)) == 1


@pytest.mark.parametrize("meanwhile", [{"version": 2}, {"note": "theirs"}, {"deleted_at": now()}])
def test_what_changed_since_it_was_seen_is_left_alone_and_counted(app: Flask, meanwhile: dict[str, object]) -> None:
    same, other, so_already = (make_shift(make_tutor(), status=status) for status in ("draft", "draft", "confirmed"))
    seen = {one: seen_of(one) for one in (same, other, so_already)}
    change(Shift, other, **meanwhile)
    change(Shift, so_already, note="theirs")
    with writing() as tx:
        assert by_hand.set_status(tx, ADMIN, seen, ShiftStatus.CONFIRMED) == Done(1, 1, 1)
    assert [shift_now(one).status for one in seen] == ["confirmed", "draft", "confirmed"]
    assert [len(acts(one)) for one in seen] == [1, 0, 0]
    gone = "deleted_at" in meanwhile
    with writing() as tx:
        assert by_hand.delete_shifts(tx, ADMIN, seen) == Done(0, gone, 3 - gone)


@pytest.mark.parametrize("how", ["time", "tutor", "classroom", "unconfirm", "delete"])
def test_who_was_told_is_foreseen_to_be_misled_and_then_is_corrected(app: Flask, how: str) -> None:
    tutor, other, room = make_tutor(name="髙橋 花子"), make_tutor(), make_classroom()
    shift = make_shift(tutor, starts_in=5 * HOUR)
    told_of(shift)
    changed = {
        "time": values_of(shift, starts_at=now() + 6 * HOUR),
        "tutor": values_of(shift, tutor_id=other),
        "classroom": values_of(shift, classroom_id=room),
    }
    if how == "delete":
        misled = misled_by_deletion([shift])
    elif how == "unconfirm":
        misled = misled_by_status([shift], ShiftStatus.DRAFT)
    else:
        misled = misled_by_change(shift, changed[how])
    assert [(one.name, one.reachable) for one in misled] == [("髙橋 花子", True)]
    seen = seen_of(shift)
    with writing() as tx:
        if how == "delete":
            by_hand.delete_shifts(tx, ADMIN, {shift: seen})
        elif how == "unconfirm":
            by_hand.set_status(tx, ADMIN, {shift: seen}, ShiftStatus.DRAFT)
        else:
            by_hand.change_shift(tx, ADMIN, shift, changed[how], seen)
    assert [one.account_id for one in all_deliveries() if one.kind == "shift_correction"] == [tutor]


def test_nobody_is_misled_by_what_they_were_not_told_or_by_a_note(app: Flask) -> None:
    shift, untold = make_shift(make_tutor(), starts_in=5 * HOUR), make_shift(make_tutor(), starts_in=5 * HOUR)
    told_of(shift)
    assert misled_by_change(shift, values_of(shift, note="only this")) == []
    assert misled_by_deletion([untold, 777]) == []
    assert misled_by_status([shift], ShiftStatus.CONFIRMED) == []


def test_nobody_is_corrected_about_what_has_started(app: Flask) -> None:
    shift = make_shift(make_tutor(), starts_in=-HOUR)
    told_of(shift)
    assert misled_by_deletion([shift]) == []


def test_whoever_cannot_be_reached_is_named_as_such(app: Flask) -> None:
    tutor = make_tutor(name="髙橋 花子")
    shift = make_shift(tutor, starts_in=5 * HOUR)
    told_of(shift)
    change(LineLink, _link_of(tutor), enabled=False)
    assert [(one.name, one.reachable) for one in misled_by_deletion([shift])] == [("髙橋 花子", False)]


def _link_of(tutor: int) -> int:
    return db.session.scalars(select(LineLink.id).where(LineLink.account_id == tutor)).one()


def test_shifts_that_only_touch_do_not_clash_and_deleted_ones_never(app: Flask) -> None:
    tutor, at = make_tutor(), now().replace(microsecond=0) + 5 * HOUR
    one = make_shift(tutor, starts_at=at, ends_at=at + HOUR)
    inside = make_shift(tutor, starts_at=at + HOUR / 4, ends_at=at + HOUR / 2, status="draft")
    make_shift(tutor, starts_at=at + HOUR, ends_at=at + 2 * HOUR)
    make_shift(tutor, starts_at=at, ends_at=at + HOUR, deleted_at=at)
    make_shift(make_tutor(), starts_at=at, ends_at=at + HOUR)
    found = clashes_between(at - HOUR, at + 9 * HOUR)
    assert {shift: [clash.id for clash in clashes] for shift, clashes in found.items()} == {
        one: [inside], inside: [one]
    }  # fmt: skip
    assert [clash.id for clash in clashes_with(tutor, at, at + HOUR, None)] == [one, inside]
    assert [clash.id for clash in clashes_with(tutor, at, at + HOUR, one)] == [inside]


def test_a_clash_with_a_shift_that_began_before_the_view_is_seen(app: Flask) -> None:
    tutor, at = make_tutor(), now().replace(microsecond=0) + 30 * HOUR
    night = make_shift(tutor, starts_at=at - 3 * HOUR, ends_at=at + HOUR)
    morning = make_shift(tutor, starts_at=at, ends_at=at + 2 * HOUR)
    assert [clash.id for clash in clashes_between(at, at + HOUR)[morning]] == [night]
    assert night not in clashes_between(at, at + HOUR)
    assert [clash.id for clash in clashes_between(at - 4 * HOUR, at)[night]] == [morning]


def test_who_cannot_be_reached_comes_once_the_earliest_shift_first(app: Flask) -> None:
    late, soon, fine = make_account(name="late"), make_account(name="soon"), make_tutor()
    make_shift(late, starts_in=9 * HOUR)
    first = make_shift(late, starts_in=8 * HOUR)
    make_shift(soon, starts_in=HOUR)
    make_shift(fine, starts_in=HOUR)
    make_shift(make_account(), starts_in=HOUR, status="draft")
    make_shift(make_account(), starts_in=-HOUR)
    make_shift(make_account(), starts_in=HOUR, deleted_at=now())
    found = unreachable_tutors(now())
    assert [one.name for one in found] == ["soon", "late"]
    assert found[1].shift_id == first


def test_a_deleted_shift_is_found_alone_and_listed_nowhere(app: Flask) -> None:
    shift = make_shift(make_tutor(), deleted_at=now())
    assert shifts_of([shift]) == []
    line = get_shift(shift)
    assert line is not None
    assert line.deleted
    assert get_shift(777) is None


def test_only_active_accounts_are_offered_and_the_one_that_has_the_shift(app: Flask) -> None:
    one, gone = make_account(name="B"), make_account(name="A", role="staff")
    change(Account, gone, active=False)
    assert list(tutors()) == [one]
    assert list(tutors(besides=gone)) == [gone, one]


def test_what_was_told_is_found_by_what_the_message_was_about(app: Flask) -> None:
    tutor = make_tutor()
    shift = make_shift(tutor)
    told_of(shift)
    told_of(make_shift(tutor))
    assert list(told_about([shift, 777])) == [(shift, tutor, "shift_reminder", 1)]
