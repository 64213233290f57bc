"""When a shift is: a local day and two times of day as people write them, made into instants."""

import re
from datetime import UTC, date, datetime, timedelta
from datetime import time as time_of_day

from flask_babel import gettext as _

from app.faults import Fault, InvalidInput
from app.i18n import zone

DAY = 24 * 60
LATEST = 2 * DAY - 1
"""Minutes: 47:59, the last minute of the next day."""
LONGEST_NIGHT = 12 * 60
"""Minutes. "22:00 to 2:00" means the next morning; an end so early that the night would be longer is a slip."""

YEARS = range(2000, 3000)

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_TIME = re.compile(r"(\d{1,2}):([0-5]\d)", re.ASCII)


def span(day: str, start: str, end: str) -> tuple[datetime, datetime]:
    """Start and end in UTC of a shift on a local day (2026-11-30), from and to a local time of day.

    25:30 is 1:30 on the next day, up to 47:59; an end before the start is on the next day too, for a night of at most
    12 hours. Raises InvalidInput with a fault for each of `date`, `start` and `end` that cannot be understood.
    """
    on, begins, ends = _day(day), _minutes(start), _minutes(end)
    if on is None or begins is None or ends is None:
        raise InvalidInput(*_unreadable(on, begins, ends))
    ends = _end_after(begins, ends)
    if not begins < ends <= begins + DAY:
        raise InvalidInput(_not_after())
    starts_at, ends_at = _instant(on, begins), _instant(on, ends)
    if starts_at is None or ends_at is None:
        raise InvalidInput(*_skipped(starts_at, ends_at))
    if ends_at <= starts_at:  # the hour that the clocks repeat is read as its first run
        raise InvalidInput(_not_after())
    return starts_at, ends_at


def _day(written: str) -> date | None:
    if not _DATE.fullmatch(written):
        return None
    try:
        day = date.fromisoformat(written)
    except ValueError:
        return None
    return day if day.year in YEARS else None


def _minutes(written: str) -> int | None:
    found = _TIME.fullmatch(written)
    minutes = int(found[1]) * 60 + int(found[2]) if found else None
    return minutes if minutes is not None and minutes <= LATEST else None


def _unreadable(on: date | None, begins: int | None, ends: int | None) -> list[Fault]:
    a_time = _("Expected a time such as 17:05, or 25:30 for 1:30 on the next day.")
    faults = [] if on else [Fault("date", _("Expected a date such as 2026-11-30."))]
    return faults + [Fault(field, a_time) for field, value in (("start", begins), ("end", ends)) if value is None]


def _end_after(begins: int, ends: int) -> int:
    overnight = ends < begins and ends < DAY and ends + DAY - begins <= LONGEST_NIGHT
    return ends + DAY if overnight else ends


def _not_after() -> Fault:
    return Fault("end", _("Expected a time after the start, at most 24 hours later. 26:00 is 2:00 on the next day."))


def _instant(on: date, minutes: int) -> datetime | None:
    """The instant in UTC, None for a local time that the clocks skip."""
    local = datetime.combine(on, time_of_day(), zone()) + timedelta(minutes=minutes)
    instant = local.astimezone(UTC)
    return instant if instant.astimezone(zone()).replace(tzinfo=None) == local.replace(tzinfo=None) else None


def _skipped(starts_at: datetime | None, ends_at: datetime | None) -> list[Fault]:
    skipped = _("Expected a time that exists: the clocks go forward over this one.")
    return [Fault(field, skipped) for field, value in (("start", starts_at), ("end", ends_at)) if value is None]
