"""Letting this browser in, and out."""

from flask import session
from flask_login import current_user

from app.accounts import sessions
from app.transaction import Transaction


def enter(secret: str) -> None:
    """From the next request on this browser is signed in, and nothing of whoever used it before is left."""
    session.clear()
    session["_user_id"] = secret  # what Flask-Login asks `sessions.load` about


def end_present(tx: Transaction) -> None:
    """End the session that this browser has, if it has one."""
    if current_user.is_authenticated:
        sessions.end(tx, current_user.id, current_user.session_id)
