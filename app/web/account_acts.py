"""Setting things for an account: who it is, what it may do, whether it is let in, and how it is told things."""

from collections.abc import Callable

from flask import abort, current_app, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app.accounts import edit, invitations
from app.config import Settings
from app.faults import InvalidInput
from app.operations import access, people, recipients
from app.sources.invitations import send_by_line as links
from app.transaction import Transaction, writing
from app.web.accounts import ADDRESS, page, person_of
from app.web.cursors import BIGGEST_ID
from app.web.forms import by_field, number_in
from app.web.guards import ADMINS, Pages

Answer = Response | tuple[str, int]
Act = Callable[[Transaction], object]

pages = Pages("account_acts", open_to=ADMINS)


@pages.post(f"{ADDRESS}/invitation")
def invite(account_id: int) -> Answer:
    """Make a sign-in link, and show it this once: it is kept nowhere."""
    made: list[str] = []
    refused = _tried(lambda tx: made.append(invitations.invite(tx, current_user.actor, account_id)), account_id)
    return refused or (invited(account_id, made[0]), 201)


@pages.post(f"{ADDRESS}/invitation/line")
def send_by_line(account_id: int) -> Answer:
    """Have a sign-in link sent by LINE: the one that was just shown, or a new one."""
    shown, owed = number_in(request.form.get("invitation", "")), []

    def send(tx: Transaction) -> None:
        owed.append(links.send_by_line(tx, current_user.actor, account_id, shown))

    there = _tried(send, account_id)
    return there or redirect(url_for("accounts.show", account_id=account_id, delivery=owed[0]), 303)


@pages.post(f"{ADDRESS}/suspend")
def suspend(account_id: int) -> Answer:
    """Neither let the account in nor tell it anything; say which stores nobody acts for as their owner then."""
    stores: list[str] = []

    def end(tx: Transaction) -> None:
        stores.extend(access.suspend(tx, current_user.actor, account_id) or ())

    answer = _do(end, account_id, _("The account is suspended."))
    if stores:
        left = _(
            "Nobody acts as owner for these stores now: %(stores)s. Administrators can still manage them, "
            "and hand them over.",
            stores=", ".join(stores),
        )
        flash(left)
    return answer


@pages.post(f"{ADDRESS}/resume")
def resume(account_id: int) -> Answer:
    """Let the account in again, and tell it things."""
    told = _("The account is active.")
    return _do(lambda tx: access.resume(tx, current_user.actor, account_id), account_id, told)


@pages.post(f"{ADDRESS}/identity")
def change(account_id: int) -> Answer:
    """Write another name or e-mail address."""
    name, email = request.form.get("name", ""), request.form.get("email", "")

    def save(tx: Transaction) -> None:
        edit.change_account(tx, current_user.actor, account_id, email=email, name=name)

    return _do(save, account_id, _("Name and e-mail address were saved."))


@pages.post(f"{ADDRESS}/role")
def set_role(account_id: int) -> Answer:
    """Choose what the account may do."""
    role = request.form.get("role", "")
    told = _("The role was saved.")
    return _do(lambda tx: access.set_role(tx, current_user.actor, account_id, role), account_id, told)


@pages.post(f"{ADDRESS}/line")
def set_line(account_id: int) -> Answer:
    """Switch LINE on or off."""
    on = _on()
    told = _("LINE is on.") if on else _("LINE is off.")
    return _do(lambda tx: recipients.set_line_enabled(tx, current_user.actor, account_id, on), account_id, told)


@pages.post(f"{ADDRESS}/language")
def set_language(account_id: int) -> Answer:
    """Choose the language of pages and messages."""
    language = request.form.get("language", "")
    told = _("The language was saved.")
    return _do(lambda tx: people.set_language(tx, current_user.actor, account_id, language), account_id, told)


@pages.post(f"{ADDRESS}/line-user")
def set_line_user(account_id: int) -> Answer:
    """Link the account to a LINE user."""
    line_user_id = request.form.get("line_user_id", "")
    told = _("The LINE user was linked.")
    return _do(lambda tx: people.set_line_user(tx, current_user.actor, account_id, line_user_id), account_id, told)


@pages.post(f"{ADDRESS}/browsers/sign-out")
def sign_out_everywhere(account_id: int) -> Answer:
    """Sign the account out everywhere."""
    told = _("The account is signed out everywhere, and its devices get no more notifications.")
    return _do(lambda tx: access.sign_out_everywhere(tx, current_user.actor, account_id), account_id, told)


@pages.post(f"{ADDRESS}/browsers/<int(min=1, max={BIGGEST_ID}):session_id>/sign-out")
def sign_out(account_id: int, session_id: int) -> Answer:
    """Sign one browser of the account out."""
    told = _("That browser is signed out, and gets no more notifications.")
    return _do(lambda tx: access.sign_out(tx, current_user.actor, account_id, session_id), account_id, told)


def invited(account_id: int, token: str) -> str:
    """The page that shows a link, once."""
    settings: Settings = current_app.config["SETTINGS"]
    link = settings.invitation_url(token)
    return render_template(
        "accounts/invited.html",
        person=person_of(account_id),
        invitation=invitations.look(token),
        link=link,
        days=invitations.GOOD_FOR.days,
    )


def _do(act: Act, account_id: int, told: str) -> Answer:
    if refused := _tried(act, account_id):
        return refused
    flash(told)
    return redirect(url_for("accounts.show", account_id=account_id), 303)


def _tried(act: Act, account_id: int) -> Answer | None:
    """The page that says why not, if it was refused."""
    try:
        with writing() as tx:
            act(tx)
    except InvalidInput as error:
        return page(account_id, by_field(error.faults), request.form), 422
    return None


def _on() -> bool:
    wanted = request.form.get("on")
    return wanted == "1" if wanted in ("0", "1") else abort(400)
