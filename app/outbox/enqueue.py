"""Owing something: insert-once, inside the caller's transaction."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import CompoundSelect, literal, select, true

from app.clock import now
from app.outbox.models import Delivery
from app.outbox.state import State, Trigger
from app.transaction import Transaction


@dataclass(frozen=True, slots=True)
class NewDelivery:
    """What a source wants delivered. `dedup_key` makes it once-only for ever, also after it has ended."""

    kind: str
    channel: str
    dedup_key: str
    subject_type: str
    subject_id: int
    subject_version: int | None
    account_id: int | None
    address_type: str
    address_id: int
    address_label: str
    scope: str | None
    gate_key: str
    expires_at: datetime | None
    notification_id: int | None = None


def enqueue(tx: Transaction, wanted: Iterable[NewDelivery]) -> list[int]:
    """Insert those whose `dedup_key` is new and return their ids; they are handed over after the commit."""
    # Sorted, so that two transactions that want the same rows take their locks in the same order.
    rows = [_row(one) for one in sorted(wanted, key=lambda one: one.dedup_key)]
    if not rows:
        return []
    once = tx.insert(Delivery).on_conflict_do_nothing(index_elements=["dedup_key"])
    made = tx.session.execute(once.returning(Delivery.kind, Delivery.id), rows).all()
    tx.enqueued += [(kind, delivery_id) for kind, delivery_id in made]
    return [delivery_id for _, delivery_id in made]


def enqueue_all(tx: Transaction, wanted: CompoundSelect[*tuple[Any, ...]]) -> int:
    """Insert what this question finds, as far as its `dedup_key` is new; how many that are.

    Its columns are called as those of `NewDelivery`. No row is read, and none is handed over: the clock finds them.
    """
    columns = Delivery.__table__.c
    untouched = {name: literal(value, columns[name].type).label(name) for name, value in _untouched().items()}
    found = select(wanted.subquery(), *untouched.values()).where(true())  # SQLite wants a WHERE before ON CONFLICT
    rows = tx.insert(Delivery).from_select([*NewDelivery.__slots__, *untouched], found, include_defaults=False)
    return tx.inserted(rows.on_conflict_do_nothing(index_elements=["dedup_key"]))


def _row(wanted: NewDelivery) -> dict[str, object]:
    return asdict(wanted) | _untouched()


def _untouched() -> dict[str, object]:
    """What every delivery begins with."""
    at = now()
    started = {"state": State.PENDING, "next_trigger": Trigger.AUTO, "created_at": at, "updated_at": at}
    zeros = {"attempts": 0, "round_attempts": 0, "rescues": 0}
    flags = {"key_ambiguous": False, "dead_letter": False, "already_accepted": False}
    return started | zeros | flags
