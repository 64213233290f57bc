"""Days, and minutes of them, as people type them, in this installation's zone."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from flask_babel import gettext as _

from app.faults import Fault
from app.i18n import zone

_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_CLOCK = re.compile(r"[T ]([01]\d|2[0-3]):[0-5]\d", re.ASCII)


@dataclass(frozen=True, slots=True)
class Days:
    """The time from the first day to the last, both included; None where an end was left open. With `faults`, none."""

    since: datetime | None
    before: datetime | None
    faults: Sequence[Fault]


def read_days(typed: Mapping[str, str]) -> Days:
    """The days of the fields `from` and `to`, each of which may be empty."""
    first, last = read_day(typed["from"]), read_day(typed["to"])
    unread = [name for name, day in (("from", first), ("to", last)) if typed[name] and day is None]
    faults = [Fault(name, _("Enter a date such as 2026-11-30.")) for name in unread]
    if first and last and last < first:
        faults.append(Fault("to", _("The last day is before the first.")))
    if faults:
        return Days(None, None, faults)
    return Days(midnight(first) if first else None, midnight(last + timedelta(days=1)) if last else None, ())


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


def day_of(instant: datetime) -> str:
    """The local day of an instant as addresses and fields hold it: 2026-11-30."""
    return f"{instant.astimezone(zone()):%Y-%m-%d}"


def local_minute(instant: datetime) -> str:
    """An instant as browsers want it in a field for a day and a time: 2026-11-30T17:05."""
    return f"{instant.astimezone(zone()):%Y-%m-%dT%H:%M}"
