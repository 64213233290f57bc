"""Reading and putting away: the only writes that a reader makes to a notification. No delivery changes by them."""

from collections.abc import Collection

from sqlalchemy import ColumnElement, and_, select, update

from app.accounts.models import Account
from app.clock import now
from app.inbox.models import Notification
from app.inbox.readable import readable_by
from app.transaction import Transaction


def mark_read(tx: Transaction, account_id: int, notification_ids: Collection[int]) -> list[int]:
    """Note when these were read, if they were not before; those that newly are."""
    return _set(tx, account_id, notification_ids, Notification.read_at.is_(None), read_at=now())


def mark_unread(tx: Transaction, account_id: int, notification_ids: Collection[int]) -> list[int]:
    """Take the reading back; those that had been read."""
    return _set(tx, account_id, notification_ids, Notification.read_at.is_not(None), read_at=None)


def archive(tx: Transaction, account_id: int, notification_ids: Collection[int]) -> list[int]:
    """Put these away; those that newly are. They stay findable under "archived"."""
    return _set(tx, account_id, notification_ids, Notification.archived_at.is_(None), archived_at=now())


def restore(tx: Transaction, account_id: int, notification_ids: Collection[int]) -> list[int]:
    """Bring these back into the inbox; those that had been put away."""
    return _set(tx, account_id, notification_ids, Notification.archived_at.is_not(None), archived_at=None)


def put_away_superseded(tx: Transaction, event_keys: Collection[str], which: ColumnElement[bool]) -> None:
    """Put away what the accounts of `which` (SQL on `account`) have of these events, for they are told of it anew."""
    # Account by account, by the index of both: somebody may have thousands of others.
    theirs = Notification.account_id.in_(select(Account.id).where(which)) & Notification.event_key.in_(event_keys)
    tx.execute(update(Notification).where(theirs, Notification.archived_at.is_(None)).values(archived_at=now()))


def _set(
    tx: Transaction, account_id: int, notification_ids: Collection[int], other: ColumnElement[bool], **marks: object
) -> list[int]:
    # Only what this account may read now: another person's id, or one whose right is gone, changes nothing.
    theirs = and_(Notification.id.in_(notification_ids), readable_by(account_id), other)
    marked = update(Notification).where(theirs).values(**marks).returning(Notification.id)
    return sorted(tx.session.scalars(marked, execution_options={"synchronize_session": False}))
