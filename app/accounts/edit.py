"""Changing an account: its name and e-mail address, its role, its password."""

from flask_babel import gettext as _
from sqlalchemy import select, update

from app import audit
from app.accounts import invitations, sessions
from app.accounts.administrators import hold_to_restrict
from app.accounts.create import email_faults, role_faults
from app.accounts.known import SUBJECT, hold
from app.accounts.models import Account, Role
from app.audit import Actor
from app.faults import Fault, InvalidInput
from app.names import faults_of
from app.transaction import Transaction


def change_account(
    tx: Transaction, actor: Actor, account_id: int, *, email: str | None = None, name: str | None = None
) -> None:
    """Write another e-mail address or name; None keeps it. First in its transaction: it locks all accounts.

    Raises InvalidInput with every fault, also for an e-mail address already taken, and NoSuchAccountError.
    """
    tx.lock(Account)  # an address that somebody else is taking right now is taken
    account = hold(tx, account_id)
    email = account.email if email is None else email.strip().lower()
    name = account.name if name is None else name.strip()
    faults = [*email_faults(email), *faults_of(name)]
    others = (Account.email == email) & (Account.id != account_id)
    if not faults and tx.session.scalar(select(Account.id).where(others)) is not None:
        faults = [Fault("email", _("An account with this e-mail address already exists."))]
    if faults:
        raise InvalidInput(*faults)
    changed = {"email": email != account.email, "name": name != account.name}
    if any(changed.values()):
        tx.session.execute(update(Account).where(Account.id == account_id).values(email=email, name=name))
        audit.note(tx, actor, "change_account", (SUBJECT, account_id), changed)


def set_role(tx: Transaction, actor: Actor, account_id: int, role: str) -> bool:
    """Give another role; False if it is so already. Whoever is signed in as the account has to sign in again.

    First in its transaction: it locks all accounts. Raises InvalidInput as `hold_to_restrict` does and for a role that
    is none, NoSuchAccountError.
    """
    if faults := list(role_faults(role)):
        raise InvalidInput(*faults)
    account = hold_to_restrict(tx, actor, account_id)
    if account.role == role:
        return False
    tx.session.execute(update(Account).where(Account.id == account_id).values(role=role))
    sessions.end_all(tx, account_id)
    audit.note(tx, actor, "set_role", (SUBJECT, account_id), {"from": account.role.value, "to": Role(role).value})
    return True


def change_password(
    tx: Transaction, actor: Actor, account_id: int, present_hash: str, password_hash: str, session_id: int
) -> bool:
    """Replace the password whose hash was `present_hash`; False if it was replaced meanwhile.

    Every session but this one ends, and so does an invitation that is still open. Raises NoSuchAccountError.
    """
    if hold(tx, account_id).password_hash != present_hash:
        return False
    tx.session.execute(update(Account).where(Account.id == account_id).values(password_hash=password_hash))
    sessions.end_all(tx, account_id, but=session_id)
    invitations.end_open(tx, account_id)
    audit.note(tx, actor, "change_password", (SUBJECT, account_id))
    return True
