"""Switching a recipient off or on: what waits for them ends at once, rather than at its next try."""

from sqlalchemy import select, update

from app import audit
from app.accounts.models import Account
from app.audit import Actor
from app.codes import CancelReason
from app.kinds import SCANS
from app.outbox import queries, transitions
from app.reach.models import LineLink
from app.reach.resolve import LINE_LINK
from app.transaction import Transaction

SUBJECT = "account"


class NoSuchAccountError(LookupError):
    """There is no account with this id."""


def set_active(tx: Transaction, actor: Actor, account_id: int, active: bool) -> bool:
    """Let an account in and tell it things, or neither; False if it was so already. Raises NoSuchAccountError.

    What was canceled only for this is owed again by its source's scan, as long as it is still due.
    """
    if not _exists(tx, account_id):
        raise NoSuchAccountError(account_id)
    switched = update(Account).where(Account.id == account_id, Account.active != active).values(active=active)
    if tx.session.scalar(switched.returning(Account.id)) is None:
        return False
    if active:
        wake_for_reach(tx)
    else:
        transitions.cancel(tx, queries.waiting_for(account_id), CancelReason.RECIPIENT_DISABLED)
    audit.note(tx, actor, "activate" if active else "deactivate", (SUBJECT, account_id))
    return True


def set_line_enabled(tx: Transaction, actor: Actor, account_id: int, enabled: bool) -> bool:
    """Switch LINE on or off for an account; False if it was so already, or has no link. Raises NoSuchAccountError.

    What was canceled only for this is owed again by its source's scan, as long as it is still due.
    """
    if not _exists(tx, account_id):
        raise NoSuchAccountError(account_id)
    other = (LineLink.account_id == account_id) & (LineLink.enabled != enabled)
    link_id = tx.session.scalar(update(LineLink).where(other).values(enabled=enabled).returning(LineLink.id))
    if link_id is None:
        return False
    if enabled:
        wake_for_reach(tx)
    else:
        transitions.cancel(tx, queries.waiting_at(LINE_LINK, link_id), CancelReason.LINE_DISABLED)
    audit.note(tx, actor, "line_on" if enabled else "line_off", (SUBJECT, account_id))
    return True


def wake_for_reach(tx: Transaction) -> None:
    """Somebody can be reached who could not be: whatever scan owes people something looks again at once."""
    for scan in SCANS.values():
        if scan.on_reach:
            tx.wake(scan.name)


def _exists(tx: Transaction, account_id: int) -> bool:
    return tx.session.scalar(select(Account.id).where(Account.id == account_id)) is not None
