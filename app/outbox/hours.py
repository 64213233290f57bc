"""How many deliveries ended in each hour: counted once, when the hour is over, for what never changes again.

Sent stays sent for ever. Canceled may be owed again, by `reopen`, which takes it back here. Failures are few, and are
counted where they stand.
"""

from collections import Counter
from collections.abc import Collection
from datetime import UTC, datetime, timedelta

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Integer,
    Select,
    and_,
    bindparam,
    case,
    delete,
    func,
    literal_column,
    select,
    update,
)

from app.clock import now, slot_of
from app.columns import UtcDateTime, first_found
from app.extensions import db
from app.outbox.instants import HourOf, SecondsBetween
from app.outbox.models import Delivery, DeliveryHour
from app.outbox.state import State
from app.transaction import Transaction

COUNTED = (State.SENT, State.CANCELED)
HOUR = timedelta(hours=1)
SETTLED_AFTER = timedelta(minutes=10)
"""By then what ended in an hour is committed: a lease lasts two minutes."""
KEPT = timedelta(days=8)
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
"""Under this hour stands all that ended in hours which are no longer kept apart."""
ROWS_TOGETHER = 5_000
"""So many hold the only writer of SQLite for some 30 ms. An hour is counted as a whole, whatever ended in it."""
WAITS = (
    1, 2, 3, 5, 10, 20, 30, 60, 90, 120, 180, 240, 300, 450, 600, 900, 1200, 1800, 3600, 7200, 14_400, 28_800, 86_400,
    259_200, 604_800, 2_592_000,
)  # fmt: skip
"""Seconds; what took longer than the last counts under it."""

Tallies = Select[datetime, str, str, int, int]
Instant = datetime | BindParameter[datetime]


def newest() -> datetime | None:
    """The last hour that was counted: what ended since is counted where it stands.

    One that is not over yet was counted by a clock that was wrong, and does not count.
    """
    return db.session.scalar(_NEWEST, {"present": slot_of(now(), HOUR)})


_NEWEST = select(func.max(DeliveryHour.hour)).where(DeliveryHour.hour < bindparam("present", type_=UtcDateTime))


def ended_for_good(since: Instant) -> ColumnElement[bool]:
    """SQL: ended since this instant, and counted for ever."""
    # In the words of its index: SQLite does not look into a parameter for whether an index holds all rows.
    return and_(Delivery.finished_at >= since, Delivery.state != literal_column("'failed'"))


def tallies(since: Instant, until: datetime | None = None) -> Tallies:
    """SQL: how many ended between these instants, as (hour, channel, state, waited, number): all of them from one
    index, which holds what is asked."""
    which = ended_for_good(since)
    if until is not None:
        which &= Delivery.finished_at < until
    seconds = SecondsBetween(Delivery.created_at, Delivery.finished_at).label("seconds")
    ended = select(HourOf(Delivery.finished_at).label("hour"), Delivery.channel, Delivery.state, seconds)
    each = first_found(ended.where(which)).c
    waited = select(each.hour, each.channel, each.state, _waited(each.state, each.seconds).label("waited")).subquery()
    return select(*waited.c, func.count().label("number")).group_by(*waited.c)


def roll_up(tx: Transaction) -> int:
    """Count what ended in the oldest hours that are over and were not counted yet, so many that it takes a moment; how
    many deliveries that were, and 0 when nothing is left. What was counted is never counted again."""
    tx.lock(DeliveryHour)
    # A clock that was wrong was set back; what ends until it is so late again belongs to these hours, too.
    tx.session.execute(delete(DeliveryHour).where(DeliveryHour.hour >= slot_of(now(), HOUR)))
    portion = _next_portion()
    counted = 0 if portion is None else _count(tx, *portion)
    _forget_apart(tx)
    return counted


def take_back(tx: Transaction, canceled: Collection[tuple[str, datetime]]) -> None:
    """These, each with its channel and when it ended, are owed again. Whoever calls it said first that it
    `tx.will_write(DeliveryHour)`, before it looked whether they are canceled: else an hour might be counted between."""
    last = newest()
    if last is None:
        return
    again = Counter((slot_of(at, HOUR), channel) for channel, at in canceled if at < last + HOUR)
    for (hour, channel), number in sorted(again.items()):
        if not _subtract(tx, hour, channel, number):
            _subtract(tx, LONG_AGO, channel, number)


def _next_portion() -> tuple[datetime, datetime] | None:
    settled, last = slot_of(now() - SETTLED_AFTER, HOUR), newest()
    over = ended_for_good(last + HOUR if last else LONG_AGO) & (Delivery.finished_at < settled)
    uncounted = select(Delivery.finished_at).where(over).order_by(Delivery.finished_at)
    first = db.session.scalar(uncounted.limit(1))
    if first is None:
        return None
    begin = slot_of(first, HOUR)
    too_many = db.session.scalar(uncounted.offset(ROWS_TOGETHER).limit(1))
    return begin, max(begin + HOUR, slot_of(too_many, HOUR)) if too_many else settled


def _count(tx: Transaction, since: datetime, until: datetime) -> int:
    found = tx.session.execute(tallies(since, until)).all()
    tx.execute(tx.insert(DeliveryHour), [dict(zip(_COLUMNS, row, strict=True)) for row in found])
    return sum(row[-1] for row in found)


_COLUMNS = ("hour", "channel", "state", "waited", "number")


def _forget_apart(tx: Transaction) -> None:
    """Put together what ended long ago. The newest hour stays: it says how far was counted."""
    last = newest()
    if last is None:
        return
    old = (DeliveryHour.hour > LONG_AGO) & (DeliveryHour.hour < min(last, now() - KEPT))
    sums = select(DeliveryHour.channel, DeliveryHour.state, func.sum(DeliveryHour.number)).where(old)
    rows = tx.session.execute(sums.group_by(DeliveryHour.channel, DeliveryHour.state)).all()
    if not rows:
        return
    added = tx.insert(DeliveryHour)
    more = added.on_conflict_do_update(
        index_elements=["hour", "channel", "state", "waited"],
        set_={"number": DeliveryHour.number + added.excluded.number},
    )
    tx.execute(more, [dict(zip(_COLUMNS, (LONG_AGO, channel, state, 0, number), strict=True))
                      for channel, state, number in rows])  # fmt: skip
    tx.session.execute(delete(DeliveryHour).where(old))


def _subtract(tx: Transaction, hour: datetime, channel: str, number: int) -> bool:
    there = (DeliveryHour.hour == hour) & (DeliveryHour.channel == channel) & (DeliveryHour.state == State.CANCELED)
    less = update(DeliveryHour).where(there, DeliveryHour.waited == 0).values(number=DeliveryHour.number - number)
    return tx.session.execute(less.returning(DeliveryHour.hour)).first() is not None


def _waited(state: ColumnElement[str], seconds: ColumnElement[float]) -> ColumnElement[int]:
    steps = {most: literal_column(str(most), Integer) for most in (0, *WAITS)}
    shortest_first = ((seconds <= step, step) for most, step in steps.items() if most)
    return case((state != State.SENT, steps[0]), *shortest_first, else_=steps[WAITS[-1]])
