"""Accounts with what reaches them, as pages show them: plain values, without any LINE id."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import ColumnElement, or_, select, true

from app.accounts.guests import IS_GUEST
from app.accounts.models import Account, Role
from app.extensions import db
from app.names import called
from app.reach.models import LineLink

LineState = Literal["on", "off", "none"]


@dataclass(frozen=True, slots=True)
class Person:
    """One account. `line`: whether it takes LINE messages, has them switched off, or has no link."""

    id: int
    email: str
    name: str
    role: Role
    language: str
    active: bool
    can_sign_in: bool
    line: LineState
    deleted_at: datetime | None


def people(words: str, after: tuple[str, int] | None, size: int) -> list[Person]:
    """Accounts, guests aside, by name whose name or e-mail address holds these words, from just after (name, id)."""
    found = or_(Account.name.icontains(words, autoescape=True), Account.email.icontains(words, autoescape=True))
    further: ColumnElement[bool] = true()
    if after is not None:
        name, account_id = after
        further = or_(Account.name > name, (Account.name == name) & (Account.id > account_id))
    return _people(found & further & Account.deleted_at.is_(None) & ~IS_GUEST, size)


def get_person(account_id: int) -> Person | None:
    """One account, even a deleted one."""
    return next(iter(_people(Account.id == account_id, 1)), None)


def _people(which: ColumnElement[bool], size: int) -> list[Person]:
    rows = db.session.execute(
        select(Account, LineLink.enabled)
        .outerjoin(LineLink, LineLink.account_id == Account.id)
        .where(which)
        .order_by(Account.name, Account.id)
        .limit(size)
    )
    return [_person(account, enabled) for account, enabled in rows]


def _person(account: Account, enabled: bool | None) -> Person:
    return Person(
        id=account.id,
        email=account.email,
        name=called(account.name),
        role=Role(account.role),
        language=account.language,
        active=account.active,
        can_sign_in=account.active and account.password_hash is not None,
        line="none" if enabled is None else "on" if enabled else "off",
        deleted_at=account.deleted_at,
    )
