"""Telling accounts that something happened: a row in each inbox, and a delivery to every address that wants it."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    CompoundSelect,
    Select,
    SQLColumnExpression,
    String,
    and_,
    cast,
    literal,
    select,
    true,
    union_all,
)  # fmt: skip
from sqlalchemy.dialects import postgresql, sqlite

from app.accounts.models import Account
from app.clock import now
from app.columns import UtcDateTime
from app.inbox.models import Notification
from app.kinds import INBOX_KINDS
from app.outbox.enqueue import NewDelivery, enqueue, enqueue_all
from app.reach.addresses import Addresses, Within, devices, line_links
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
    ids = sorted(set(to) - {event.by})
    new = list(tx.session.scalars(_told(tx, event, Account.id.in_(ids)).returning(Notification.id)))
    if new:
        wanted = _owed(event, lambda account_id: account_id.in_(ids), Notification.id.in_(new))
        enqueue(tx, [NewDelivery(**row) for row in tx.session.execute(wanted).mappings()])
    return new


@dataclass(frozen=True, slots=True)
class FannedOut:
    """How many accounts have it in their inboxes now, and how many deliveries are owed for it."""

    notified: int
    owed: int


def fan_out(
    tx: Transaction, event: Event, after: int, upto: int, concerned: ColumnElement[bool], spoken: Collection[str] | None
) -> FannedOut:
    """The same for all accounts with ids from just after one up to another, as far as `concerned` (SQL on `account`).

    By the database alone: no row is read. Addresses are owed it where one of the `spoken` languages is read; None means
    any. Nothing is handed over, for the queue holds but a part of it: the clock rings.
    """

    def within(account_id: Any) -> ColumnElement[bool]:
        return and_(account_id > after, account_id <= upto)

    notified = tx.inserted(_told(tx, event, and_(within(Account.id), concerned)))
    return FannedOut(notified, enqueue_all(tx, _owed(event, within, within(Notification.account_id), spoken)))


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
    event: Event, within: Within, told: ColumnElement[bool], spoken: Collection[str] | None = None
) -> CompoundSelect[*tuple[Any, ...]]:
    """What `NewDelivery` holds, for every address of whoever was `told` (SQL on `notification`)."""
    category = INBOX_KINDS[event.kind].category
    channels = (devices(within, category), line_links(within, category))
    return union_all(*(_owed_to(to, event).where(told, _is_spoken(to, spoken)) for to in channels))


def _owed_to(to: Addresses, event: Event) -> Select[*tuple[Any, ...]]:
    of_the_event = and_(Notification.account_id == Account.id, Notification.event_key == event.key)
    columns: dict[str, SQLColumnExpression[Any]] = {
        "kind": literal(event.kind),
        "channel": literal(to.channel),
        "dedup_key": literal("notification:")
        + cast(Notification.id, String)
        + f":{to.address_type}:"
        + cast(to.address_id, String),
        "subject_type": literal(event.subject_type),
        "subject_id": literal(event.subject_id, BigInteger),
        "subject_version": literal(event.version, BigInteger),
        "account_id": Notification.account_id,
        "address_type": literal(to.address_type),
        "address_id": to.address_id,
        "address_label": to.label,
        "scope": literal(event.scope, String),
        "gate_key": to.gate_key,
        "expires_at": literal(now() + INBOX_KINDS[event.kind].lifetime, UtcDateTime),
        "notification_id": Notification.id,
    }
    named: list[Any] = [column.label(name) for name, column in columns.items()]
    return select(*named).select_from(to.rows).join(Notification, of_the_event).where(to.wanted)


def _is_spoken(to: Addresses, spoken: Collection[str] | None) -> ColumnElement[bool]:
    return to.language.in_(spoken) if spoken is not None else true()
