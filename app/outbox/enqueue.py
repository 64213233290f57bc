"""Owing something: insert-once, inside the caller's transaction."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, CompoundSelect, literal_column, select, true
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.dml import ReturningInsert

from app.columns import NOW
from app.outbox.state import State, Trigger
from app.outbox.statements import DELIVERY
from app.transaction import Inserting, Transaction, Values


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
    return enqueue_by(tx, _one_by_one(tx.insert), rows) if rows else []


def enqueue_by(tx: Transaction, statement: ReturningInsert[str, int], values: Values) -> list[int]:
    """The same by a statement that gives (kind, id) of what it inserts, such as `owing` makes."""
    made = tx.execute(statement, values).all()
    tx.enqueued += [(row.kind, row.id) for row in made]
    return [row.id for row in made]


def owing(insert: Inserting, wanted: CompoundSelect[*tuple[Any, ...]]) -> postgresql.Insert | sqlite.Insert:
    """An INSERT of what a question finds, as far as its `dedup_key` is new; its columns are those of `NewDelivery`."""
    begun = (value.label(name) for name, value in _NEW.items())
    columns = wanted.subquery().c
    named = (columns[name] for name in NewDelivery.__slots__)
    found = select(*named, *begun).where(true())  # without a WHERE, SQLite takes the ON CONFLICT for a join
    rows = insert(DELIVERY).from_select([*NewDelivery.__slots__, *_NEW], found)
    return rows.on_conflict_do_nothing(index_elements=["dedup_key"])


@cache  # it takes as long to build as to execute
def _one_by_one(insert: Inserting) -> ReturningInsert[str, int]:
    once = insert(DELIVERY).values(_NEW).on_conflict_do_nothing(index_elements=["dedup_key"])
    return once.returning(DELIVERY.c.kind, DELIVERY.c.id)


def _row(wanted: NewDelivery) -> dict[str, object]:
    return {name: getattr(wanted, name) for name in NewDelivery.__slots__}


_NEW: dict[str, ColumnElement[Any]] = {
    "state": literal_column(f"'{State.PENDING}'"), "next_trigger": literal_column(f"'{Trigger.AUTO}'"),
    "created_at": NOW, "updated_at": NOW,
    **dict.fromkeys(("attempts", "round_attempts", "rescues"), literal_column("0")),
    **dict.fromkeys(("key_ambiguous", "dead_letter", "already_accepted"), literal_column("false")),
}  # fmt: skip
"""How each begins, in the statement's own text: the fewer values a row brings along, the sooner it is written."""
