"""What the holder of an invitation sees: a form for a password, or why the link is good no more."""

from flask import Response, make_response, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from app.accounts import invitations
from app.accounts.invitations import Invited, Standing
from app.accounts.passwords import hash_password
from app.extensions import limiter
from app.faults import Fault, InvalidInput
from app.operations.access import accept_invitation
from app.transaction import writing
from app.web import words
from app.web.browsers import this_browser
from app.web.entering import arrive, end_present, prepare
from app.web.forms import by_field
from app.web.guards import EVERYONE, Pages
from app.web.this_device import browser_hash

LOOKS, TRIES = "60 per minute", "10 per minute"
"""For one network address."""

ADDRESS = "/invitations/<token>"

pages = Pages("invitations", open_to=EVERYONE)


@pages.get(ADDRESS)
@limiter.limit(LOOKS)
def show(token: str) -> Response:
    """The form. Looking changes nothing: LINE fetches every link in a chat to draw a preview of it."""
    invited = invitations.look(token)
    return _form(invited, {}, 200) if _is_open(invited) else _closed(invited)


@pages.post(ADDRESS)
@limiter.limit(TRIES)
def accept(token: str) -> Response | AnyResponse:
    """Set the password, and let them in."""
    invited = invitations.look(token)
    if not _is_open(invited):
        return _closed(invited)
    try:
        password_hash = hash_password(new_password())
    except InvalidInput as error:
        return _form(invited, by_field(error.faults), 422)
    with writing() as tx:
        prepare(tx)
        secret = accept_invitation(tx, token, password_hash, this_browser(), browser_hash())
        if invited is not None and secret is not None:
            end_present(tx, invited.account_id)
    if invited is None or secret is None:
        return _closed(invitations.look(token))
    return arrive(redirect(url_for("home.show"), 303), secret, invited.account_id)


def new_password() -> str:
    """The new password, typed twice. Raises InvalidInput when the two differ."""
    password = request.form.get("password", "")
    if request.form.get("again", "") != password:
        raise InvalidInput(Fault("again", _("The two are not the same. Type the password twice.")))
    return password


def _is_open(invited: Invited | None) -> bool:
    return invited is not None and invited.standing is Standing.OPEN


def _form(invited: Invited | None, faults: dict[str, str], status: int) -> Response:
    return _answer(render_template("invitations/show.html", invited=invited, faults=faults, here=request.path), status)


def _closed(invited: Invited | None) -> Response:
    if invited is None:
        return _answer(render_template("invitations/closed.html", why=words.NO_INVITATION, here=request.path), 404)
    why = words.INVITATIONS_CLOSED[invited.standing]
    return _answer(render_template("invitations/closed.html", why=why, here=request.path), 410)


def _answer(page: str, status: int) -> Response:
    response = make_response(page, status)
    # Not even our own server is told the address as a referrer, for its log. With "no-referrer" browsers would leave
    # out the Origin of the form as well, and under HTTPS the form would be refused.
    response.headers["Referrer-Policy"] = "strict-origin"
    return response
