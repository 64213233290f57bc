"""Everything in an inquiry but writing: closing and reopening it, and who asks along. Each is written down."""

from sqlalchemy import delete, update

from app import audit
from app.accounts.known import hold_active
from app.audit import Actor
from app.clock import now
from app.sources.conversations.audience import side_of
from app.sources.conversations.inquire import NotTheirsError, locked
from app.sources.conversations.models import Inquiry, InquiryAsker, Side
from app.transaction import Transaction

SUBJECT = "inquiry"


def close(tx: Transaction, actor: Actor, inquiry_id: int) -> bool:
    """Settle it: what waits to be told to the store is not told any more. False if it was closed.

    Raises NotTheirsError.
    """
    return _set_closed(tx, actor, inquiry_id, True)


def reopen(tx: Transaction, actor: Actor, inquiry_id: int) -> bool:
    """Let it go on; False if it was open. Raises NotTheirsError."""
    return _set_closed(tx, actor, inquiry_id, False)


def add_asker(tx: Transaction, actor: Actor, inquiry_id: int, email: str) -> bool:
    """Let another account ask along; False if it does already. Raises NotTheirsError and InvalidInput."""
    inquiry, _by = _by_asker(tx, actor, inquiry_id)
    account_id = hold_active(tx, [email])[0].id
    made = tx.session.scalar(
        tx.insert(InquiryAsker)
        .values(inquiry_id=inquiry.id, account_id=account_id, since=now())
        .on_conflict_do_nothing(index_elements=["inquiry_id", "account_id"])
        .returning(InquiryAsker.account_id)
    )
    if made is None:
        return False
    audit.note(tx, actor, "add_asker", (SUBJECT, inquiry_id), {"account_id": account_id})
    return True


def may_remove(opened_by: int, by: int, account_id: int) -> bool:
    """Whoever opened it stays, and may remove the others; each of those may leave."""
    return account_id != opened_by and by in (opened_by, account_id)


def remove_asker(tx: Transaction, actor: Actor, inquiry_id: int, account_id: int) -> bool:
    """End an account's part in it; False if it had none. Raises NotTheirsError."""
    inquiry, by = _by_asker(tx, actor, inquiry_id)
    if not may_remove(inquiry.opened_by, by, account_id):
        raise NotTheirsError(inquiry_id)
    part = (InquiryAsker.inquiry_id == inquiry_id) & (InquiryAsker.account_id == account_id)
    if tx.session.scalar(delete(InquiryAsker).where(part).returning(InquiryAsker.account_id)) is None:
        return False
    audit.note(tx, actor, "remove_asker", (SUBJECT, inquiry_id), {"account_id": account_id})
    return True


def _set_closed(tx: Transaction, actor: Actor, inquiry_id: int, closed: bool) -> bool:
    locked(tx, inquiry_id)
    if actor.account_id is None or side_of(actor.account_id, inquiry_id) is None:
        raise NotTheirsError(inquiry_id)
    other = Inquiry.closed_at.is_(None) if closed else Inquiry.closed_at.is_not(None)
    switched = update(Inquiry).where(Inquiry.id == inquiry_id, other).values(closed_at=now() if closed else None)
    if tx.session.scalar(switched.returning(Inquiry.id)) is None:
        return False
    audit.note(tx, actor, "close" if closed else "reopen", (SUBJECT, inquiry_id))
    return True


def _by_asker(tx: Transaction, actor: Actor, inquiry_id: int) -> tuple[Inquiry, int]:
    inquiry = locked(tx, inquiry_id)
    if actor.account_id is None or side_of(actor.account_id, inquiry_id) is not Side.ASKER:
        raise NotTheirsError(inquiry_id)
    return inquiry, actor.account_id
