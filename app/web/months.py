"""Months as people type and read them, in this installation's zone."""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from babel.dates import format_date

from app.clock import now
from app.i18n import zone
from app.web.days import midnight

_MONTH = re.compile(r"(\d{4})-(\d{2})", re.ASCII)
_PATTERNS = {"ja": "y年M月", "en": "MMMM y"}


@dataclass(frozen=True, slots=True)
class Month:
    """One month, by its first day."""

    first: date

    def __str__(self) -> str:
        """As addresses and forms write it: 2026-12."""
        return f"{self.first:%Y-%m}"

    @property
    def after(self) -> "Month":
        """The month after this one."""
        return Month(date(self.first.year + self.first.month // 12, self.first.month % 12 + 1, 1))

    @property
    def before(self) -> "Month":
        """The month before this one."""
        return Month((self.first - timedelta(days=1)).replace(day=1))

    @property
    def begins_at(self) -> datetime:
        """Its first instant."""
        return midnight(self.first)

    @property
    def days(self) -> list[date]:
        """Every day of it."""
        return [self.first + timedelta(days=number) for number in range((self.after.first - self.first).days)]

    @property
    def is_over(self) -> bool:
        """Whether its last day has passed."""
        return self.after.begins_at <= now()

    def written(self, language: str) -> str:
        """As readers of this language write it: 2026年12月, December 2026."""
        return str(format_date(self.first, _PATTERNS[language], locale=language))


def read_month(typed: str) -> Month | None:
    """The month of `2026-12`; None for anything else, and for years that no database and zone could take."""
    found = _MONTH.fullmatch(typed.strip())
    if found is None or not 1970 < int(found[1]) < 9000 or not 1 <= int(found[2]) <= 12:
        return None
    return Month(date(int(found[1]), int(found[2]), 1))


def month_of(day: date) -> Month:
    """The month that a day lies in."""
    return Month(day.replace(day=1))


def today() -> date:
    """Today's date here."""
    return now().astimezone(zone()).date()
