"""What becomes of a guest: an account takes over what was the guest's, or it is forgotten.

All accounts are locked first, as whoever deletes one does. What is of a guest has no other owner, so nobody is asked.
"""

from datetime import timedelta

from sqlalchemy import select

from app.accounts.guests import unseen_for
from app.accounts.known import hold, hold_alone, hold_with
from app.accounts.models import Account
from app.accounts.sessions import IDLE_GUEST
from app.columns import there_is
from app.inbox import inherit as inbox
from app.kinds import HEIRS
from app.operations.deletion import erase
from app.outbox import transitions
from app.reach import devices
from app.reach.models import Device
from app.transaction import Transaction

IDLE_UNREACHED = timedelta(days=30)
"""Whoever has no device here is told nothing, and after so long will hardly come back to look."""


def take_over(tx: Transaction, guest_id: int, account_id: int) -> None:
    """The guest turned out to be this account: watches, devices, deliveries and inbox are the account's from now on,
    and nothing of the guest is left. What the account chose about being reached stays.

    First in its transaction. Raises NoSuchAccountError.
    """
    tx.lock(Account)
    hold_with(tx, account_id, [guest_id])
    tx.lock(Device)
    # In the order in which `erase` takes them.
    devices.take_over(tx, guest_id, account_id)
    # What is being found for the guest at this moment is waited for, or `erase` would end it. Not before their devices
    # are held: whoever notes what was told passes by an account that somebody holds alone.
    hold_alone(tx, guest_id)
    transitions.take_over(tx, guest_id, account_id)
    inbox.take_over(tx, guest_id, account_id)
    for take_over_from in HEIRS:
        take_over_from(tx, guest_id, account_id)
    erase(tx, guest_id)


def forget(tx: Transaction, guest_id: int) -> None:
    """The guest wants nothing any more, and to be forgotten. First in its transaction. Raises NoSuchAccountError."""
    tx.lock(Account)
    hold(tx, guest_id)
    erase(tx, guest_id)


def forget_idle(tx: Transaction, limit: int) -> int:
    """Forget guests who have not come for a year, or for a month and have no device; how many, at most so many."""
    tx.lock(Account)
    tx.lock(Device)  # several guests' in a row: whoever notes answers has some of them
    reached = there_is(Device, where=Device.account_id == Account.id)
    idle = unseen_for(IDLE_GUEST) | (unseen_for(IDLE_UNREACHED) & ~reached)
    gone = list(tx.session.scalars(select(Account.id).where(idle).order_by(Account.id).limit(limit)))
    for guest_id in gone:
        erase(tx, guest_id)
    return len(gone)
