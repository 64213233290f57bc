"""Choosing people: by their e-mail address, and from the platform's staff."""

from collections.abc import Collection, Iterator

from flask_babel import gettext as _
from sqlalchemy import select

from app.accounts.models import STAFF, Account
from app.extensions import db
from app.faults import Fault, InvalidInput


def account_of(email: str, field: str) -> int:
    """The active account with this e-mail address. Raises InvalidInput."""
    return accounts_of([email], field)[0]


def accounts_of(emails: Collection[str], field: str) -> list[int]:
    """The active accounts with these e-mail addresses. Raises InvalidInput that names each one without."""
    wanted = dict.fromkeys(email.strip().lower() for email in emails)
    rows = select(Account.email, Account.id).where(Account.email.in_(wanted), Account.active)
    found = dict(db.session.execute(rows).all())
    if faults := [Fault(field, _("There is no account with the e-mail address %(email)s.", email=email))
                  for email in wanted if email not in found]:  # fmt: skip
        raise InvalidInput(*faults)
    return list(found.values())


def platform_staff(but: int) -> dict[int, str]:
    """The names of those who may be mentioned by this account, by their ids, in the order of their names."""
    rows = select(Account.id, Account.name).where(Account.role.in_(STAFF), Account.active, Account.id != but)
    return dict(db.session.execute(rows.order_by(Account.name, Account.id)).all())


def faults_of_mentions(account_ids: Collection[int], by: int) -> Iterator[Fault]:
    """Only the platform's staff can be mentioned."""
    if account_ids and not set(account_ids) <= platform_staff(but=by).keys():
        yield Fault("mentions", _("Choose from the list: only people who run this platform can be mentioned."))
