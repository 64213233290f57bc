"""Deleting an account: asked on a page of its own, which says what goes and what stays."""

from collections.abc import Mapping

from flask import abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app.accounts.memberships import only_owner_of
from app.clock import now
from app.faults import InvalidInput
from app.operations.deletion import delete_account
from app.sources.classroom.shifts.listing import shifts_to_come
from app.transaction import writing
from app.web.accounts import ADDRESS, NOTHING, person_of
from app.web.forms import by_field
from app.web.guards import ADMINS, Pages

pages = Pages("account_deletion", open_to=ADMINS)


@pages.get(f"{ADDRESS}/delete")
def ask(account_id: int) -> str:
    """The question, with the number of shifts that are then without a tutor; or what has to be done first."""
    if person_of(account_id).deleted_at is not None:
        abort(410)
    return _question(account_id)


@pages.post(f"{ADDRESS}/delete")
def delete(account_id: int) -> Response | tuple[str, int]:
    """Delete it, if its shifts are still as many as the question said; else ask again."""
    if request.form.get("shifts") != str(shifts_to_come(account_id, now())):
        return ask(account_id), 409
    try:
        with writing() as tx:
            delete_account(tx, current_user.actor, account_id)
    except InvalidInput as error:
        return _question(account_id, by_field(error.faults)), 422
    flash(_("The account was deleted."))
    return redirect(url_for("accounts.index"), 303)


def _question(account_id: int, faults: Mapping[str, str] = NOTHING) -> str:
    return render_template(
        "accounts/delete.html",
        person=person_of(account_id),
        own=account_id == current_user.id,
        stores=only_owner_of(account_id),
        shifts=shifts_to_come(account_id, now()),
        faults=faults,
    )
