"""What stood in a guest's inbox comes into an account's."""

from sqlalchemy import update
from sqlalchemy.orm import aliased

from app.columns import there_is
from app.inbox.models import Notification
from app.transaction import Transaction


def take_over(tx: Transaction, guest_id: int, account_id: int) -> None:
    """All of it, read or not, but what the account was told of itself."""
    own = aliased(Notification)
    told = there_is(own, where=(own.account_id == account_id) & (own.event_key == Notification.event_key))
    moved = update(Notification).where(Notification.account_id == guest_id, ~told).values(account_id=account_id)
    tx.session.execute(moved, execution_options={"synchronize_session": False})
