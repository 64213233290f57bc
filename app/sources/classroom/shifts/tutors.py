"""Who may be given a shift: whoever is active, or has it already."""

from flask_babel import gettext as _
from sqlalchemy import select

from app.accounts.guests import IS_GUEST
from app.accounts.models import Account
from app.extensions import db
from app.faults import Fault
from app.names import called


def tutors(besides: int | None = None) -> dict[int, tuple[str, str]]:
    """Name and e-mail address of whoever may be given a shift, by account: the active ones, guests aside, and
    `besides`."""
    choosable = (Account.active & ~IS_GUEST) | (Account.id == besides)
    rows = db.session.execute(
        select(Account.id, Account.name, Account.email).where(choosable).order_by(Account.name, Account.id)
    )
    return {account_id: (called(name), email) for account_id, name, email in rows}


def is_suspended(account_id: int) -> bool:
    """Whether there is such an account, and it is not active."""
    return db.session.scalar(select(Account.id).where(Account.id == account_id, ~Account.active)) is not None


def suspended(field: str) -> Fault:
    """The fault of a field that gives a shift to such an account."""
    return Fault(field, _("This account is suspended, so it gets no shifts. Resume it first, or choose another."))
