"""Deleting an account: what was the person's goes, what history refers to stays as an empty row."""

from flask_babel import gettext as _
from sqlalchemy import delete, update

from app import audit
from app.accounts import sessions
from app.accounts.administrators import hold_to_restrict
from app.accounts.known import SUBJECT, hold_alone
from app.accounts.memberships import Membership, only_owner_of
from app.accounts.models import Account, Invitation
from app.audit import Actor
from app.clock import now
from app.codes import CancelReason
from app.faults import Fault, InvalidInput
from app.inbox.models import Notification
from app.kinds import FORGETTERS
from app.outbox import queries, transitions
from app.reach.models import Device, LineLink, Preference, QuietHours
from app.transaction import Transaction

PERSONAL = (Invitation, LineLink, Preference, QuietHours, Membership, Notification)
"""The tables whose rows are one person's own, aside from devices, which go first."""


def delete_account(tx: Transaction, actor: Actor, account_id: int) -> None:
    """Erase what is the person's own, and end what waits for them. First in its transaction.

    Name, e-mail address, password, LINE link, devices, choices, inbox, posts at stores, invitations, sessions go,
    and what each source forgets of a person.

    The row itself always stays: at least the audit speaks of it, and SQLite would give its id to the next account,
    whose history would then begin with somebody else's. Its e-mail address becomes one that nobody finds: typed ones
    are lower case. Shifts keep their tutor until somebody gives them to another.
    Raises InvalidInput for one's own account, the last administrator and the only owner of a store,
    NoSuchAccountError.
    """
    hold_to_restrict(tx, actor, account_id)
    _demand_heirs(tx, account_id)
    erase(tx, account_id)
    audit.forget_name(tx, account_id)
    audit.note(tx, actor, "delete_account", (SUBJECT, account_id))


def erase(tx: Transaction, account_id: int) -> None:
    """The same for whoever holds the account, and may do so."""
    hold_alone(tx, account_id)
    # Devices before deliveries, as the engine takes them when it notes an answer: else the two could deadlock.
    tx.session.execute(delete(Device).where(Device.account_id == account_id))
    transitions.cancel(tx, queries.waiting_for(account_id), CancelReason.RECIPIENT_DISABLED)
    transitions.forget_person(tx, account_id)
    sessions.end_all(tx, account_id)
    for theirs in PERSONAL:
        tx.session.execute(delete(theirs).where(theirs.account_id == account_id))
    for forget in FORGETTERS:
        forget(tx, account_id)
    emptied = {"email": f"DELETED {account_id}", "name": "", "password_hash": None, "active": False}
    tx.session.execute(update(Account).where(Account.id == account_id).values(**emptied, deleted_at=now()))


def _demand_heirs(tx: Transaction, account_id: int) -> None:
    """Raises InvalidInput with the stores that would be left without an owner."""
    tx.lock(Membership)  # the other owner may be leaving at this moment
    if stores := only_owner_of(account_id):
        heir = _("Nobody else owns %(stores)s: hand over first.", stores=", ".join(stores.values()))
        raise InvalidInput(Fault("account", heir))
