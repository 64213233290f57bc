"""The shifts of a month or a day: who can be told, and what they were told."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from urllib.parse import urlencode

from flask import render_template, request, url_for
from flask_login import current_user

from app.clock import now
from app.codes import CANCELLATIONS
from app.i18n import language
from app.sources.classroom.shifts.clashes import clashes_between
from app.sources.classroom.shifts.listing import classroom_names, shifts_between, unreachable_tutors
from app.web import words
from app.web.days import midnight, read_day
from app.web.guards import STAFF, Pages, may_enter
from app.web.months import Month, month_of, read_month, today
from app.web.shift_rows import ShiftRow, shift_rows

FEW = 3
"""Tutors whose names are shown at once; of more only the number is, until it is opened."""

pages = Pages("shifts", open_to=STAFF)


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for. `day` is None for the whole month; a day, month or classroom that is none is left out."""

    day: date | None
    month: Month
    classroom: int | None
    classrooms: Mapping[int, str]
    ticked: str

    def address(self, **changes: str | int | date | Month | None) -> str:
        """The address of this view with some of it changed. A day stands for its month too."""
        shown = {"day": self.day, "month": self.month, "classroom": self.classroom} | changes
        left_out = "month" if shown["day"] else "day"
        query = urlencode({name: str(value) for name, value in shown.items() if value and name != left_out})
        return f"{url_for('shifts.index')}?{query}"

    @property
    def here(self) -> str:
        """The address of this view."""
        return self.address()


@dataclass(frozen=True, slots=True)
class Day:
    """One day of the month with its shifts. `lead` is its day of the week, Monday being 1."""

    date: date
    is_today: bool
    lead: int
    shifts: Sequence[ShiftRow]


@pages.get("/shifts")
def index() -> str:
    """This month, or the month or day in the address."""
    asked = _asked()
    rows = _rows(asked)
    missed = [(one, CANCELLATIONS[one.why].cause) for one in unreachable_tutors(now())]
    return render_template(
        "shifts/index.html",
        asked=asked,
        name=asked.month.written(language()),
        rows=rows,
        days=None if asked.day else _days(asked.month, rows),
        ticked=_ticked(asked, rows),
        drafts=sum(not row.confirmed for row in rows),
        missed=missed,
        few_missed=len(missed) <= FEW,
        today=today(),
        neighbours=_neighbours(asked),
        may_edit=may_enter(current_user.role, "shift_edits"),
        may_see_accounts=may_enter(current_user.role, "accounts"),
        may_see_deliveries=may_enter(current_user.role, "delivery"),
        words=words,
    )


def _asked() -> Asked:
    day = read_day(request.args.get("day", ""))
    month = read_month(request.args.get("month", "")) or month_of(today())
    classrooms = classroom_names()
    classroom = next((key for key in classrooms if str(key) == request.args.get("classroom")), None)
    return Asked(day, month_of(day) if day else month, classroom, classrooms, request.args.get("ticked", ""))


def _rows(asked: Asked) -> list[ShiftRow]:
    start = midnight(asked.day) if asked.day else asked.month.begins_at
    before = midnight(asked.day + timedelta(days=1)) if asked.day else asked.month.after.begins_at
    return shift_rows(shifts_between(start, before, asked.classroom), clashes_between(start, before))


def _days(month: Month, rows: Sequence[ShiftRow]) -> list[Day]:
    by_day = {day: list(of_day) for day, of_day in groupby(rows, key=lambda row: row.day)}
    return [Day(day, day == today(), day.isoweekday(), by_day.get(day, [])) for day in month.days]


def _ticked(asked: Asked, rows: Sequence[ShiftRow]) -> Collection[int]:
    """The rows to be ticked from the start, for whoever has no script to tick them with."""
    return {row.id for row in rows if asked.ticked == "all" or (asked.ticked == "drafts" and not row.confirmed)}


def _neighbours(asked: Asked) -> tuple[str, str]:
    """The addresses of the view before and the view after."""
    if asked.day is None:
        return asked.address(month=asked.month.before), asked.address(month=asked.month.after)
    one = timedelta(days=1)
    return asked.address(day=asked.day - one), asked.address(day=asked.day + one)
