"""Which shift table is drawn, and what its edges say: title, days and footer."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_datetime
from flask_babel import gettext as _

_MONTH = {"ja": "M月", "en": "MMMM y"}
_MOMENT = {"ja": "y年M月d日(E) HH:mm", "en": "EEE d MMM y, HH:mm"}


@dataclass(frozen=True, slots=True)
class Edition:
    """Which table is drawn: of one classroom, or of all for None; for readers of `language`; `drawn_at` an instant."""

    year: int
    month: int
    classroom: str | None
    language: str
    zone: ZoneInfo
    revision: int
    drawn_at: datetime

    @property
    def dates(self) -> list[date]:
        """Every day of the month."""
        _weekday, length = monthrange(self.year, self.month)
        return [date(self.year, self.month, number) for number in range(1, length + 1)]


class DayKind(StrEnum):
    """What a wall calendar shows by a colour."""

    WEEKDAY = "weekday"
    SATURDAY = "saturday"
    SUNDAY = "sunday"


@dataclass(frozen=True, slots=True)
class Day:
    """The head of one column."""

    number: str
    weekday: str
    kind: DayKind


def title(edition: Edition) -> str:
    """The month and the classroom."""
    month = format_date(date(edition.year, edition.month, 1), _MONTH[edition.language], locale=edition.language)
    if edition.classroom is None:
        return str(_("Shifts, %(month)s – all classrooms", month=month))
    return str(_("Shifts, %(month)s – %(classroom)s", month=month, classroom=edition.classroom))


def days(edition: Edition) -> list[Day]:
    """The heads of the month's days."""
    kinds = {5: DayKind.SATURDAY, 6: DayKind.SUNDAY}
    return [
        Day(
            number=str(day.day),
            weekday=format_date(day, "ccc", locale=edition.language),
            kind=kinds.get(day.weekday(), DayKind.WEEKDAY),
        )
        for day in edition.dates
    ]


def footer(edition: Edition) -> str:
    """Which revision this is, and when it was drawn: somebody may have an older one on the wall."""
    local = edition.drawn_at.astimezone(edition.zone)
    moment = format_datetime(local, _MOMENT[edition.language], tzinfo=edition.zone, locale=edition.language)
    return str(_("Revision %(revision)s, drawn %(moment)s", revision=edition.revision, moment=moment))
