"""Inviting somebody: an account, and the link by which its owner sets a password."""

from flask import render_template, request
from flask_login import current_user

from app.accounts.invitations import invite_somebody
from app.accounts.known import id_of
from app.faults import InvalidInput
from app.i18n import language
from app.transaction import writing
from app.web import words
from app.web.account_acts import invited
from app.web.forms import by_field
from app.web.guards import ADMINS, Pages

FIELDS = ("email", "name", "role", "language")

pages = Pages("account_new", open_to=ADMINS)


@pages.get("/settings/accounts/new")
def show() -> str:
    """The form."""
    return _form({"role": "member", "language": language()}, {})


@pages.post("/settings/accounts/new")
def add() -> tuple[str, int]:
    """Make the account, and show its link this once: it is kept nowhere."""
    given = {name: request.form.get(name, "") for name in FIELDS}
    try:
        with writing() as tx:
            account_id, token = invite_somebody(tx, current_user.actor, **given)
    except InvalidInput as error:
        return _form(given, by_field(error.faults), _present(given["email"])), 422
    return invited(account_id, token), 201


def _present(email: str) -> int | None:
    """The account that has this address already: who lost its link by loading the page anew makes another there."""
    try:
        return id_of(email)
    except InvalidInput:
        return None


def _form(typed: dict[str, str], faults: dict[str, str], present: int | None = None) -> str:
    return render_template("accounts/new.html", typed=typed, faults=faults, present=present, words=words)
