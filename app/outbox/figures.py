"""What the hours tell: how many ended when and how, and how long people waited for what was sent."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Select, and_, func, select, union_all

from app.clock import now, slot_of
from app.columns import first_found, unindexed
from app.extensions import db
from app.outbox.hours import COUNTED, HOUR, LONG_AGO, WAITS, ended_for_good, newest, tallies
from app.outbox.instants import HourOf
from app.outbox.models import Delivery, DeliveryHour
from app.outbox.state import State

SLOW = 0.95


@dataclass(frozen=True, slots=True)
class Hour:
    """How many deliveries ended within the hour that began at `at`. Who failed and was sent again counts as sent."""

    at: datetime
    sent: int
    failed: int
    canceled: int


@dataclass(frozen=True, slots=True)
class Waits:
    """How long it took from owed to sent, of `number` deliveries: half of them at most `median`, and 95 in 100 at most
    `slowest`. Estimated: within the steps of `hours.WAITS`, they are taken to lie evenly."""

    median: timedelta
    slowest: timedelta
    number: int


def ended_ever() -> dict[State, int]:
    """How many there are that never change again, in each of their states."""
    last = newest()
    counted = select(DeliveryHour.state, func.sum(DeliveryHour.number)).where(DeliveryHour.hour <= (last or LONG_AGO))
    since = first_found(select(Delivery.state).where(ended_for_good(_uncounted_since(last)))).c
    uncounted = select(since.state, func.count()).group_by(since.state)
    found = dict.fromkeys(COUNTED, 0)
    for state, number in db.session.execute(counted.group_by(DeliveryHour.state).union_all(uncounted)):
        found[State(state)] += int(number)
    return found


def ended_per_hour(hours: int) -> list[Hour]:
    """Each of the last so many hours, the oldest first and the present one last."""
    first, last = _first_of(hours), newest()
    sums = select(DeliveryHour.hour, DeliveryHour.state, func.sum(DeliveryHour.number)).where(_counted(first, last))
    failed = and_(Delivery.state == State.FAILED, Delivery.finished_at >= first)
    every = union_all(
        sums.group_by(DeliveryHour.hour, DeliveryHour.state),
        _by_hour(ended_for_good(max(first, _uncounted_since(last)))),
        _by_hour(failed),
    )
    numbers = {(hour, state): int(number) for hour, state, number in db.session.execute(every)}
    return [
        Hour(at, *(numbers.get((at, state), 0) for state in (State.SENT, State.FAILED, State.CANCELED)))
        for at in (first + number * HOUR for number in range(hours))
    ]


def waits(hours: int) -> dict[str, Waits]:
    """By channel, of what was sent within the last so many hours."""
    first, last = _first_of(hours), newest()
    columns = (DeliveryHour.hour, DeliveryHour.channel, DeliveryHour.state, DeliveryHour.waited, DeliveryHour.number)
    since = tallies(max(first, _uncounted_since(last)))
    ended = union_all(select(*columns).where(_counted(first, last)), since).subquery().c
    sent = unindexed(ended.state == State.SENT)
    rows = select(ended.channel, ended.waited, func.sum(ended.number)).where(sent)
    found: dict[str, dict[int, int]] = defaultdict(dict)
    for channel, waited, number in db.session.execute(rows.group_by(ended.channel, ended.waited)):
        found[channel][waited] = int(number)
    return {channel: _waits(numbers) for channel, numbers in sorted(found.items())}


def _by_hour(which: ColumnElement[bool]) -> Select[datetime, str, int]:
    each = first_found(select(HourOf(Delivery.finished_at).label("hour"), Delivery.state).where(which)).c
    return select(each.hour, each.state, func.count()).group_by(each.hour, each.state)


def _counted(first: datetime, last: datetime | None) -> ColumnElement[bool]:
    """SQL: from the first hour to the last that was counted when this was asked; another may be by now."""
    return and_(DeliveryHour.hour >= first, DeliveryHour.hour <= (last or LONG_AGO))


def _uncounted_since(last: datetime | None) -> datetime:
    return last + HOUR if last else LONG_AGO


def _first_of(hours: int) -> datetime:
    return slot_of(now(), HOUR) - (hours - 1) * HOUR


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
