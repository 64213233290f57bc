"""How the verbs of `transitions.py` put their statements: what is locked, what comes back, what shares a statement."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, TypeVarTuple

from sqlalchemy import ColumnElement, CursorResult, Select, Update, and_

from app.clock import now
from app.outbox.models import Delivery
from app.outbox.moves import Claimed
from app.outbox.state import State
from app.transaction import Transaction

T = TypeVar("T")
_Ts = TypeVarTuple("_Ts")

# The session holds no delivery while verbs run, so it has nothing to bring up to date.
BLIND = {"synchronize_session": False}


def alike(ones: Iterable[T], values_of: Callable[[T], dict[str, Any]]) -> Collection[tuple[dict[str, Any], list[T]]]:
    """What is written the same, together, so that it shares a statement: a hundred pushes cost what one does."""
    groups: dict[Hashable, tuple[dict[str, Any], list[T]]] = {}
    for one in ones:
        values = values_of(one)
        groups.setdefault(_mark_of(values), (values, []))[1].append(one)
    return groups.values()


def held(claims: Sequence[Claimed]) -> ColumnElement[bool]:
    """SQL: those of them that whoever claimed them still holds."""
    tokens = {one.lease_token for one in claims}
    ours = and_(Delivery.id.in_([one.id for one in claims]), Delivery.lease_token.in_(tokens))
    return and_(ours, Delivery.state == State.SENDING)


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


def _mark_of(values: Mapping[str, Any]) -> Hashable:
    # What is SQL and not a value compares by what it is: its == would make more SQL.
    return tuple((name, id(value) if isinstance(value, ColumnElement) else value) for name, value in values.items())
