"""Whether somebody is reached: what waits ends at once, not at its next try, and what is owed is looked for at once."""

from sqlalchemy import update

from app import audit
from app.accounts.known import SUBJECT, hold
from app.audit import Actor
from app.codes import CancelReason
from app.kinds import SCANS
from app.outbox import queries, transitions
from app.reach.models import LineLink
from app.reach.resolve import LINE_LINK
from app.transaction import Transaction


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
        transitions.cancel(tx, queries.waiting_at(LINE_LINK, [link_id]), CancelReason.LINE_DISABLED)
    audit.note(tx, actor, "line_on" if enabled else "line_off", (SUBJECT, account_id))
    return True


def wake_for_reach(tx: Transaction) -> None:
    """Somebody can be reached who could not be: whatever scan owes people something looks again at once."""
    for scan in SCANS.values():
        if scan.on_reach:
            tx.wake(scan.name)
