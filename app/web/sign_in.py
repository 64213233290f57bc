"""Signing in and out."""

from contextlib import suppress

from flask import redirect, render_template, request, session, url_for
from flask_login import current_user
from werkzeug.wrappers import Response

from app.accounts.known import NoSuchAccountError
from app.accounts.sign_in import recognise
from app.accounts.sign_in import sign_in as let_in
from app.extensions import limiter
from app.operations import access
from app.operations.access import Here
from app.transaction import writing
from app.web.browsers import this_browser
from app.web.entering import arrive, end_present, prepare
from app.web.guards import EVERYONE, Pages, is_guest
from app.web.guest import welcomes_guests
from app.web.places import own_path
from app.web.this_device import browser_hash, forget

TRIES = "10 per minute"
"""For one network address, and for one e-mail address, whoever asks."""

pages = Pages("sign_in", open_to=EVERYONE)


def _email() -> str:
    return f"email:{request.form.get('email', '').strip().lower()}"


@pages.get("/login")
def show() -> Response | str:
    """The form; who is signed in already goes on."""
    wanted = request.args.get("next", "")
    if current_user.is_authenticated and not is_guest():
        return redirect(_next(wanted))
    return _form("", wanted, refused=False)


@pages.post("/login")
@limiter.limit(TRIES)
@limiter.limit(TRIES, key_func=_email)
def sign_in() -> Response | tuple[str, int]:
    """Recognise the account and go on; otherwise say no more than that it did not match."""
    email, wanted = request.form.get("email", ""), request.form.get("next", "")
    who, secret = recognise(email, request.form.get("password", "")), None
    if who is not None:
        with writing() as tx:
            prepare(tx)
            secret = let_in(tx, who, this_browser(), browser_hash())
            if secret is not None:
                end_present(tx, who.account_id)
    if who is None or secret is None:
        return _form(email, wanted, refused=True), 422
    return arrive(redirect(_next(wanted), 303), secret, who.account_id)


@pages.post("/logout")
def sign_out() -> Response:
    """Forget who it was, and end the session: a copy of its cookie opens nothing either.

    Their pushes no longer come to this browser, unless they want to keep them.
    """
    me, keep = current_user, "keep" in request.form
    answer = redirect(url_for("sign_in.show"), 303)
    if is_guest():  # who could not come back
        return redirect(url_for("guest.ask_to_forget"), 303)
    if me.is_authenticated:
        # Whoever deletes the account at this moment signs it out.
        with suppress(NoSuchAccountError), writing() as tx:
            access.leave(tx, me.actor, me.id, Here(me.session_id, browser_hash()), keep_pushes=keep)
        answer = answer if keep else forget(answer)
    session.clear()
    return answer


def _form(email: str, wanted: str, *, refused: bool) -> str:
    return render_template("sign_in/show.html", email=email, next=wanted, refused=refused, guests=welcomes_guests())


def _next(wanted: str | None) -> str:
    return own_path(wanted, url_for("home.show"))
