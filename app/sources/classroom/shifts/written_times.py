"""Days and times of day as people and spreadsheets write them."""

import re
from datetime import date
from itertools import chain

LATEST = 2 * 24 * 60 - 1
"""Minutes: 47:59, the last minute of the next day."""

YEARS = range(2000, 3000)

_DAYS = tuple(
    re.compile(pattern, re.ASCII)
    for pattern in (
        r"(\d{4})-(\d{1,2})-(\d{1,2})",
        r"(?:(\d{4})/)?(\d{1,2})/(\d{1,2})",
        r"(?:(\d{4})年\s*)?(\d{1,2})月\s*(\d{1,2})日",
    )
)
_TIMES = tuple(
    re.compile(pattern, re.ASCII) for pattern in (r"(\d{1,2}):([0-5]\d)(?::00)?", r"(\d{1,2})時(?:\s*([0-5]?\d)分)?")
)
_NUMBER = re.compile(r"\d{5}(\.\d+)?|\d*\.\d+", re.ASCII)


def day_of(written: str, near: date) -> date | None:
    """The day meant by 2026-11-30, 2026/11/30, 2026年11月30日, 11/30 or 11月30日; None for what is no day.

    Without a year it is the one nearest to `near`, and of two equally near the later.
    """
    found = next(filter(None, (pattern.fullmatch(written) for pattern in _DAYS)), None)
    if found is None:
        return None
    year, month, day = (int(part) if part else None for part in found.groups())
    years = [near.year - 1, near.year, near.year + 1] if year is None else [year]
    days = chain.from_iterable(_existing(one, month or 0, day or 0) for one in years)
    return min(days, key=lambda one: (abs(one - near), -one.toordinal()), default=None)


def minutes_of(written: str) -> int | None:
    """The minutes from midnight meant by 9:00, 09:00:00, 9時 or 9時30分, up to 47:59; None for what is no time."""
    found = next(filter(None, (pattern.fullmatch(written) for pattern in _TIMES)), None)
    minutes = int(found[1]) * 60 + int(found[2] or 0) if found else LATEST + 1
    return minutes if minutes <= LATEST else None


def is_bare_number(written: str) -> bool:
    """Whether this is a day or time as a spreadsheet counts it. Two calendars count differently: it is not guessed."""
    return _NUMBER.fullmatch(written) is not None


def _existing(year: int, month: int, day: int) -> list[date]:
    try:
        return [date(year, month, day)] if year in YEARS else []
    except ValueError:
        return []
