"""Days, and minutes of them, as people type them, in this installation's zone."""

import re
from datetime import UTC, date, datetime, time

from app.i18n import zone

_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_CLOCK = re.compile(r"[T ]([01]\d|2[0-3]):[0-5]\d", re.ASCII)


def read_day(typed: str) -> date | None:
    """The day of `2026-11-30`; None for anything else, and for years that no database and zone could take."""
    try:
        day = date.fromisoformat(typed) if _DAY.fullmatch(typed) else None
    except ValueError:
        return None
    return day if day and 1970 < day.year < 9000 else None


def midnight(day: date) -> datetime:
    """The instant at which this day begins here."""
    return datetime.combine(day, time(), zone())


def read_minute(typed: str) -> datetime | None:
    """The instant of `2026-11-30T17:05` or `2026-11-30 17:05` here; None for anything else, as with days."""
    day, clock = read_day(typed[:10]), typed[10:]
    if day is None or not _CLOCK.fullmatch(clock):
        return None
    return datetime.combine(day, time.fromisoformat(clock[1:]), zone()).astimezone(UTC)


def local_minute(instant: datetime) -> str:
    """An instant as browsers want it in a field for a day and a time: 2026-11-30T17:05."""
    return f"{instant.astimezone(zone()):%Y-%m-%dT%H:%M}"
