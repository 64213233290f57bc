"""Telling accounts that something happened: a row in each inbox, and a delivery to every address that wants it."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from sqlalchemy import select

from app.accounts.models import Account
from app.clock import now
from app.extensions import db
from app.inbox.models import Notification
from app.kinds import INBOX_KINDS
from app.outbox.enqueue import NewDelivery, enqueue
from app.reach.addresses import Reaching, reaching
from app.transaction import Transaction


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
    made = _insert(tx, event, _living(set(to) - {event.by}))
    enqueue(tx, _deliveries(event, made))
    return list(made.values())


def _living(account_ids: Collection[int]) -> list[int]:
    """Those whose accounts were not deleted: nobody reads the inbox of one that was."""
    living = Account.deleted_at.is_(None)
    return sorted(db.session.scalars(select(Account.id).where(Account.id.in_(account_ids), living)))


def _insert(tx: Transaction, event: Event, account_ids: Collection[int]) -> dict[int, int]:
    """The new notifications by account."""
    at = now()
    rows = [
        {
            "account_id": account_id, "event_key": event.key, "kind": event.kind, "created_at": at,
            "subject_type": event.subject_type, "subject_id": event.subject_id,
        }
        for account_id in account_ids
    ]  # fmt: skip
    if not rows:
        return {}
    once = tx.insert(Notification).on_conflict_do_nothing(index_elements=["account_id", "event_key"])
    return dict(tx.session.execute(once.returning(Notification.account_id, Notification.id), rows).all())


def _deliveries(event: Event, made: dict[int, int]) -> Iterator[NewDelivery]:
    kind = INBOX_KINDS[event.kind]
    until = now() + kind.lifetime
    for address in reaching(made.keys(), kind.category) if made else ():
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
