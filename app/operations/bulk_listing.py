"""What pages show of bulk retries: plain values, read without holding anything."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement, Select, and_, func, select
from sqlalchemy.orm import aliased

from app.accounts.models import Account
from app.extensions import db
from app.names import called
from app.operations.bulk_models import WAITS, BulkRetry, BulkRetryItem, ItemState
from app.outbox.models import Delivery
from app.outbox.state import ALIVE, State

Line = TypeVar("Line")


class Standing(StrEnum):
    """How far a bulk retry has come."""

    GOING_ON = "going_on"
    FINISHED = "finished"
    """Nothing waits any more."""
    STOPPED = "stopped"
    """Somebody wanted no more of it."""
    WITHOUT_RIGHT = "without_right"
    """Nothing more of it is retried, because whoever began it may retry nothing any more."""


@dataclass(frozen=True, slots=True)
class BulkLine:
    """One bulk retry. `waiting` of its `total` deliveries have their turn still before them."""

    id: int
    made_at: datetime
    made_by: str
    why: str
    asked: Mapping[str, str | int]
    rate: int
    with_doubles: bool
    total: int
    released: int
    skipped: int
    standing: Standing
    stopped_by: str

    @property
    def cut_short(self) -> bool:
        """Whether it ended before each had had its turn."""
        return self.standing in (Standing.STOPPED, Standing.WITHOUT_RIGHT)

    @property
    def settled(self) -> int:
        """How many have had their turn."""
        return self.released + self.skipped

    @property
    def waiting(self) -> int:
        """How many have theirs before them."""
        return self.total - self.settled

    @property
    def takes(self) -> timedelta:
        """How long those will take."""
        return lasting(self.waiting, self.rate)


class Outcome(StrEnum):
    """What has become of an item, as far as its delivery stands today."""

    WAITING = "waiting"
    UNDER_WAY = "under_way"
    SENT = "sent"
    CANCELED = "canceled"
    FAILED = "failed"
    """It failed again."""
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Item:
    """One delivery of a bulk retry, as it stands today. `why` it was skipped, if it was."""

    delivery: Delivery
    outcome: Outcome
    why: str | None
    acted_at: datetime | None


@dataclass(frozen=True, slots=True)
class Page(Generic[Line]):
    """Part of a list; `next` is the id that the next page begins after, None on the last."""

    lines: Sequence[Line]
    next: int | None


_AFTERWARDS: dict[Outcome, tuple[State, ...]] = {
    Outcome.UNDER_WAY: ALIVE,
    Outcome.SENT: (State.SENT,),
    Outcome.CANCELED: (State.CANCELED,),
    Outcome.FAILED: (State.FAILED,),
}
"""In which states a delivery is that was retried."""


def lasting(number: int, rate: int) -> timedelta:
    """How long it takes to release so many at this rate, in whole seconds, at least one."""
    return timedelta(seconds=max(1, -(-60 * number // rate)))


def get_bulk_retry(bulk_id: int) -> BulkLine | None:
    """One, if there is such a one."""
    return next(iter(_lines(_rows().where(BulkRetry.id == bulk_id))), None)


def bulk_retries(after: int | None, size: int) -> Page[BulkLine]:
    """All of them, the newest first."""
    rows = _rows().order_by(BulkRetry.id.desc()).limit(size + 1)
    found = _lines(rows.where(BulkRetry.id < after) if after is not None else rows)
    return Page(found[:size], found[size - 1].id if len(found) > size else None)


def outcomes(line: BulkLine) -> dict[Outcome, int]:
    """How many of its deliveries have come to what."""
    states = select(Delivery.state, func.count()).select_from(BulkRetryItem).join(Delivery, _IS_ITS)
    released = states.where(BulkRetryItem.bulk_retry_id == line.id, _RELEASED).group_by(Delivery.state)
    found = dict(db.session.execute(released).all())
    numbers = {one: sum(found.get(state, 0) for state in states) for one, states in _AFTERWARDS.items()}
    return {Outcome.WAITING: line.waiting, **numbers, Outcome.SKIPPED: line.skipped}


def items(bulk_id: int, outcome: Outcome | None, after: int | None, size: int) -> Page[Item]:
    """Its deliveries in their order, all or those that came to this."""
    columns = select(Delivery, BulkRetryItem.state, BulkRetryItem.why, BulkRetryItem.acted_at)
    rows = columns.join(BulkRetryItem, _IS_ITS).where(BulkRetryItem.bulk_retry_id == bulk_id)
    if outcome is not None:
        rows = rows.where(_came_to(outcome))
    if after is not None:
        rows = rows.where(BulkRetryItem.delivery_id > after)
    found = db.session.execute(rows.order_by(BulkRetryItem.delivery_id).limit(size + 1)).all()
    shown = [Item(delivery, _outcome(delivery.state, state), why, at) for delivery, state, why, at in found[:size]]
    return Page(shown, shown[-1].delivery.id if len(found) > size else None)


_IS_ITS = Delivery.id == BulkRetryItem.delivery_id
_RELEASED = BulkRetryItem.state == ItemState.RELEASED


def _came_to(outcome: Outcome) -> ColumnElement[bool]:
    if outcome is Outcome.WAITING:
        return WAITS
    if outcome is Outcome.SKIPPED:
        return BulkRetryItem.state == ItemState.SKIPPED
    return and_(_RELEASED, Delivery.state.in_(_AFTERWARDS[outcome]))


def _outcome(delivery_state: str, item_state: str) -> Outcome:
    if item_state != ItemState.RELEASED:
        return Outcome(item_state)
    return next(outcome for outcome, states in _AFTERWARDS.items() if delivery_state in states)


_MAKER, _STOPPER = aliased(Account), aliased(Account)


def _rows() -> Select[BulkRetry, str, str]:
    rows = select(BulkRetry, _MAKER.name, _STOPPER.name).join(_MAKER, _MAKER.id == BulkRetry.made_by)
    return rows.outerjoin(_STOPPER, _STOPPER.id == BulkRetry.stopped_by)


def _lines(rows: Select[*tuple[Any, ...]]) -> list[BulkLine]:
    return [_line(*row) for row in db.session.execute(rows)]


def _line(row: BulkRetry, maker: str, stopper: str | None) -> BulkLine:
    return BulkLine(
        id=row.id,
        made_at=row.made_at,
        made_by=called(maker),
        why=row.why,
        asked=row.asked,
        rate=row.rate,
        with_doubles=row.with_doubles,
        total=row.total,
        released=row.released,
        skipped=row.skipped,
        standing=_standing(row),
        stopped_by=called(stopper or ""),
    )


def _standing(row: BulkRetry) -> Standing:
    if row.stopped_at is not None:
        return Standing.STOPPED if row.stopped_by is not None else Standing.WITHOUT_RIGHT
    return Standing.GOING_ON if row.finished_at is None else Standing.FINISHED
