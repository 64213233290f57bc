"""Letting this browser in, and out."""

from flask import flash, session
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app.accounts import sessions
from app.accounts.models import Account
from app.operations import guests
from app.transaction import Transaction
from app.web import guest_cookie, this_device
from app.web.guards import is_guest


def prepare(tx: Transaction) -> None:
    """Before anybody is let in: a guest's account is about to go, for which all accounts are locked first."""
    if is_guest():
        tx.lock(Account)


def end_present(tx: Transaction, account_id: int) -> None:
    """End the session that this browser has, if it has one. What a guest had here is this account's from now on."""
    if is_guest():
        guests.take_over(tx, current_user.id, account_id)
    elif current_user.is_authenticated:
        sessions.end(tx, current_user.id, current_user.session_id)


def enter(secret: str) -> None:
    """From the next request on this browser is signed in, and nothing of whoever used it before is left."""
    session.clear()
    session["_user_id"] = secret  # what Flask-Login asks `sessions.load` about


def arrive(answer: Response, secret: str, account_id: int) -> Response:
    """The same for somebody who was not signed in as this account until now."""
    enter(secret)
    if is_guest():
        flash(_("What you watched as a guest is in your account now."))
        answer = guest_cookie.forget(answer)
    return this_device.arrived(answer, account_id)
