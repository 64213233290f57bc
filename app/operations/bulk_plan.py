"""What a bulk retry would do: how many it would retry, by kind and by key, and which it would skip, and why.

Who plans, who freezes the set and who releases it ask by the same rule, at their own time: in between a key may grow
too old, and a delivery may move on.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from flask_babel import gettext as _
from sqlalchemy import ColumnElement, and_, case, func, null, select

from app.channels import CHANNELS
from app.clock import now
from app.columns import there_is, unindexed
from app.extensions import db
from app.faults import Fault, InvalidInput
from app.operations.bulk_models import WAITS, BulkRetryItem
from app.outbox.models import Delivery
from app.outbox.narrowing import Filter, left_in
from app.outbox.retry_key import Key, oldest_usable
from app.outbox.state import State

MOST_PICKED = 200
"""Deliveries that somebody may name one by one."""
RATES = (60, 300, 600, 1800)
"""Deliveries a minute that somebody may choose from."""


@dataclass(frozen=True, slots=True)
class Matching:
    """All that the filter leaves of what had failed at this time: what fails later, nobody has seen."""

    filter: Filter
    until: datetime


@dataclass(frozen=True, slots=True)
class Picked:
    """These, whatever has become of them since they were ticked. Raises InvalidInput for more than `MOST_PICKED`."""

    ids: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.ids) > MOST_PICKED:
            raise InvalidInput(Fault("ids", _("Tick at most %(number)d deliveries.", number=MOST_PICKED)))


Selection = Matching | Picked


class Skip(StrEnum):
    """Why a delivery is not retried. One that has moved on since is skipped for the state in which it is found."""

    WAITS_ELSEWHERE = "waits_elsewhere"
    """It waits in another bulk retry."""
    WOULD_DOUBLE = "would_double"
    """It needs a new key, while LINE may have accepted it under the one before."""
    STOPPED = "stopped"
    """Somebody stopped the bulk retry before its turn came."""


@dataclass(frozen=True, slots=True)
class Plan:
    """So many would be retried, if none is that could arrive twice; those are the `doubles`. The most come first."""

    total: int
    doubles: int
    by_kind: Mapping[str, int]
    by_key: Mapping[Key, int]
    skipped: Mapping[str, int]
    """By a `Skip`, or by the state in which it is found; without the doubles."""

    @property
    def least(self) -> int:
        """How many a form retries at least: where there is nothing but doubles, it asks for a yes to those."""
        return self.total or self.doubles

    @property
    def most(self) -> int:
        """How many, with a yes to the doubles."""
        return self.total + self.doubles


def plan(selection: Selection) -> Plan:
    """What would happen now; one question, however many they are."""
    at = now()
    why = skipped_because(at, with_doubles=False).label("why")
    each = select(Delivery.kind, _key(at).label("key"), why).where(chosen(selection)).subquery().c
    by_kind, by_key, skipped = Counter[str](), Counter[Key](), Counter[str]()
    groups = select(each.kind, each.key, each.why, func.count()).group_by(each.kind, each.key, each.why)
    for kind, key, because, number in db.session.execute(groups):
        if because is not None:
            skipped[because] += number
        else:
            by_kind[kind] += number
            by_key[Key(key)] += number
    doubles = skipped.pop(Skip.WOULD_DOUBLE, 0)
    keys = {key: by_key[key] for key in Key if by_key[key]}
    return Plan(by_kind.total(), doubles, dict(by_kind.most_common()), keys, dict(skipped.most_common()))


def chosen(selection: Selection) -> ColumnElement[bool]:
    """SQL: whether a delivery is one of them."""
    if isinstance(selection, Picked):
        return Delivery.id.in_(selection.ids)
    return and_(left_in(selection.filter, State.FAILED), unindexed(Delivery.finished_at <= selection.until))


def skipped_because(at: datetime, *, with_doubles: bool, own_id: int | None = None) -> ColumnElement[str | None]:
    """SQL: why a delivery is not retried at this time, by the bulk retry `own_id` if there is one yet; NULL if it is.

    `with_doubles`: somebody has said yes to second copies.
    """
    elsewhere = and_(BulkRetryItem.delivery_id == Delivery.id, WAITS)
    if own_id is not None:
        elsewhere = and_(elsewhere, unindexed(BulkRetryItem.bulk_retry_id != own_id))
    reasons: list[tuple[ColumnElement[bool], Any]] = [
        (Delivery.state != State.FAILED, Delivery.state),
        (there_is(BulkRetryItem, where=elsewhere), Skip.WAITS_ELSEWHERE.value),
    ]
    if not with_doubles:
        reasons.append((and_(needs_new_key(at), Delivery.key_ambiguous), Skip.WOULD_DOUBLE.value))
    return case(*reasons, else_=null())


def needs_new_key(at: datetime) -> ColumnElement[bool]:
    """SQL: whether LINE has forgotten its key at this time."""
    used_at = Delivery.retry_key_used_at
    return and_(used_at.is_not(None), used_at <= oldest_usable(at))


def _key(at: datetime) -> ColumnElement[str]:
    keyed = [name for name, channel in CHANNELS.items() if channel.keyed]
    return case(
        (Delivery.channel.not_in(keyed), Key.NONE.value),
        (Delivery.retry_key_used_at.is_(None), Key.FIRST.value),
        (needs_new_key(at), Key.NEW.value),
        else_=Key.SAME.value,
    )
