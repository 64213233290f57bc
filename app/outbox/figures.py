"""What the hours tell: how many ended when and how, and how long people waited for what was sent."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, CompoundSelect, Select, and_, bindparam, func, select, union_all

from app.clock import now, slot_of
from app.columns import UtcDateTime, first_found, unindexed
from app.extensions import db
from app.outbox.hours import COUNTED, HOUR, LONG_AGO, WAITS, ended_for_good, newest, tallies
from app.outbox.instants import HourOf
from app.outbox.models import Delivery, DeliveryHour
from app.outbox.state import State

SLOW = 0.95

Bounds = dict[str, datetime]


@dataclass(frozen=True, slots=True)
class Hour:
    """How many deliveries ended within the hour that began at `at`. Who failed and was sent again counts as sent."""

    at: datetime
    sent: int
    failed: int
    canceled: int

    @property
    def ended(self) -> int:
        """All of them."""
        return self.sent + self.failed + self.canceled


@dataclass(frozen=True, slots=True)
class Waits:
    """How long it took from owed to sent, of `number` deliveries: half of them at most `median`, and 95 in 100 at most
    `slowest`. Estimated: within the steps of `hours.WAITS`, they are taken to lie evenly."""

    median: timedelta
    slowest: timedelta
    number: int


@dataclass(frozen=True, slots=True)
class Period:
    """`ended` has each hour, the oldest first; `waits` are by channel, of what was sent in any of them."""

    ended: Sequence[Hour]
    waits: Mapping[str, Waits]


def ended_ever() -> dict[State, int]:
    """How many there are that never change again, in each of their states."""
    found = dict.fromkeys(COUNTED, 0)
    for state, number in db.session.execute(_ENDED_EVER, _bounds(LONG_AGO)):
        found[State(state)] += int(number)
    return found


def last_hours(number: int) -> Period:
    """The last so many hours, the present one among them."""
    first = slot_of(now(), HOUR) - (number - 1) * HOUR
    bounds = _bounds(first)
    return Period(_ended_in(first, number, bounds), _waits_by_channel(bounds))


def _ended_in(first: datetime, hours: int, bounds: Bounds) -> list[Hour]:
    found = db.session.execute(_ENDED_PER_HOUR, bounds)
    numbers = {(hour, state): int(number) for hour, state, number in found}
    return [
        Hour(at, *(numbers.get((at, state), 0) for state in (State.SENT, State.FAILED, State.CANCELED)))
        for at in (first + number * HOUR for number in range(hours))
    ]


def _waits_by_channel(bounds: Bounds) -> dict[str, Waits]:
    found: dict[str, dict[int, int]] = defaultdict(dict)
    for channel, waited, number in db.session.execute(_WAITED, bounds):
        found[channel][waited] = int(number)
    return {channel: _waits(numbers) for channel, numbers in sorted(found.items())}


# The statements are built once: that takes longer than any of their answers.
_FIRST, _LAST, _SINCE = (bindparam(name, type_=UtcDateTime) for name in ("first", "last", "since"))


def _bounds(first: datetime) -> Bounds:
    """From the first hour to the last that was counted when this was asked; since then, all is counted where it stands,
    and another hour may be by now."""
    last = newest()
    return {"first": first, "last": last or LONG_AGO, "since": max(first, last + HOUR if last else LONG_AGO)}


def _counted() -> ColumnElement[bool]:
    return and_(DeliveryHour.hour >= _FIRST, DeliveryHour.hour <= _LAST)


def _ended_ever() -> CompoundSelect[str, int]:
    counted = select(DeliveryHour.state, func.sum(DeliveryHour.number)).where(_counted()).group_by(DeliveryHour.state)
    since = first_found(select(Delivery.state).where(ended_for_good(_SINCE))).c
    return union_all(counted, select(since.state, func.count()).group_by(since.state))


def _ended_per_hour() -> CompoundSelect[datetime, str, int]:
    sums = select(DeliveryHour.hour, DeliveryHour.state, func.sum(DeliveryHour.number)).where(_counted())
    failed = and_(Delivery.state == State.FAILED, Delivery.finished_at >= _FIRST)
    each = sums.group_by(DeliveryHour.hour, DeliveryHour.state)
    return union_all(each, _by_hour(ended_for_good(_SINCE)), _by_hour(failed))


def _waited() -> Select[str, int, int]:
    columns = (DeliveryHour.hour, DeliveryHour.channel, DeliveryHour.state, DeliveryHour.waited, DeliveryHour.number)
    ended = union_all(select(*columns).where(_counted()), tallies(_SINCE)).subquery().c
    sent = unindexed(ended.state == State.SENT)
    rows = select(ended.channel, ended.waited, func.sum(ended.number)).where(sent)
    return rows.group_by(ended.channel, ended.waited)


def _by_hour(which: ColumnElement[bool]) -> Select[datetime, str, int]:
    each = first_found(select(HourOf(Delivery.finished_at).label("hour"), Delivery.state).where(which)).c
    return select(each.hour, each.state, func.count()).group_by(each.hour, each.state)


_ENDED_EVER, _ENDED_PER_HOUR, _WAITED = _ended_ever(), _ended_per_hour(), _waited()


def _waits(numbers: Mapping[int, int]) -> Waits:
    return Waits(_at(0.5, numbers), _at(SLOW, numbers), sum(numbers.values()))


def _at(share: float, numbers: Mapping[int, int]) -> timedelta:
    """What this share of them took at most."""
    wanted, shorter = share * sum(numbers.values()), 0
    for step, most in enumerate(WAITS):
        number = numbers.get(most, 0)
        if number and shorter + number >= wanted:
            least = WAITS[step - 1] if step else 0
            return timedelta(seconds=least + (most - least) * (wanted - shorter) / number)
        shorter += number
    raise ValueError("nothing was sent that they could have waited for")
