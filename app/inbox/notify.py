"""Telling accounts that something happened: a row in each inbox, and a delivery to every address that wants it.

What is told is bound to the statements as values: so those for a handful of accounts, which are asked all the time, are
built only once. Building one takes longer than executing it.
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    CompoundSelect,
    Executable,
    Integer,
    Select,
    SQLColumnExpression,
    String,
    and_,
    bindparam,
    cast,
    literal,
    select,
    true,
    union_all,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.dml import ReturningInsert

from app.accounts.models import Account
from app.clock import now
from app.columns import NOW, UtcDateTime
from app.inbox.models import Notification
from app.kinds import INBOX_KINDS
from app.outbox.enqueue import enqueue_by, owing
from app.outbox.models import Delivery
from app.reach.addresses import Addresses, Within, devices, line_links
from app.transaction import Inserting, Transaction


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a subject. The same `key` happens once for each account, however often it is told.

    `by` is the account that did it, and is never told; None when nobody did. `scope`, such as `store:7`, is what
    operators filter by. `version` is that of the subject, where it has several.
    """

    kind: str
    key: str
    subject_type: str
    subject_id: int
    by: int | None = None
    scope: str | None = None
    version: int | None = None


def notify(tx: Transaction, event: Event, to: Collection[int]) -> list[int]:
    """Put it into these accounts' inboxes and owe it to their addresses; the ids of the notifications that are new.

    Commits with whatever else the caller writes: record, notification and deliveries stand or fall together.
    """
    new = put(tx, event, to)
    if new:
        enqueue_by(tx, _owing_these(tx.insert), _values_for(event, to) | {"notification_ids": new})
    return new


def put(tx: Transaction, event: Event, to: Collection[int]) -> list[int]:
    """Put it into these accounts' inboxes, and owe nothing of it; the ids of the notifications that are new."""
    return list(tx.execute(_telling_these(tx.insert), _values_for(event, to)).scalars())


@dataclass(frozen=True, slots=True)
class FannedOut:
    """How many accounts have it in their inboxes now, and how many deliveries are owed for it."""

    notified: int
    owed: int


@dataclass(frozen=True, slots=True)
class Broadcast:
    """The two statements that tell as many accounts as a condition finds; see `broadcast`."""

    telling: Executable
    owing: Executable


def broadcast(insert: Inserting, concerned: ColumnElement[bool], spoken: Collection[str] | None) -> Broadcast:
    """How all accounts are told that are `concerned` (SQL on `account`).

    Addresses are owed it where one of the `spoken` languages is read; None means any.
    """
    return Broadcast(
        telling=_telling(insert, and_(_between(Account.id), concerned)),
        owing=owing(insert, _owed(_between, _between(Notification.account_id), spoken)),
    )


def fan_out(tx: Transaction, event: Event, to: Broadcast, after: int, upto: int) -> FannedOut:
    """`notify` for all accounts with ids from just after one up to another.

    By the database alone: no row is read. Nothing is handed over, for the queue holds but a part of it: the clock
    rings.
    """
    values = _values(event) | {_AFTER.key: after, _UPTO.key: upto}
    return FannedOut(tx.count(to.telling, values), tx.count(to.owing, values))


_AFTER, _UPTO = bindparam("after_account", type_=BigInteger), bindparam("upto_account", type_=BigInteger)


def _between(account_id: SQLColumnExpression[int]) -> ColumnElement[bool]:
    return and_(account_id > _AFTER, account_id <= _UPTO)


_THESE: BindParameter[int] = bindparam("account_ids", expanding=True)


@cache
def _telling_these(insert: Inserting) -> ReturningInsert[int]:
    return _telling(insert, Account.id.in_(_THESE)).returning(Notification.id)


@cache
def _owing_these(insert: Inserting) -> ReturningInsert[str, int]:
    new = Notification.id.in_(bindparam("notification_ids", expanding=True))
    return owing(insert, _owed(lambda account_id: account_id.in_(_THESE), new)).returning(Delivery.kind, Delivery.id)


