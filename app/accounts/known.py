"""Finding an account to act on: it is there, and was not deleted.

Whoever deletes or suspends an account locks all accounts, then the row, then the rows that it has elsewhere: posts at
stores, parts in conversations. So whoever gives an account such a row first locks what the row is of (the store, the
inquiry), then holds the account, then writes the row. In another order the two could deadlock; without holding it, an
account that was deleted meanwhile would be an owner.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from flask_babel import gettext as _
from sqlalchemy import ColumnElement, select

from app.accounts.models import Account, Role
from app.accounts.signed_in import Who
from app.extensions import db
from app.faults import Fault, InvalidInput
from app.names import called
from app.transaction import Transaction

SUBJECT = "account"
"""What the audit calls it."""


class NoSuchAccountError(LookupError):
    """There is no account with this id, or not any more."""

    def __init__(self, account_id: int) -> None:
        super().__init__(account_id)
        self.account_id = account_id


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
    for account in _held(tx, Account.id == account_id):
        return account
    raise NoSuchAccountError(account_id)


def hold_alone(tx: Transaction, account_id: int) -> None:
    """Hold one that is held already against those, too, who write rows that refer to it: they wait, or are waited for,
    so that whoever deletes it sees every row that there is."""
    tx.session.execute(select(Account.id).where(Account.id == account_id).with_for_update())


def hold_with(tx: Transaction, account_id: int, others: Collection[int]) -> None:
    """Hold an account and those of `others` that are there. Raises NoSuchAccountError for the first."""
    if account_id not in {account.id for account in _held(tx, Account.id.in_({account_id, *others}))}:
        raise NoSuchAccountError(account_id)


def hold_active(
    tx: Transaction, emails: Collection[str], field: str = "email", *, by: int | None = None
) -> list[Known]:
    """The active accounts with these e-mail addresses, held together with the one that acts.

    Raises InvalidInput with a fault for each address that has none, NoSuchAccountError for whoever acts.
    """
    wanted = dict.fromkeys(map(_typed, emails))
    held = _held(tx, Account.email.in_(wanted) if by is None else Account.email.in_(wanted) | (Account.id == by))
    if by is not None and by not in {account.id for account in held}:
        raise NoSuchAccountError(by)
    found = {account.email: account for account in held}
    if faults := [Fault(field, fault) for fault in _faults(wanted, found)]:
        raise InvalidInput(*faults)
    return [found[email] for email in wanted]


def who(account_id: int) -> Who:
    """An active account, to act or look as it. Raises NoSuchAccountError."""
    account = db.session.scalar(select(Account).where(Account.id == account_id, Account.active))
    if account is None:
        raise NoSuchAccountError(account_id)
    return Who(account.id, account.email, account.name, Role(account.role), account.language)


def id_of(email: str) -> int:
    """The account with this e-mail address, be it suspended, for a verb that holds it. Raises InvalidInput."""
    found = db.session.scalar(select(Account.id).where(Account.email == _typed(email)))
    if found is None:
        raise InvalidInput(Fault("email", _nobody(_typed(email))))
    return found


def names_of(account_ids: Collection[int]) -> Mapping[int, str]:
    """What each is called, also one that was deleted."""
    if not account_ids:
        return {}
    rows = db.session.execute(select(Account.id, Account.name).where(Account.id.in_(account_ids)))
    return {account_id: called(name) for account_id, name in rows}


def _held(tx: Transaction, which: ColumnElement[bool]) -> list[Known]:
    # Whoever restricts an account locks the table before the row; taken the other way round, the two could deadlock.
    tx.will_write(Account)
    columns = (Account.id, Account.email, Account.name, Account.role, Account.language, Account.active)
    present = select(*columns, Account.password_hash).where(which, Account.deleted_at.is_(None))
    # In the order of their ids, for two who hold the same ones. NO KEY UPDATE: deliveries and shifts of these accounts
    # may be written meanwhile.
    rows = tx.session.execute(present.order_by(Account.id).with_for_update(key_share=True))
    return [
        Known(row.id, row.email, row.name, Role(row.role), row.language, row.active, row.password_hash) for row in rows
    ]


def _faults(wanted: Collection[str], found: Mapping[str, Known]) -> Iterator[str]:
    for email in wanted:
        if email not in found:
            yield _nobody(email)
        elif not found[email].active:
            yield _("The account with the e-mail address %(email)s is suspended.", email=email)


def _nobody(email: str) -> str:
    return str(_("There is no account with the e-mail address %(email)s.", email=email))


def _typed(email: str) -> str:
    return email.strip().lower()
