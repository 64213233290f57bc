"""Signing in, and who is signed in: plain values, so that no record outlives its transaction."""

from dataclasses import dataclass

from flask_login import UserMixin
from sqlalchemy import select, update

from app.accounts.models import Account, Role
from app.accounts.passwords import hash_password, matches, outdated
from app.audit import Actor
from app.extensions import db
from app.kinds import Reader
from app.transaction import Transaction


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
    account = db.session.scalar(select(Account).where(Account.email == email.strip().lower(), Account.active))
    who, password_hash = (_signed_in(account), account.password_hash) if account else (None, None)
    db.session.close()  # hashing takes long, and no transaction waits for it
    return who if matches(password_hash, password) else None


def renewed_hash(who: SignedIn, password: str) -> str | None:
    """The hash to store in place of one that was made with weaker parameters than today's; None if it need not be."""
    present = db.session.scalar(select(Account.password_hash).where(Account.id == who.id))
    db.session.close()
    return hash_password(password) if present and outdated(present) else None


def store_hash(tx: Transaction, account_id: int, password_hash: str) -> None:
    """Replace an account's password hash."""
    tx.session.execute(update(Account).where(Account.id == account_id).values(password_hash=password_hash))


def _signed_in(account: Account) -> SignedIn:
    return SignedIn(account.id, account.email, account.name, Role(account.role), account.language)
