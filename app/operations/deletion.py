"""Deleting an account: what was the person's goes, what history refers to stays as an empty row."""

from sqlalchemy import delete, update

from app import audit
from app.accounts import sessions
from app.accounts.administrators import hold_to_restrict
from app.accounts.known import SUBJECT
from app.accounts.models import Account, Invitation
from app.audit import Actor
from app.clock import now
from app.codes import CancelReason
from app.outbox import queries, transitions
from app.reach.models import LineLink
from app.transaction import Transaction


def delete_account(tx: Transaction, actor: Actor, account_id: int) -> None:
    """Erase name, e-mail address, password, LINE link and invitations, and end what waits. First in its transaction.

    The row itself always stays: at least the audit speaks of it, and SQLite would give its id to the next account,
    whose history would then begin with somebody else's. Its e-mail address becomes one that nobody finds: typed ones
    are lower case. Shifts keep their tutor until somebody gives them to another.
    Raises InvalidInput for one's own account and for the last administrator, NoSuchAccountError.
    """
    hold_to_restrict(tx, actor, account_id)
    transitions.cancel(tx, queries.waiting_for(account_id), CancelReason.RECIPIENT_DISABLED)
    transitions.forget_person(tx, account_id)
    sessions.end_all(tx, account_id)
    tx.session.execute(delete(Invitation).where(Invitation.account_id == account_id))
    tx.session.execute(delete(LineLink).where(LineLink.account_id == account_id))
    audit.forget_name(tx, account_id)
    audit.note(tx, actor, "delete_account", (SUBJECT, account_id))
    emptied = {"email": f"DELETED {account_id}", "name": "", "password_hash": None, "active": False}
    tx.session.execute(update(Account).where(Account.id == account_id).values(**emptied, deleted_at=now()))
