"""Shifts, classrooms and groups as the pages find them."""

from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import select

from app.clock import now
from app.extensions import db
from app.outbox.models import Delivery
from app.outbox.state import State
from app.reach.groups import add_group
from app.reach.models import LineLink
from app.sources.classroom.kinds import ShiftReminder
from app.sources.classroom.models import Classroom, Shift, ShiftTold
from app.sources.classroom.seen import mark_of
from app.sources.classroom.shifts.spans import span
from app.transaction import writing
from tests.factories import change, make_delivery, make_shift

TOKYO = ZoneInfo("Asia/Tokyo")
"""The zone of the tests' settings."""

GROUP_ID = "C" + "0" * 28 + "beef"


def tomorrow() -> date:
    """Tomorrow's date here."""
    return (now().astimezone(TOKYO) + timedelta(days=1)).date()


def next_month() -> date:
    """The first day of the month after this one here."""
    today = tomorrow() - timedelta(days=1)
    return (today.replace(day=1) + timedelta(days=32)).replace(day=1)


def shift_on(day: date, tutor: int, start: str = "17:00", end: str = "20:00", **changes: Any) -> int:
    """A confirmed shift as people write it down, and its id."""
    starts_at, ends_at = span(day.isoformat(), start, end)
    return make_shift(tutor, starts_at=starts_at, ends_at=ends_at, **changes)


def shift_now(shift_id: int) -> Shift:
    """The shift as it stands in the database."""
    db.session.rollback()
    return db.session.get_one(Shift, shift_id, populate_existing=True)


def seen_of(shift_id: int) -> str:
    """The mark of the shift as it stands."""
    shift = shift_now(shift_id)
    return mark_of(shift.version, shift.note)


def as_seen(shift_id: int) -> str:
    """What the forms say of the shift as it stands."""
    return f"{shift_id}.{seen_of(shift_id)}"


def fields_of(shift_id: int, **changes: str) -> dict[str, Any]:
    """The form of a shift, filled in as it stands, with these changes."""
    shift = shift_now(shift_id)
    start, end = shift.starts_at.astimezone(TOKYO), shift.ends_at.astimezone(TOKYO)
    fields = {
        "tutor": str(shift.tutor_id), "classroom": str(shift.classroom_id), "date": start.date().isoformat(),
        "start": f"{start:%H:%M}", "end": f"{end:%H:%M}", "status": shift.status, "note": shift.note,
        "seen": seen_of(shift_id),
    }  # fmt: skip
    return fields | changes


def told_of(shift_id: int) -> int:
    """As if its tutor was reminded of the shift as it stands; the id of the delivery."""
    shift = shift_now(shift_id)
    tutor, version, start, end = shift.tutor_id, shift.version, shift.starts_at, shift.ends_at
    sent = make_delivery(
        tutor, kind=ShiftReminder.name, subject_type="shift", subject_id=shift_id, subject_version=version,
        account_id=tutor, address_label="髙橋 花子",
    )  # fmt: skip
    change(Delivery, sent, state=State.SENT, finished_at=now())
    said: dict[str, datetime | int] = {
        "classroom_id": shift.classroom_id,
        "starts_at": start,
        "ends_at": end,
        "at": now(),
    }
    with writing() as tx:
        tx.session.add(ShiftTold(shift_id=shift_id, account_id=tutor, kind=ShiftReminder.name, version=version, **said))
    return sent


def give_group(classroom: int, line_group_id: str = GROUP_ID, name: str = "渋谷グループ") -> int:
    """A LINE group for the tables of a classroom, and its id."""
    with writing() as tx:
        group = add_group(tx, line_group_id, name, "ja")
    change(Classroom, classroom, group_id=group)
    return group


def agreed_in(page: str) -> list[str]:
    """What the form of a page says was read."""
    return [part.partition('"')[0] for part in page.split('name="agreed" value="')[1:]]


def switch_line_off(tutor: int) -> None:
    """The tutor's own switch."""
    link = db.session.scalars(select(LineLink.id).where(LineLink.account_id == tutor)).one()
    change(LineLink, link, enabled=False)
