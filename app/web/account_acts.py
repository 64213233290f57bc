"""Setting things for an account: on or off, LINE on or off, its language, and which LINE user it is."""

from collections.abc import Callable

from flask import abort, flash, redirect, request, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app.faults import Fault, InvalidInput
from app.operations import people, recipients
from app.operations.recipients import NoSuchAccountError
from app.transaction import Transaction, writing
from app.web.accounts import ADDRESS, page
from app.web.guards import ADMINS, Pages

Answer = Response | tuple[str, int]

pages = Pages("account_acts", open_to=ADMINS)


@pages.post(f"{ADDRESS}/active")
def set_active(account_id: int) -> Answer:
    """Let the account in and tell it things, or neither."""
    active = _on()

    def switch(tx: Transaction) -> None:
        if account_id == current_user.id and not active:
            raise InvalidInput(Fault("active", _("This is your own account: ask another administrator.")))
        recipients.set_active(tx, current_user.actor, account_id, active)

    return _do(switch, account_id, _("The account is active.") if active else _("The account is switched off."))


@pages.post(f"{ADDRESS}/line")
def set_line(account_id: int) -> Answer:
    """Switch LINE on or off."""
    on = _on()

    def switch(tx: Transaction) -> None:
        recipients.set_line_enabled(tx, current_user.actor, account_id, on)

    return _do(switch, account_id, _("LINE is on.") if on else _("LINE is off."))


@pages.post(f"{ADDRESS}/language")
def set_language(account_id: int) -> Answer:
    """Choose the language of pages and messages."""
    language = request.form.get("language", "")

    def choose(tx: Transaction) -> None:
        people.set_language(tx, current_user.actor, account_id, language)

    return _do(choose, account_id, _("The language was saved."))


@pages.post(f"{ADDRESS}/line-user")
def set_line_user(account_id: int) -> Answer:
    """Link the account to a LINE user."""
    line_user_id = request.form.get("line_user_id", "")

    def link(tx: Transaction) -> None:
        people.set_line_user(tx, current_user.actor, account_id, line_user_id)

    return _do(link, account_id, _("The LINE user was linked."))


def _do(verb: Callable[[Transaction], None], account_id: int, told: str) -> Answer:
    try:
        with writing() as tx:
            verb(tx)
    except NoSuchAccountError:
        abort(404)
    except InvalidInput as error:
        return page(account_id, {fault.field: fault.message for fault in error.faults}), 422
    flash(told)
    return redirect(url_for("accounts.show", account_id=account_id), 303)


def _on() -> bool:
    wanted = request.form.get("on")
    return wanted == "1" if wanted in ("0", "1") else abort(400)
