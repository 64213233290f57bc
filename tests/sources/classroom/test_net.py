"""The reminder scan as the net under whatever changed a shift: it finds what was told and is no longer so."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from flask import Flask
from sqlalchemy import insert, select

from app.clock import now
from app.extensions import db
from app.outbox.models import Attempt, Delivery
from app.sources.classroom.models import Shift, ShiftTold
from app.sources.classroom.shifts.versions import keep_versions
from app.sources.classroom.telling.tell import remind
from app.transaction import writing
from tests.factories import change, make_shift, make_tutor, only_delivery

NOW = datetime(2026, 11, 30, 8, tzinfo=UTC)
HOUR = timedelta(hours=1)
START = NOW + 2 * HOUR


def _was_told(shift_id: int) -> None:
    reminder, shift = only_delivery(), db.session.get(Shift, shift_id)
    assert shift is not None
    said = {"classroom_id": shift.classroom_id, "starts_at": shift.starts_at, "ends_at": shift.ends_at, "at": now()}
    about = {"shift_id": shift_id, "account_id": shift.tutor_id, "kind": reminder.kind, "version": 1}
    change(Delivery, reminder.id, state="sent")
    with writing() as tx:
        tx.session.execute(insert(ShiftTold).values(**about, **said))


def _may_have_been_told(_shift_id: int) -> None:
    reminder = only_delivery()
    change(Delivery, reminder.id, state="failed")
    tried = {"number": 1, "trigger": "auto", "started_at": now(), "may_have_arrived": True}
    with writing() as tx:
        tx.session.execute(insert(Attempt).values(delivery_id=reminder.id, **tried))


@pytest.mark.parametrize("told", [_was_told, _may_have_been_told])
@pytest.mark.parametrize(
    ("at", "new_start", "corrections"),
    [
        (NOW + HOUR, START + 24 * HOUR, 1),
        (START + HOUR, START + 24 * HOUR, 1),  # what was told is over, and what is new lies ahead
        (NOW + HOUR, NOW + HOUR / 2, 1),  # what was told lies ahead, and what is new is over
        (START + HOUR, START - HOUR, 0),
        (NOW + HOUR, START, 0),
    ],
)
def test_what_was_told_and_changed_is_corrected_as_long_as_either_lies_ahead(
    app: Flask, told: Callable[[int], None], at: datetime, new_start: datetime, corrections: int
) -> None:
    with time_machine.travel(NOW, tick=False):
        shift = make_shift(make_tutor(), starts_in=2 * HOUR)
        remind()
        told(shift)
    with time_machine.travel(at, tick=False):
        change(Shift, shift, version=2, starts_at=new_start, ends_at=new_start + 3 * HOUR)
        with writing() as tx:
            keep_versions(tx, [shift])
        remind()
        db.session.rollback()
        kinds = db.session.scalars(select(Delivery.kind)).all()
        assert kinds.count("shift_correction") == corrections
