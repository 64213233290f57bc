"""Signing in with a password."""

from dataclasses import dataclass, field

from sqlalchemy import select, update

from app.accounts import sessions
from app.accounts.known import NoSuchAccountError, hold
from app.accounts.models import Account
from app.accounts.passwords import hash_password, matches, outdated
from app.extensions import db
from app.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Recognised:
    """An account whose password was given. `stronger` replaces a hash made with weaker parameters than today's."""

    account_id: int
    password_hash: str = field(repr=False)
    stronger: str | None = field(repr=False)


def recognise(email: str, password: str) -> Recognised | None:
    """The account of this e-mail address and password, or None: which of the two was wrong is nobody's business."""
    known = select(Account.id, Account.password_hash).where(Account.email == email.strip().lower(), Account.active)
    account_id, password_hash = db.session.execute(known).one_or_none() or (0, None)
    db.session.close()  # hashing takes long, and no transaction waits for it
    if not matches(password_hash, password) or password_hash is None:
        return None
    return Recognised(account_id, password_hash, hash_password(password) if outdated(password_hash) else None)


def sign_in(tx: Transaction, who: Recognised, browser: str, browser_hash: str | None) -> str | None:
    """Let them in, and return the secret for the cookie; None if the account is suspended, deleted or has another
    password since it was recognised."""
    try:
        account = hold(tx, who.account_id)
    except NoSuchAccountError:
        return None
    if not account.active or account.password_hash != who.password_hash:
        return None
    if who.stronger is not None:
        tx.session.execute(update(Account).where(Account.id == account.id).values(password_hash=who.stronger))
    return sessions.begin(tx, account.id, browser, browser_hash)
