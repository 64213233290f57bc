"""Days as people type them, in this installation's zone."""

from datetime import date, datetime, time

from app.i18n import zone


def read_day(typed: str) -> date | None:
    """The day of `2026-11-30`; None for anything else, and for years that no database and zone could take."""
    try:
        day = date.fromisoformat(typed)
    except ValueError:
        return None
    return day if 1970 < day.year < 9000 else None


def midnight(day: date) -> datetime:
    """The instant at which this day begins here."""
    return datetime.combine(day, time(), zone())
