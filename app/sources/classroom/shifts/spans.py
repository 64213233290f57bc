"""When a shift is: a local day and two times of day as people write them, made into instants."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from datetime import time as time_of_day

from flask_babel import gettext as _

from app.clock import now
from app.faults import Fault, InvalidInput
from app.i18n import zone
from app.sources.classroom.shifts.written_times import day_of, minutes_of

DAY = 24 * 60
LONGEST_NIGHT = 12 * 60
"""Minutes. "22:00 to 2:00" means the next morning; an end so early that the night would be longer is a slip."""


def span(day: str, start: str, end: str, near: datetime | None = None) -> tuple[datetime, datetime]:
    """Start and end in UTC of a shift on a local day (2026-11-30), from and to a local time of day.

    25:30 is 1:30 on the next day, up to 47:59; an end before the start is on the next day too, for a night of at most
    12 hours. A day without a year is the one nearest to `near`, or to now. Raises InvalidInput with a fault for each
    of `date`, `start` and `end` that cannot be understood.
    """
    on = day_of(day, (near or now()).astimezone(zone()).date())
    begins, ends = minutes_of(start), minutes_of(end)
    if on is None or begins is None or ends is None:
        read = {"date": on, "start": begins, "end": ends}
        raise InvalidInput(*(_unreadable(field) for field, found in read.items() if found is None))
    ends = _end_after(begins, ends)
    if not begins < ends <= begins + DAY:
        raise InvalidInput(_not_after())
    starts_at, ends_at = _instant(on, begins), _instant(on, ends)
    if starts_at is None or ends_at is None:
        raise InvalidInput(*_skipped(starts_at, ends_at))
    if ends_at <= starts_at:  # the hour that the clocks repeat is read as its first run
        raise InvalidInput(_not_after())
    return starts_at, ends_at


def _unreadable(field: str) -> Fault:
    if field == "date":
        return Fault(field, _("Expected a date such as 2026-11-30, 2026/11/30, 11/30 or 11月30日."))
    return Fault(field, _("Expected a time such as 17:05, or 25:30 for 1:30 on the next day."))


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


def _skipped(starts_at: datetime | None, ends_at: datetime | None) -> Iterator[Fault]:
    skipped = _("Expected a time that exists: the clocks go forward over this one.")
    return (Fault(field, skipped) for field, value in (("start", starts_at), ("end", ends_at)) if value is None)
