"""How the verbs of `transitions.py` put their statements: what is locked, what comes back, what shares a statement."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVarTuple

from sqlalchemy import ColumnElement, CursorResult, Select, Table, Update, and_, bindparam, update

from app.clock import now
from app.columns import unindexed
from app.outbox.models import Delivery
from app.outbox.moves import Claimed
from app.outbox.state import State
from app.transaction import Transaction

_Ts = TypeVarTuple("_Ts")

DELIVERY: Table = Delivery.__table__  # type: ignore[assignment]  # as a table it takes many sets of values at once

# The session holds no delivery while verbs run, so it has nothing to bring up to date.
BLIND = {"synchronize_session": False}


def held(claims: Sequence[Claimed]) -> ColumnElement[bool]:
    """SQL: those of them that whoever claimed them still holds."""
    tokens = {one.lease_token for one in claims}
    ours = and_(Delivery.lease_token.in_(tokens), Delivery.state == State.SENDING)
    return and_(Delivery.id.in_([one.id for one in claims]), unindexed(ours))


def lock_some(tx: Transaction, rows: Select[int]) -> list[int]:
    """Hold those of these rows that nobody else holds, until the end of the transaction; their ids."""
    # Asked first, not inside the UPDATE: there PostgreSQL may ask again, and LIMIT then lets more through.
    return list(tx.session.scalars(skipping_locked(rows)))


def skipping_locked(rows: Select[*_Ts]) -> Select[*_Ts]:
    """The rows but for those that somebody else holds."""
    return rows.with_for_update(skip_locked=True)


def move(tx: Transaction, statement: Update) -> list[int]:
    """Do it; the ids of the deliveries that it changed."""
    changed: CursorResult[Any] | Iterable[Any] = tx.session.execute(
        statement.values(updated_at=now()).returning(Delivery.id), execution_options=BLIND
    )
    return [row[0] for row in changed]


def owe_again(tx: Transaction, statement: Update) -> list[int]:
    """Do it; the ids of the deliveries that it changed, each of which is handed over after the commit."""
    owed = statement.values(updated_at=now()).returning(Delivery.kind, Delivery.id)
    rows = tx.session.execute(owed, execution_options=BLIND).all()
    tx.enqueued += [(kind, delivery_id) for kind, delivery_id in rows]
    return [delivery_id for _, delivery_id in rows]


def write_each(tx: Transaction, rows: Mapping[int, Mapping[str, Any]], same: Mapping[str, Any]) -> None:
    """Write each of these deliveries, which the caller holds, its own values; and to all of them the `same`, which may
    be SQL. One statement for all whose values are equal, and one prepared for all others that write the same columns,
    so that a hundred cost little more than one."""
    alike: dict[tuple[tuple[str, Any], ...], list[int]] = defaultdict(list)
    for delivery_id, values in sorted(rows.items()):
        alike[tuple(values.items())].append(delivery_id)
    alone: dict[tuple[str, ...], list[dict[str, Any]]] = defaultdict(list)
    for items, ids in alike.items():
        if len(ids) > 1:
            every = update(DELIVERY).where(DELIVERY.c.id.in_(ids))
            tx.execute(every.values(**dict(items), **same, updated_at=now()))
        else:
            alone[tuple(name for name, _ in items)].append(
                {f"new_{name}": value for name, value in items} | {"row": ids[0]}
            )
    for names, written in alone.items():
        new: dict[str, Any] = {name: bindparam(f"new_{name}") for name in names}
        one = update(DELIVERY).where(DELIVERY.c.id == bindparam("row")).values(**new, **same, updated_at=now())
        tx.execute(one, written)
