"""Telling accounts that something happened: a row in each inbox, and a delivery to every address that wants it."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Select, String, and_, cast, literal, select, true
from sqlalchemy.dialects import postgresql, sqlite

from app.accounts.models import Account
from app.clock import now
from app.columns import UtcDateTime
from app.inbox.models import Notification
from app.kinds import INBOX_KINDS
from app.outbox.enqueue import NewDelivery, enqueue, enqueue_all
from app.reach.addresses import addresses
from app.transaction import Transaction


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
    concerned = Account.id.in_(sorted(set(to) - {event.by}))
    made = list(tx.session.scalars(_told(tx, event, concerned).returning(Notification.id)))
    if made:
        wanted = _owed(event, concerned).where(Notification.id.in_(made))
        enqueue(tx, [NewDelivery(**row) for row in tx.session.execute(wanted).mappings()])
    return made


@dataclass(frozen=True, slots=True)
class FannedOut:
    """How many accounts have it in their inboxes now, and how many deliveries are owed for it."""

    notified: int
    owed: int


def fan_out(
    tx: Transaction, event: Event, concerned: ColumnElement[bool], languages: Collection[str] | None
) -> FannedOut:
    """The same for as many accounts as a condition on `account` finds, by the database alone: no row is read.

    Addresses are owed it where one of these `languages` is read; None means any. Nothing is handed over, for the queue
    holds no more than a part of it: the clock rings.
    """
    notified = tx.inserted(_told(tx, event, concerned))
    return FannedOut(notified, enqueue_all(tx, _owed(event, concerned, languages)))


def _told(tx: Transaction, event: Event, concerned: ColumnElement[bool]) -> postgresql.Insert | sqlite.Insert:
    """A row in each inbox, unless it is there. Nobody reads the inbox of an account that was deleted."""
    same = {
        "event_key": event.key, "kind": event.kind, "subject_type": event.subject_type,
        "subject_id": event.subject_id, "created_at": now(),
    }  # fmt: skip
    columns = Notification.__table__.c
    values = [literal(value, columns[name].type).label(name) for name, value in same.items()]
    accounts = select(Account.id, *values).where(concerned, Account.deleted_at.is_(None)).order_by(Account.id)
    rows = tx.insert(Notification).from_select(["account_id", *same], accounts)
    return rows.on_conflict_do_nothing(index_elements=["account_id", "event_key"])


def _owed(
    event: Event, concerned: ColumnElement[bool], languages: Collection[str] | None = None
) -> Select[*tuple[Any, ...]]:
    """What `NewDelivery` holds, for every address of whoever has the notification."""
    kind = INBOX_KINDS[event.kind]
    to = addresses(concerned, kind.category).c
    of_the_event = and_(Notification.account_id == to.account_id, Notification.event_key == event.key)
    return (
        select(
            literal(event.kind).label("kind"),
            to.channel,
            _dedup_key(to.address_type, to.address_id).label("dedup_key"),
            literal(event.subject_type).label("subject_type"),
            literal(event.subject_id, BigInteger).label("subject_id"),
            literal(event.version, BigInteger).label("subject_version"),
            to.account_id,
            to.address_type,
            to.address_id,
            to.address_label,
            literal(event.scope, String).label("scope"),
            to.gate_key,
            literal(now() + kind.lifetime, UtcDateTime).label("expires_at"),
            Notification.id.label("notification_id"),
        )
        .join(Notification, of_the_event)
        .where(to.language.in_(languages) if languages is not None else true())
    )


def _dedup_key(address_type: ColumnElement[str], address_id: ColumnElement[int]) -> ColumnElement[str]:
    notification = literal("notification:") + cast(Notification.id, String)
    return notification + ":" + address_type + ":" + cast(address_id, String)
