"""One's own account: name, language, password, and the browsers that are signed in."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from flask import abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app.accounts import edit, sessions
from app.accounts.passwords import hash_password
from app.accounts.sign_in import recognise
from app.extensions import limiter
from app.faults import Fault, InvalidInput
from app.operations import access, people
from app.operations.access import Here
from app.transaction import Transaction, writing
from app.web import pace, words
from app.web.cursors import BIGGEST_ID
from app.web.entering import enter
from app.web.forms import by_field
from app.web.guards import SIGNED_IN, Pages
from app.web.invitations import new_password
from app.web.this_device import browser_hash

TRIES = "10 per minute"
"""For one account, whoever guesses its password."""

ADDRESS = "/settings/me"

Answer = Response | tuple[str, int]

pages = Pages("own_account", open_to=SIGNED_IN)


@pages.get(ADDRESS)
def show() -> str:
    """What stands there now."""
    return _page()


@pages.post(f"{ADDRESS}/name")
def rename() -> Answer:
    """Write another name."""
    name = request.form.get("name", "")
    return _do(
        lambda tx: edit.change_account(tx, current_user.actor, current_user.id, name=name), _("Your name was saved.")
    )


@pages.post(f"{ADDRESS}/language")
def set_language() -> Answer:
    """Choose the language of pages and messages."""
    language = request.form.get("language", "")
    told = _("The language was saved.")
    return _do(lambda tx: people.set_language(tx, current_user.actor, current_user.id, language), told)


@pages.post(f"{ADDRESS}/password")
@limiter.limit(TRIES, key_func=pace.account)
def change_password() -> Answer:
    """Replace the password, of whoever knows the present one."""
    who = recognise(current_user.email, request.form.get("present", ""))
    if who is None:
        return _refused(Fault("present", _("This is not your present password.")))
    try:
        password_hash = hash_password(new_password())
    except InvalidInput as error:
        return _refused(*error.faults)

    def change(tx: Transaction) -> str:
        me = current_user
        return access.change_password(tx, me.actor, me.id, who.password_hash, password_hash, _here()) or abort(409)

    told = _("Your password was changed. Every other browser is signed out, and gets no more notifications.")
    return _stay(change, told)


@pages.post(f"{ADDRESS}/browsers/sign-out")
def sign_out_elsewhere() -> Answer:
    """Sign every other browser out."""

    def end(tx: Transaction) -> str:
        return access.sign_out_elsewhere(tx, current_user.actor, current_user.id, _here())

    return _stay(end, _("Every other browser is signed out, and gets no more notifications."))


@pages.post(f"{ADDRESS}/browsers/<int(min=1, max={BIGGEST_ID}):session_id>/sign-out")
def sign_out(session_id: int) -> Answer:
    """Sign one browser out."""
    told = _("That browser is signed out, and gets no more notifications.")
    return _do(lambda tx: access.sign_out(tx, current_user.actor, current_user.id, session_id), told)


def _here() -> Here:
    return Here(current_user.session_id, browser_hash())


def _stay(act: Callable[[Transaction], str], told: str) -> Answer:
    """Do what signs out everywhere else, and stay signed in here, by another cookie."""
    with writing() as tx:
        secret = act(tx)
    enter(secret)
    return _done(told)


def _do(act: Callable[[Transaction], object], told: str) -> Answer:
    try:
        with writing() as tx:
            act(tx)
    except InvalidInput as error:
        return _refused(*error.faults)
    return _done(told)


def _done(told: str) -> Answer:
    flash(told)
    return redirect(url_for("own_account.show"), 303)


def _refused(*faults: Fault) -> Answer:
    return _page(by_field(faults)), 422


def _page(faults: Mapping[str, str] = MappingProxyType({})) -> str:
    return render_template(
        "own_account/show.html",
        browsers=sessions.browsers(current_user.id),
        typed=request.form,
        faults=faults,
        words=words,
        here=ADDRESS,
    )
