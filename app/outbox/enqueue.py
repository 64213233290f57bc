"""Owing something: insert-once, inside the caller's transaction."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime

from app.clock import now
from app.outbox.models import Delivery
from app.outbox.state import State, Trigger
from app.transaction import Transaction

ROWS_PER_STATEMENT = 500
"""SQLite allows 32,766 bound values in one statement; a row binds about 20."""


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
    made: list[int] = []
    for start in range(0, len(rows), ROWS_PER_STATEMENT):
        inserted = tx.session.execute(
            tx.insert(Delivery)
            .values(rows[start : start + ROWS_PER_STATEMENT])
            .on_conflict_do_nothing(index_elements=["dedup_key"])
            .returning(Delivery.id, Delivery.kind)
        )
        for delivery_id, kind in inserted:
            made.append(delivery_id)
            tx.enqueued.append((kind, delivery_id))
    return made


def _row(wanted: NewDelivery) -> dict[str, object]:
    at = now()
    started = {"state": State.PENDING, "next_trigger": Trigger.AUTO, "created_at": at, "updated_at": at}
    zeros = {"attempts": 0, "round_attempts": 0, "rescues": 0}
    flags = {"key_ambiguous": False, "dead_letter": False, "already_accepted": False}
    return asdict(wanted) | started | zeros | flags
