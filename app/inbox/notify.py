"""Telling accounts that something happened: a row in each inbox, and a delivery to every address that wants it."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache

from sqlalchemy import Table, bindparam, select
from sqlalchemy.sql.dml import ReturningInsert

from app.accounts.models import Account
from app.clock import now
from app.inbox.models import Notification
from app.kinds import INBOX_KINDS
from app.outbox.enqueue import NewDelivery, enqueue
from app.reach.addresses import Reaching, reaching
from app.transaction import Inserting, Transaction

_NOTIFICATION: Table = Notification.__table__  # type: ignore[assignment]
_OF_EVENT = ("event_key", "kind", "subject_type", "subject_id", "created_at")
_NEW_ROWS = (
    select(Account.id, *(bindparam(f"event_{name}", type_=_NOTIFICATION.c[name].type) for name in _OF_EVENT))
    .where(Account.id.in_(bindparam("account_ids", expanding=True)), Account.deleted_at.is_(None))
    .order_by(Account.id)
)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a subject. The same `key` happens once for each account, however often it is told.

    `by` is the account that did it, and is never told; None when nobody did. `scope`, such as `store:7`, is what
    operators filter by.
    """

    kind: str
    key: str
    subject_type: str
    subject_id: int
    by: int | None = None
    scope: str | None = None


def notify(tx: Transaction, event: Event, to: Collection[int]) -> list[int]:
    """Put it into these accounts' inboxes and owe it to their addresses; the ids of the notifications that are new.

    Commits with whatever else the caller writes: record, notification and deliveries stand or fall together.
    """
    made = _insert(tx, event, set(to) - {event.by})
    enqueue(tx, _deliveries(tx, event, made))
    return list(made.values())


def _insert(tx: Transaction, event: Event, account_ids: Collection[int]) -> dict[int, int]:
    """The new notifications by account. Nobody reads the inbox of an account that was deleted."""
    if not account_ids:
        return {}
    values = (event.key, event.kind, event.subject_type, event.subject_id, now())
    told = {f"event_{name}": value for name, value in zip(_OF_EVENT, values, strict=True)}
    made = tx.execute(_once(tx.insert), {**told, "account_ids": list(account_ids)})
    return {row.account_id: row.id for row in made}


@cache  # it takes longer to build than to execute
def _once(insert: Inserting) -> ReturningInsert[int, int]:
    new = insert(_NOTIFICATION).from_select(["account_id", *_OF_EVENT], _NEW_ROWS)
    once = new.on_conflict_do_nothing(index_elements=["account_id", "event_key"])
    return once.returning(_NOTIFICATION.c.account_id, _NOTIFICATION.c.id)


def _deliveries(tx: Transaction, event: Event, made: dict[int, int]) -> Iterator[NewDelivery]:
    kind = INBOX_KINDS[event.kind]
    until = now() + kind.lifetime
    for address in reaching(tx, made.keys(), kind.category) if made else ():
        notification_id = made[address.account_id]
        yield NewDelivery(
            kind=event.kind,
            channel=address.channel,
            dedup_key=_dedup_key(notification_id, address),
            subject_type=event.subject_type,
            subject_id=event.subject_id,
            subject_version=None,
            account_id=address.account_id,
            address_type=address.address_type,
            address_id=address.address_id,
            address_label=address.label,
            scope=event.scope,
            gate_key=address.gate_key,
            expires_at=until,
            notification_id=notification_id,
        )


def _dedup_key(notification_id: int, address: Reaching) -> str:
    return f"notification:{notification_id}:{address.address_type}:{address.address_id}"
