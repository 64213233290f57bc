"""What a guest watched becomes an account's own."""

from sqlalchemy import update
from sqlalchemy.orm import aliased

from app.clock import now
from app.columns import there_is
from app.sources.prices.models import Watch
from app.transaction import Transaction


def take_over(tx: Transaction, guest_id: int, account_id: int) -> None:
    """From now on the account waits for it, however much it watches already. Of the same wish for the same item, its
    own watch stays, and the guest's is removed: what it has found comes too late."""
    own = aliased(Watch)
    same = (own.item_id == Watch.item_id) & (own.trigger == Watch.trigger) & own.removed_at.is_(None)
    twice = there_is(own, where=(own.account_id == account_id) & same)
    theirs = Watch.account_id == guest_id
    unsynchronised = {"synchronize_session": False}
    removed = update(Watch).where(theirs, Watch.removed_at.is_(None), twice).values(removed_at=now())
    tx.session.execute(removed, execution_options=unsynchronised)
    moved = update(Watch).where(theirs).values(account_id=account_id)
    tx.session.execute(moved, execution_options=unsynchronised)
