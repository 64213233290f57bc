"""What the page of shifts is given."""

from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import select

from app.accounts.models import Account
from app.clock import now
from app.codes import CancelReason
from app.extensions import db
from app.faults import InvalidInput
from app.reach.models import LineLink
from app.sources.classroom.classrooms import create_classroom
from app.sources.classroom.models import Shift
from app.sources.classroom.shifts.listing import classroom_names, is_known, shifts_between
from app.transaction import writing
from tests.factories import change, make_account, make_shift, make_tutor

HOUR = timedelta(hours=1)


def test_shifts_are_listed_by_their_start_from_the_first_instant_until_before_the_last(app: Flask) -> None:
    tutor, start = make_tutor(name="髙橋"), now()
    late, early, before, after = (make_shift(tutor, starts_in=HOUR * hours) for hours in (3, 2, 1, 4))
    for shift, hours in ((late, 3), (early, 2), (before, 1), (after, 4)):
        change(Shift, shift, starts_at=start + HOUR * hours)
    make_shift(tutor, starts_in=HOUR * 2.5, deleted_at=start)
    listed = shifts_between(start + HOUR * 2, start + HOUR * 4)
    assert [line.id for line in listed] == [early, late]
    assert (listed[0].tutor, listed[0].version, listed[0].unreachable) == ("髙橋", 1, None)


def test_one_classroom_can_be_picked(app: Flask) -> None:
    tutor = make_tutor()
    first, _ = make_shift(tutor), make_shift(tutor)
    record = db.session.get_one(Shift, first)
    listed = shifts_between(now(), now() + HOUR * 5, record.classroom_id)
    assert [line.id for line in listed] == [first]
    assert classroom_names()[record.classroom_id] == listed[0].classroom
    assert list(classroom_names().values()) == sorted(classroom_names().values())


def test_a_tutor_who_would_get_no_reminder_is_marked_with_the_reason(app: Flask) -> None:
    unlinked, inactive, switched_off = make_account(), make_tutor(), make_tutor()
    change(Account, inactive, active=False)
    link = db.session.scalars(select(LineLink.id).where(LineLink.account_id == switched_off)).one()
    change(LineLink, link, enabled=False)
    shifts = {make_shift(tutor): tutor for tutor in (unlinked, inactive, switched_off)}
    reasons = {shifts[line.id]: line.unreachable for line in shifts_between(now(), now() + HOUR * 5)}
    off = CancelReason.LINE_DISABLED
    assert reasons == {unlinked: off, inactive: CancelReason.RECIPIENT_DISABLED, switched_off: off}


def test_a_known_external_id_is_found(app: Flask) -> None:
    make_shift(make_tutor(), external_id="S1", deleted_at=now())
    assert (is_known("S1"), is_known("S2")) == (True, False)


@pytest.mark.parametrize("name", ["", "  ", "a" * 101, "a\nb", "a\0b"])
def test_a_classroom_needs_a_name_of_one_line(app: Flask, name: str) -> None:
    with pytest.raises(InvalidInput), writing() as tx:
        create_classroom(tx, name)
    assert classroom_names() == {}


def test_a_name_is_taken_only_once(app: Flask) -> None:
    with writing() as tx:
        made = create_classroom(tx, " 渋谷　本校 ")
    with pytest.raises(InvalidInput), writing() as tx:
        create_classroom(tx, "渋谷　本校")
    assert classroom_names() == {made: "渋谷　本校"}
