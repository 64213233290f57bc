"""The browsers that are signed in: one row each, so that each can be ended by itself and at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, delete, or_, select, update

from app import tokens
from app.accounts.models import Account, BrowserSession, Role
from app.accounts.signed_in import SignedIn
from app.clock import now
from app.extensions import db
from app.transaction import Transaction

IDLE = timedelta(days=30)
"""A browser that did not come for so long has to sign in again."""

IDLE_GUEST = timedelta(days=365)
"""A guest has no way to sign in again, and loses what is watched here."""

COARSE = timedelta(hours=1)
"""How exactly `seen_at` is kept: a page view writes at most so often."""


class NoSuchSessionError(LookupError):
    """This browser is not signed in as this account any more."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A session that has just ended, and what devices know its browser by."""

    browser_hash: str | None


@dataclass(frozen=True, slots=True)
class SignedInBrowser:
    """One browser that is signed in, as a page shows it."""

    id: int
    browser: str
    created_at: datetime
    seen_at: datetime


def begin(tx: Transaction, account_id: int, browser: str, browser_hash: str | None) -> str:
    """Sign a browser in, and return the secret for its cookie. Forgets those of this account that no longer count.

    One that this browser had before is of these: a browser that was closed has lost its cookie, but not its device's.
    """
    at, secret = now(), tokens.secret()
    over = BrowserSession.seen_at <= at - IDLE
    if browser_hash is not None:
        over |= BrowserSession.browser_hash == browser_hash
    tx.session.execute(delete(BrowserSession).where(BrowserSession.account_id == account_id, over))
    tx.session.add(
        BrowserSession(
            account_id=account_id, token_hash=tokens.digest(secret), browser=browser, created_at=at, seen_at=at,
            browser_hash=browser_hash,
        )
    )  # fmt: skip
    return secret


def load(secret: str) -> SignedIn | None:
    """Who a cookie speaks of; None once the session has ended or the account is suspended. One indexed read."""
    row = db.session.execute(
        select(BrowserSession.id, BrowserSession.seen_at, Account)
        .join(Account, Account.id == BrowserSession.account_id)
        .where(BrowserSession.token_hash == tokens.digest(secret), _counts(), Account.active)
    ).one_or_none()
    if row is None:
        return None
    session_id, seen_at, account = row
    return SignedIn(
        account.id, account.email, account.name, Role(account.role), account.language, session_id,
        stale=seen_at < now() - COARSE,
    )  # fmt: skip


def _counts() -> ColumnElement[bool]:
    lately, of_guest = BrowserSession.seen_at > now() - IDLE, BrowserSession.seen_at > now() - IDLE_GUEST
    return or_(lately, and_(Account.role == Role.GUEST, of_guest))


def note_seen(tx: Transaction, session_id: int, browser_hash: str | None) -> None:
    """The browser came again, with this device's cookie or with none."""
    known = {"browser_hash": browser_hash} if browser_hash is not None else {}
    tx.session.execute(update(BrowserSession).where(BrowserSession.id == session_id).values(seen_at=now(), **known))


def note_device(tx: Transaction, account_id: int, session_id: int, browser_hash: str) -> None:
    """The browser is a device from now on. Raises NoSuchSessionError, for one that was signed out at this moment.

    Whoever calls it holds the account, as whoever signs browsers out elsewhere does.
    """
    this = (BrowserSession.id == session_id) & (BrowserSession.account_id == account_id)
    noted = update(BrowserSession).where(this).values(browser_hash=browser_hash)
    if tx.session.scalar(noted.returning(BrowserSession.id)) is None:
        raise NoSuchSessionError(session_id)


def renew(tx: Transaction, account_id: int, session_id: int) -> str:
    """Give a session another secret, and return it: whoever copied its cookie is signed out with all others.

    Raises NoSuchSessionError.
    """
    renewed = tokens.secret()
    this = (BrowserSession.id == session_id) & (BrowserSession.account_id == account_id)
    hashed = update(BrowserSession).where(this).values(token_hash=tokens.digest(renewed))
    if tx.session.scalar(hashed.returning(BrowserSession.id)) is None:
        raise NoSuchSessionError(session_id)
    return renewed


def browsers(account_id: int) -> Sequence[SignedInBrowser]:
    """The browsers in which an account is signed in, the last seen first."""
    counting = (BrowserSession.account_id == account_id) & (BrowserSession.seen_at > now() - IDLE)
    columns = (BrowserSession.id, BrowserSession.browser, BrowserSession.created_at, BrowserSession.seen_at)
    rows = select(*columns).where(counting).order_by(BrowserSession.seen_at.desc(), BrowserSession.id.desc())
    return [SignedInBrowser(*row) for row in db.session.execute(rows)]


def end(tx: Transaction, account_id: int, session_id: int) -> Ended | None:
    """Sign one browser of this account out; None if it was so already, or is not this account's."""
    that = (BrowserSession.id == session_id) & (BrowserSession.account_id == account_id)
    row = tx.session.execute(delete(BrowserSession).where(that).returning(BrowserSession.browser_hash)).one_or_none()
    return Ended(row.browser_hash) if row is not None else None


def end_all(tx: Transaction, account_id: int, but: int | None = None) -> None:
    """Sign an account out everywhere, or everywhere else."""
    others = BrowserSession.account_id == account_id
    if but is not None:
        others &= BrowserSession.id != but
    tx.session.execute(delete(BrowserSession).where(others))
