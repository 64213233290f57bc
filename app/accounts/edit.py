"""Changing an account: its name and e-mail address."""

from flask_babel import gettext as _
from sqlalchemy import select, update

from app import audit
from app.accounts.create import email_faults
from app.accounts.guests import demand_named
from app.accounts.known import SUBJECT, hold
from app.accounts.models import Account
from app.audit import Actor
from app.faults import Fault, InvalidInput
from app.names import faults_of
from app.transaction import Transaction


def change_account(
    tx: Transaction, actor: Actor, account_id: int, *, email: str | None = None, name: str | None = None
) -> None:
    """Write another e-mail address or name; None keeps it. First in its transaction: it locks all accounts.

    Raises InvalidInput with every fault, also for an e-mail address already taken and for a guest, and
    NoSuchAccountError.
    """
    tx.lock(Account)  # an address that somebody else is taking right now is taken
    account = hold(tx, account_id)
    demand_named(account.role)
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
