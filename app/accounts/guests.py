"""Guests: accounts without an e-mail address, each known by one browser, which holds a secret in a cookie."""

from datetime import timedelta

from flask_babel import gettext as _
from sqlalchemy import ColumnElement, func, insert, select

from app import tokens
from app.accounts import sessions
from app.accounts.models import Account, BrowserSession, Role
from app.clock import now
from app.columns import there_is
from app.faults import Fault, InvalidInput
from app.transaction import Transaction

MOST = 10_000
"""Of all together, so that strangers cannot fill the database."""

IS_GUEST: ColumnElement[bool] = Account.role == Role.GUEST


def welcome(tx: Transaction, language: str, browser: str, browser_hash: str | None) -> str:
    """Make a guest of whoever holds this browser, and return the secret for its cookie.

    Raises InvalidInput while there are as many guests as there may be.
    """
    tx.lock(Account)  # two who come at once are counted one after the other
    there_are = select(func.count()).where(IS_GUEST, Account.deleted_at.is_(None))
    if (tx.session.scalar(there_are) or 0) >= MOST:
        full = _("There is no room for another guest at the moment. Try again tomorrow, or sign in.")
        raise InvalidInput(Fault("guest", full))
    made = insert(Account).values(
        # Nobody finds it: typed addresses are lower case.
        email=f"GUEST {tokens.salt()}", name=_("Guest"), role=Role.GUEST, language=language, password_hash=None,
        active=True, created_at=now(),
    )  # fmt: skip
    account_id = tx.session.execute(made.returning(Account.id)).scalar_one()
    return sessions.begin(tx, account_id, browser, browser_hash)


def demand_named(role: Role) -> None:
    """Refuse what only somebody with an account of their own can be given. Raises InvalidInput for a guest."""
    if role is Role.GUEST:
        theirs = _("This is a guest, who has neither an e-mail address nor a password. Make an account for them.")
        raise InvalidInput(Fault("account", theirs))


def unseen_for(span: timedelta) -> ColumnElement[bool]:
    """SQL on `account`: a guest whose browser has not come for so long."""
    theirs = (BrowserSession.account_id == Account.id) & (BrowserSession.seen_at > now() - span)
    lately = there_is(BrowserSession, where=theirs)
    return IS_GUEST & Account.deleted_at.is_(None) & (Account.created_at <= now() - span) & ~lately
