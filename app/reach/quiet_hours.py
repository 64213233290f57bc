"""Quiet hours: when somebody wants no push and no LINE message."""

from collections.abc import Collection
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import select

from app.extensions import db
from app.reach.models import QuietHours

MINUTES_OF_A_DAY = 24 * 60


def quiet_until(starts_at_minute: int, ends_at_minute: int, at: datetime, zone: ZoneInfo) -> datetime | None:
    """When the quiet hours that hold at this instant end; None outside of them. They may run over midnight."""
    local = at.astimezone(zone)
    minute = local.hour * 60 + local.minute
    if not _within(minute, starts_at_minute, ends_at_minute):
        return None
    ends_today = minute < ends_at_minute
    day = local.date() if ends_today else local.date() + timedelta(days=1)
    return datetime.combine(day, time(*divmod(ends_at_minute, 60)), zone)


def quiet_hours_of(account_ids: Collection[int]) -> dict[int, tuple[int, int]]:
    """The first minute and the first minute after, by account, of those who have quiet hours; one query."""
    rows = db.session.scalars(select(QuietHours).where(QuietHours.account_id.in_(account_ids)))
    return {row.account_id: (row.starts_at_minute, row.ends_at_minute) for row in rows}


def _within(minute: int, starts: int, ends: int) -> bool:
    # Shifted so that the quiet hours begin at zero: then midnight is nothing special.
    return (minute - starts) % MINUTES_OF_A_DAY < (ends - starts) % MINUTES_OF_A_DAY
