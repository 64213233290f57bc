"""Finding an account to act on: it is there, and was not deleted."""

from dataclasses import dataclass

from flask_babel import gettext as _
from sqlalchemy import select

from app.accounts.models import Account, Role
from app.accounts.signed_in import Who
from app.extensions import db
from app.faults import Fault, InvalidInput
from app.transaction import Transaction

SUBJECT = "account"
"""What the audit calls it."""


class NoSuchAccountError(LookupError):
    """There is no account with this id, or not any more."""


@dataclass(frozen=True, slots=True)
class Known:
    """An account as it stands while it is held."""

    id: int
    email: str
    name: str
    role: Role
    language: str
    active: bool
    password_hash: str | None


def hold(tx: Transaction, account_id: int) -> Known:
    """The account, which nobody else changes until the end of the transaction. Raises NoSuchAccountError."""
    # Whoever restricts an account locks the table before the row; taken the other way round, the two could deadlock.
    tx.will_write(Account)
    columns = (Account.id, Account.email, Account.name, Account.role, Account.language, Account.active)
    present = (Account.id == account_id) & Account.deleted_at.is_(None)
    # NO KEY UPDATE: deliveries and shifts of this account may be written meanwhile.
    found = select(*columns, Account.password_hash).where(present).with_for_update(key_share=True)
    row = tx.session.execute(found).one_or_none()
    if row is None:
        raise NoSuchAccountError(account_id)
    return Known(row.id, row.email, row.name, Role(row.role), row.language, row.active, row.password_hash)


def who(account_id: int) -> Who:
    """An active account, to act or look as it. Raises NoSuchAccountError."""
    account = db.session.scalar(select(Account).where(Account.id == account_id, Account.active))
    if account is None:
        raise NoSuchAccountError(account_id)
    return Who(account.id, account.email, account.name, Role(account.role), account.language)


def id_of(email: str) -> int:
    """The account with this e-mail address. Raises InvalidInput when nobody has it."""
    found = db.session.scalar(select(Account.id).where(Account.email == email.strip().lower()))
    if found is None:
        raise InvalidInput(Fault("email", _("No account has this e-mail address.")))
    return found
