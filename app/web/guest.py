"""Coming in without an account, to watch prices in this browser; and being forgotten again."""

from flask import abort, current_app, flash, redirect, render_template, request, session, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app.accounts.guests import welcome
from app.accounts.known import NoSuchAccountError
from app.config import Settings
from app.extensions import limiter
from app.faults import InvalidInput
from app.i18n import language
from app.operations import guests
from app.sources.prices.watch import MOST_OF_A_GUEST
from app.transaction import writing
from app.web import guest_cookie, this_device
from app.web.browsers import this_browser
from app.web.guards import EVERYONE, Pages, is_guest
from app.web.places import own_path

TRIES = "5 per hour"
"""For one network address. A family shares one; whoever wants more guests than that wants none of them."""

Answer = Response | str | tuple[str, int]

pages = Pages("guest", open_to=EVERYONE)


def welcomes_guests() -> bool:
    """Whether strangers may come in at all."""
    settings: Settings = current_app.config["SETTINGS"]
    return settings.welcomes_guests


@pages.get("/guest")
def show() -> Answer:
    """What it means, before anything is kept."""
    if current_user.is_authenticated:
        return redirect(_next(request.args.get("next")))
    return _form(request.args.get("next", ""))


@pages.post("/guest")
@limiter.limit(TRIES)
def enter() -> Answer:
    """Know this browser from now on. Whoever is known already goes on."""
    wanted = request.form.get("next", "")
    answer = redirect(_next(wanted), 303)
    if current_user.is_authenticated:
        return answer
    if not welcomes_guests():
        abort(404)
    try:
        with writing() as tx:
            secret = welcome(tx, language(), this_browser(), this_device.browser_hash())
    except InvalidInput as error:
        return _form(wanted, next(iter(error.faults)).message), 503
    return guest_cookie.remember(answer, secret)


@pages.get("/guest/forget")
def ask_to_forget() -> Answer:
    """Say what that does."""
    return render_template("guest/forget.html") if is_guest() else redirect(url_for("sign_in.show"))


@pages.post("/guest/forget")
def forget() -> Response:
    """Forget the guest: what was watched, this device, and who it was."""
    answer = redirect(url_for("sign_in.show"), 303)
    if not is_guest():
        return answer
    try:
        with writing() as tx:
            guests.forget(tx, current_user.id)
    except NoSuchAccountError:  # another tab was first
        pass
    session.clear()
    flash(_("You are forgotten here, and nothing is watched for you any more."))
    return guest_cookie.forget(this_device.forget(answer))


def _form(wanted: str, refused: str | None = None) -> str:
    if not welcomes_guests():
        abort(404)
    return render_template("guest/show.html", next=wanted, refused=refused, room=MOST_OF_A_GUEST)


def _next(wanted: str | None) -> str:
    return own_path(wanted, url_for("watch_new.new"))
