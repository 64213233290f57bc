"""Signing in, and who is signed in: plain values, so that no record outlives its transaction."""

from dataclasses import dataclass

from flask_login import UserMixin
from sqlalchemy import select, update

from app.accounts.models import Account, Role
from app.accounts.passwords import hash_password, matches, outdated
from app.audit import Actor
from app.extensions import db
from app.kinds import Reader
from app.transaction import writing


@dataclass(frozen=True)
class SignedIn(UserMixin):  # type: ignore[misc]  # Flask-Login has no types
    """The account that is signed in, as it was at the start of the request."""

    id: int
    email: str
    name: str
    role: Role
    language: str

    @property
    def actor(self) -> Actor:
        """This account as the one who acts."""
        return Actor(self.id, self.name)

    @property
    def reader(self) -> Reader:
        """This account as the one who looks."""
        return Reader(self.id, self.role)


def load(account_id: str) -> SignedIn | None:
    """Who a session cookie speaks of; None once the account is gone or no longer active."""
    if not account_id.isdecimal():
        return None
    account = db.session.get(Account, int(account_id))
    return _signed_in(account) if account is not None and account.active else None


def sign_in(email: str, password: str) -> SignedIn | None:
    """The account of this e-mail address and password, or None: which of the two was wrong is nobody's business."""
    account = db.session.scalar(select(Account).where(Account.email == email.strip().lower()))
    password_hash = account.password_hash if account is not None and account.active else None
    who = _signed_in(account) if account is not None else None
    if not matches(password_hash, password) or who is None or password_hash is None:
        return None
    if outdated(password_hash):
        _store(who.id, hash_password(password))
    return who


def _store(account_id: int, password_hash: str) -> None:
    with writing() as tx:
        tx.session.execute(update(Account).where(Account.id == account_id).values(password_hash=password_hash))


def _signed_in(account: Account) -> SignedIn:
    return SignedIn(account.id, account.email, account.name, Role(account.role), account.language)
