"""Whether LINE messages may go to somebody: one rule, as a question to the database and of what was read from it."""

from sqlalchemy import ColumnElement, and_

from app.accounts.models import Account
from app.codes import CancelReason
from app.reach.models import LineLink


def is_reachable() -> ColumnElement[bool]:
    """Of an account joined with its LINE link: it takes LINE messages."""
    return and_(LineLink.enabled, Account.active)


def why_not(account: Account, link: LineLink | None) -> CancelReason | None:
    """Why somebody takes no LINE messages now; None when they do."""
    if link is None or not link.enabled:
        return CancelReason.LINE_DISABLED
    return None if account.active else CancelReason.RECIPIENT_DISABLED
