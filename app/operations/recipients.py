"""Suspending a recipient or switching LINE off: what waits for them ends at once, rather than at its next try."""

from sqlalchemy import update

from app import audit
from app.accounts import sessions
from app.accounts.administrators import hold_to_restrict
from app.accounts.known import SUBJECT, hold
from app.accounts.memberships import only_owner_of
from app.accounts.models import Account
from app.audit import Actor
from app.codes import CancelReason
from app.kinds import SCANS
from app.outbox import queries, transitions
from app.reach.models import LineLink
from app.reach.resolve import LINE_LINK
from app.transaction import Transaction


def suspend(tx: Transaction, actor: Actor, account_id: int) -> list[str] | None:
    """Neither let an account in nor tell it anything; None if it was so already. First in its transaction.

    Returns the names of the stores that nobody acts for as their owner from now on. Raises InvalidInput for one's own
    account and for the last administrator, NoSuchAccountError.
    """
    if not hold_to_restrict(tx, actor, account_id).active:
        return None
    tx.session.execute(update(Account).where(Account.id == account_id).values(active=False))
    sessions.end_all(tx, account_id)
    transitions.cancel(tx, queries.waiting_for(account_id), CancelReason.RECIPIENT_DISABLED)
    audit.note(tx, actor, "suspend", (SUBJECT, account_id))
    return [*only_owner_of(account_id).values()]


def resume(tx: Transaction, actor: Actor, account_id: int) -> bool:
    """Let a suspended account in again and tell it things; False if it was so already. Raises NoSuchAccountError."""
    if hold(tx, account_id).active:
        return False
    tx.session.execute(update(Account).where(Account.id == account_id).values(active=True))
    wake_for_reach(tx)
    audit.note(tx, actor, "resume", (SUBJECT, account_id))
    return True


def set_line_enabled(tx: Transaction, actor: Actor, account_id: int, enabled: bool) -> bool:
    """Switch LINE on or off for an account; False if it was so already, or has no link. Raises NoSuchAccountError.

    What was canceled only for this is owed again by its source's scan, as long as it is still due.
    """
    hold(tx, account_id)
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
