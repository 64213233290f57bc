"""Owing something: insert-once, inside the caller's transaction."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from sqlalchemy import text
from sqlalchemy.sql.dml import ReturningInsert

from app.columns import NOW
from app.outbox.state import State, Trigger
from app.outbox.statements import DELIVERY
from app.transaction import Inserting, Transaction


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
    made = tx.execute(_once(tx.insert), rows).all()
    tx.enqueued += [(row.kind, row.id) for row in made]
    return [row.id for row in made]


@cache  # it takes as long to build as to execute
def _once(insert: Inserting) -> ReturningInsert[str, int]:
    once = insert(DELIVERY).values(_NEW).on_conflict_do_nothing(index_elements=["dedup_key"])
    return once.returning(DELIVERY.c.kind, DELIVERY.c.id)


def _row(wanted: NewDelivery) -> dict[str, object]:
    return {name: getattr(wanted, name) for name in NewDelivery.__slots__}


_NEW: dict[str, object] = {
    "state": text(f"'{State.PENDING}'"), "next_trigger": text(f"'{Trigger.AUTO}'"),
    "created_at": NOW, "updated_at": NOW,
    **dict.fromkeys(("attempts", "round_attempts", "rescues"), text("0")),
    **dict.fromkeys(("key_ambiguous", "dead_letter", "already_accepted"), text("false")),
}  # fmt: skip
"""How each begins, in the statement's own text: the fewer values a row brings along, the sooner it is written."""
