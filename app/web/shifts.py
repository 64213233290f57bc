"""The shifts of the coming days: who can be told, and what they were told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby

from flask import render_template, request
from flask_login import current_user

from app.clock import now
from app.codes import CANCELLATIONS, Words
from app.i18n import zone
from app.outbox import queries
from app.outbox.state import State
from app.sources.classroom.listing import ShiftLine, classroom_names, shifts_between
from app.sources.classroom.models import ShiftStatus
from app.web import words
from app.web.days import midnight, read_day
from app.web.guards import STAFF, Pages, may_enter

DAYS = 7

pages = Pages("shifts", open_to=STAFF)


@dataclass(frozen=True, slots=True)
class ShiftRow:
    """One shift. `unreachable` says why its tutor would not be told; `told` are its deliveries, newest first."""

    id: int
    starts_at: datetime
    ends_at: datetime
    overnight: bool
    tutor: str
    classroom: str
    confirmed: bool
    note: str
    unreachable: Words | None
    told: Sequence[tuple[int, State]]


@dataclass(frozen=True, slots=True)
class Week:
    """Seven days from `first`; days without a shift are left out."""

    first: datetime
    last: datetime
    earlier: date
    later: date
    days: Sequence[tuple[datetime, Sequence[ShiftRow]]]


@pages.get("/shifts")
def index() -> str:
    """A week from today, or from the day in the address; a day or classroom that is none is today and all."""
    today = now().astimezone(zone()).date()
    first = read_day(request.args.get("from", "")) or today
    classrooms = classroom_names()
    classroom = next((key for key in classrooms if str(key) == request.args.get("classroom")), None)
    return render_template(
        "shifts/index.html",
        week=_week(first, classroom),
        first_day=first,
        classrooms=classrooms,
        chosen=classroom,
        narrowed=first != today or classroom is not None,
        may_import=may_enter(current_user.role, "shift_imports"),
        may_see_deliveries=may_enter(current_user.role, "delivery"),
        words=words,
    )


def _week(first: date, classroom: int | None) -> Week:
    week = timedelta(days=DAYS)
    lines = shifts_between(midnight(first), midnight(first + week), classroom)
    told = {
        shift_id: [(delivery.id, State(delivery.state)) for delivery in deliveries]
        for shift_id, deliveries in queries.about("shift", [line.id for line in lines]).items()
    }
    days = [
        (midnight(day), [_row(line, told) for line in of_day])
        for day, of_day in groupby(lines, key=lambda line: _local_day(line.starts_at))
    ]
    last = first + week - timedelta(days=1)
    return Week(midnight(first), midnight(last), first - week, first + week, days)


def _row(line: ShiftLine, told: Mapping[int, Sequence[tuple[int, State]]]) -> ShiftRow:
    return ShiftRow(
        id=line.id,
        starts_at=line.starts_at,
        ends_at=line.ends_at,
        overnight=_local_day(line.ends_at) != _local_day(line.starts_at),
        tutor=line.tutor,
        classroom=line.classroom,
        confirmed=line.status is ShiftStatus.CONFIRMED,
        note=line.note,
        unreachable=CANCELLATIONS[line.unreachable] if line.unreachable else None,
        told=told[line.id],
    )


def _local_day(instant: datetime) -> date:
    return instant.astimezone(zone()).date()
