"""The browsers that are signed in: one row each, so that each can be ended by itself and at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, select, update

from app import audit, tokens
from app.accounts.known import SUBJECT, hold
from app.accounts.models import Account, BrowserSession, Role
from app.accounts.signed_in import SignedIn
from app.audit import Actor
from app.clock import now
from app.extensions import db
from app.transaction import Transaction

IDLE = timedelta(days=30)
"""A browser that did not come for so long has to sign in again."""

COARSE = timedelta(hours=1)
"""How exactly `seen_at` is kept: a page view writes at most so often."""


@dataclass(frozen=True, slots=True)
class SignedInBrowser:
    """One browser that is signed in, as a page shows it."""

    id: int
    browser: str
    created_at: datetime
    seen_at: datetime


def begin(tx: Transaction, account_id: int, browser: str) -> str:
    """Sign a browser in, and return the secret for its cookie. Forgets those of this account that no longer count."""
    at, secret = now(), tokens.secret()
    tx.session.execute(
        delete(BrowserSession).where(BrowserSession.account_id == account_id, BrowserSession.seen_at <= at - IDLE)
    )
    tx.session.add(
        BrowserSession(
            account_id=account_id, token_hash=tokens.digest(secret), browser=browser, created_at=at, seen_at=at
        )
    )
    return secret


def load(secret: str) -> SignedIn | None:
    """Who a cookie speaks of; None once the session has ended or the account is suspended. One indexed read."""
    row = db.session.execute(
        select(BrowserSession.id, BrowserSession.seen_at, Account)
        .join(Account, Account.id == BrowserSession.account_id)
        .where(BrowserSession.token_hash == tokens.digest(secret), BrowserSession.seen_at > now() - IDLE)
        .where(Account.active)
    ).one_or_none()
    if row is None:
        return None
    session_id, seen_at, account = row
    return SignedIn(
        account.id, account.email, account.name, Role(account.role), account.language, session_id,
        stale=seen_at < now() - COARSE,
    )  # fmt: skip


def note_seen(tx: Transaction, session_id: int) -> None:
    """The browser came again."""
    tx.session.execute(update(BrowserSession).where(BrowserSession.id == session_id).values(seen_at=now()))


def browsers(account_id: int) -> Sequence[SignedInBrowser]:
    """The browsers in which an account is signed in, the last seen first."""
    counting = (BrowserSession.account_id == account_id) & (BrowserSession.seen_at > now() - IDLE)
    columns = (BrowserSession.id, BrowserSession.browser, BrowserSession.created_at, BrowserSession.seen_at)
    rows = select(*columns).where(counting).order_by(BrowserSession.seen_at.desc(), BrowserSession.id.desc())
    return [SignedInBrowser(*row) for row in db.session.execute(rows)]


def end(tx: Transaction, account_id: int, session_id: int) -> bool:
    """Sign one browser of this account out; False if it was so already, or is not this account's."""
    that = (BrowserSession.id == session_id) & (BrowserSession.account_id == account_id)
    return tx.session.scalar(delete(BrowserSession).where(that).returning(BrowserSession.id)) is not None


def end_all(tx: Transaction, account_id: int, but: int | None = None) -> None:
    """Sign an account out everywhere, or everywhere else."""
    others = BrowserSession.account_id == account_id
    if but is not None:
        others &= BrowserSession.id != but
    tx.session.execute(delete(BrowserSession).where(others))


def sign_out(tx: Transaction, actor: Actor, account_id: int, session_id: int) -> bool:
    """End one browser's session because somebody asked for it; False if there was none. Raises NoSuchAccountError."""
    hold(tx, account_id)
    ended = end(tx, account_id, session_id)
    if ended:
        audit.note(tx, actor, "sign_out", (SUBJECT, account_id))
    return ended


def sign_out_everywhere(tx: Transaction, actor: Actor, account_id: int, but: int | None = None) -> None:
    """End every session of an account, or every one `but` this. Raises NoSuchAccountError."""
    hold(tx, account_id)
    end_all(tx, account_id, but)
    audit.note(tx, actor, "sign_out_everywhere", (SUBJECT, account_id))
