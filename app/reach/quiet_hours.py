"""Quiet hours: when somebody wants no push and no LINE message."""

import re
from collections.abc import Collection
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from flask_babel import gettext as _
from sqlalchemy import delete, select

from app.accounts.known import hold
from app.clock import now
from app.extensions import db
from app.faults import Fault, InvalidInput
from app.reach.models import QuietHours
from app.transaction import Transaction

MINUTE = timedelta(minutes=1)
MINUTES_OF_A_DAY = 24 * 60

_CLOCK = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")


def quiet_until(starts_at_minute: int, ends_at_minute: int, at: datetime, zone: ZoneInfo) -> datetime | None:
    """When the quiet hours that hold at this instant end; None outside of them. They may run over midnight."""
    local = at.astimezone(zone)
    if not _within(_minute_of(local), starts_at_minute, ends_at_minute):
        return None
    ends_today = _minute_of(local) < ends_at_minute
    day = local.date() if ends_today else local.date() + timedelta(days=1)
    until = datetime.combine(day, time(*divmod(ends_at_minute, 60)), zone)
    # Where the clocks go back, that minute comes twice: after its first run the hours end with its second.
    first = until.astimezone(UTC)
    end = first if first > at else until.replace(fold=1).astimezone(UTC)
    # Where the clocks go forward over that minute, the hours end as they do.
    while not _within(_minute_of((end - MINUTE).astimezone(zone)), starts_at_minute, ends_at_minute):
        end -= MINUTE
    return end


def quiet_hours_of(account_ids: Collection[int]) -> dict[int, tuple[int, int]]:
    """The first minute and the first minute after, by account, of those who have quiet hours; one query."""
    rows = db.session.scalars(select(QuietHours).where(QuietHours.account_id.in_(account_ids)))
    return {row.account_id: (row.starts_at_minute, row.ends_at_minute) for row in rows}


def quiet_now(account_ids: Collection[int], zone: ZoneInfo) -> dict[int, datetime]:
    """When their quiet hours end, by account, of those who have them at this moment; one query."""
    ends = {one: quiet_until(*hours, now(), zone) for one, hours in quiet_hours_of(account_ids).items()}
    return {one: until for one, until in ends.items() if until is not None}


def set_quiet_hours(tx: Transaction, account_id: int, starts: str, ends: str) -> None:
    """From one time of day to another, written as 22:00. Raises InvalidInput with every fault, NoSuchAccountError."""
    hold(tx, account_id)
    found = {"starts": _minute(starts), "ends": _minute(ends)}
    faults = [Fault(name, _("Enter a time of day such as 22:00.")) for name, minute in found.items() if minute is None]
    if not faults and found["starts"] == found["ends"]:
        faults.append(Fault("ends", _("The end must differ from the start.")))
    if faults:
        raise InvalidInput(*faults)
    new = tx.insert(QuietHours).values(
        account_id=account_id, starts_at_minute=found["starts"], ends_at_minute=found["ends"]
    )  # fmt: skip
    same = {name: new.excluded[name] for name in ("starts_at_minute", "ends_at_minute")}
    tx.session.execute(new.on_conflict_do_update(index_elements=["account_id"], set_=same))


def clear_quiet_hours(tx: Transaction, account_id: int) -> None:
    """Have none."""
    tx.session.execute(delete(QuietHours).where(QuietHours.account_id == account_id))


def _minute(written: str) -> int | None:
    found = _CLOCK.fullmatch(written.strip())
    return int(found[1]) * 60 + int(found[2]) if found else None


def _minute_of(local: datetime) -> int:
    return local.hour * 60 + local.minute


def _within(minute: int, starts: int, ends: int) -> bool:
    # Shifted so that the quiet hours begin at zero: then midnight is nothing special.
    return (minute - starts) % MINUTES_OF_A_DAY < (ends - starts) % MINUTES_OF_A_DAY
