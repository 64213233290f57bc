"""What a guest watched becomes an account's own."""

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.orm import aliased

from app.clock import now
from app.columns import there_is
from app.sources.prices.models import Watch
from app.sources.prices.watch import hold_all
from app.transaction import Transaction

UNSYNCHRONISED = {"synchronize_session": False}


def take_over(tx: Transaction, guest_id: int, account_id: int) -> None:
    """From now on the account waits for it, however much it watches already. Of the same wish for the same item, its
    own watch stays, unless that alone is paused, and the other is removed: what it has found comes too late. What the
    guest was told last is told already."""
    hold_all(tx, guest_id, account_id)
    _note_told(tx, guest_id, account_id)
    _remove_twice(tx, account_id, guest_id, Watch.paused_at.is_not(None), goes_on=True)
    _remove_twice(tx, guest_id, account_id)
    moved = update(Watch).where(Watch.account_id == guest_id).values(account_id=account_id)
    tx.session.execute(moved, execution_options=UNSYNCHRONISED)


def _note_told(tx: Transaction, guest_id: int, account_id: int) -> None:
    """The account's own watches know what the same ones of the guest told later than they."""
    theirs = aliased(Watch)
    same = (theirs.account_id == guest_id) & (theirs.item_id == Watch.item_id) & (theirs.trigger == Watch.trigger)
    told_later = (theirs.last_notified_at > Watch.last_notified_at) | Watch.last_notified_at.is_(None)
    later = same & theirs.removed_at.is_(None) & theirs.last_notified_at.is_not(None) & told_later
    told = {
        name: select(getattr(theirs, name)).where(later).scalar_subquery()
        for name in ("last_notified_price", "last_notified_at", "false_since")
    }
    own = (Watch.account_id == account_id, Watch.removed_at.is_(None), there_is(theirs, where=later))
    tx.session.execute(update(Watch).where(*own).values(told), execution_options=UNSYNCHRONISED)


def _remove_twice(
    tx: Transaction, account_id: int, other_id: int, *which: ColumnElement[bool], goes_on: bool = False
) -> None:
    """Those of one account that the other has as well and, if it `goes_on` there, has not paused."""
    other = aliased(Watch)
    same = (other.item_id == Watch.item_id) & (other.trigger == Watch.trigger) & other.removed_at.is_(None)
    if goes_on:
        same &= other.paused_at.is_(None)
    twice = there_is(other, where=(other.account_id == other_id) & same)
    live = (Watch.account_id == account_id, Watch.removed_at.is_(None))
    removed = update(Watch).where(*live, *which, twice).values(removed_at=now())
    tx.session.execute(removed, execution_options=UNSYNCHRONISED)