_KIND, _KEY, _CATEGORY = (bindparam(f"event_{name}", type_=String) for name in ("kind", "key", "category"))
_SUBJECT_TYPE, _SCOPE = (bindparam(f"event_{name}", type_=String) for name in ("subject_type", "scope"))
_SUBJECT_ID, _VERSION = bindparam("event_subject_id", type_=BigInteger), bindparam("event_version", type_=Integer)
_EXPIRES_AT = bindparam("event_expires_at", type_=UtcDateTime)


def _values(event: Event) -> dict[str, Any]:
    """What stands for these in the statements."""
    kind = INBOX_KINDS[event.kind]
    return {
        _KIND.key: event.kind, _KEY.key: event.key, _CATEGORY.key: kind.category, _SCOPE.key: event.scope,
        _SUBJECT_TYPE.key: event.subject_type, _SUBJECT_ID.key: event.subject_id, _VERSION.key: event.version,
        _EXPIRES_AT.key: now() + kind.lifetime,
    }  # fmt: skip


def _values_for(event: Event, to: Collection[int]) -> dict[str, Any]:
    return _values(event) | {"account_ids": sorted(set(to) - {event.by})}


def _telling(insert: Inserting, concerned: ColumnElement[bool]) -> postgresql.Insert | sqlite.Insert:
    """A row in each inbox, unless it is there. Nobody reads the inbox of an account that was deleted."""
    told = select(Account.id, _KEY, _KIND, _SUBJECT_TYPE, _SUBJECT_ID, NOW).order_by(Account.id)
    columns = ["account_id", "event_key", "kind", "subject_type", "subject_id", "created_at"]
    living = told.where(concerned, Account.deleted_at.is_(None))
    # Held as the rows that refer to them hold them anyway, but looked at once more after waiting for a deletion.
    rows = insert(Notification).from_select(columns, living.with_for_update(read=True, key_share=True))
    return rows.on_conflict_do_nothing(index_elements=["account_id", "event_key"])


def _owed(
    within: Within, told: ColumnElement[bool], spoken: Collection[str] | None = None
) -> CompoundSelect[*tuple[Any, ...]]:
    """What `NewDelivery` holds, for every address of whoever was `told` (SQL on `notification`)."""
    channels = (devices(within, _CATEGORY), line_links(within, _CATEGORY))
    return union_all(*(_owed_to(to).where(told, _is_spoken(to, spoken)) for to in channels))


def _owed_to(to: Addresses) -> Select[*tuple[Any, ...]]:
    of_the_event = and_(Notification.account_id == Account.id, Notification.event_key == _KEY)
    columns: dict[str, SQLColumnExpression[Any]] = {
        "kind": _KIND,
        "channel": literal(to.channel),
        "dedup_key": _dedup_key(to),
        "subject_type": _SUBJECT_TYPE,
        "subject_id": _SUBJECT_ID,
        "subject_version": _VERSION,
        "account_id": Notification.account_id,
        "address_type": literal(to.address_type),
        "address_id": to.address_id,
        "address_label": to.label,
        "scope": _SCOPE,
        "gate_key": to.gate_key,
        "expires_at": _EXPIRES_AT,
        "notification_id": Notification.id,
    }
    named: list[Any] = [column.label(name) for name, column in columns.items()]
    return select(*named).select_from(to.rows).join(Notification, of_the_event).where(to.wanted)


def _dedup_key(to: Addresses) -> ColumnElement[str]:
    address = literal(f":{to.address_type}:") + cast(to.address_id, String)
    return literal("notification:") + cast(Notification.id, String) + address


def _is_spoken(to: Addresses, spoken: Collection[str] | None) -> ColumnElement[bool]:
    return to.language.in_(spoken) if spoken is not None else true()
