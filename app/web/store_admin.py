"""Adding a store, archiving it, and opening it again."""

from collections.abc import Mapping

from flask import flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app import tokens
from app.faults import InvalidInput
from app.sources.stores import stores as verbs
from app.transaction import writing
from app.web.forms import by_field, request_id, typed_in
from app.web.guards import ADMINS, Pages
from app.web.store_edits import FIELDS, fields_of
from app.web.stores import ADDRESS, store_of

pages = Pages("store_admin", open_to=ADMINS)


@pages.get("/stores/new")
def new() -> str:
    """An empty form."""
    return _form({}, {})


@pages.post("/stores/new")
def add() -> Response | tuple[str, int]:
    """Make the store, once for each form."""
    typed = typed_in(request.form, (*FIELDS, "email"))
    try:
        with writing() as tx:
            made = verbs.open_store(tx, current_user.actor, fields_of(typed), typed["email"], request_id())
    except InvalidInput as error:
        return _form(typed, by_field(error.faults)), 422
    flash(_("The store was added."))
    return redirect(url_for("stores.show", store_id=made), 303)


@pages.get(f"{ADDRESS}/archive")
def ask_archive(store_id: int) -> str:
    """Say what archiving does."""
    return render_template("stores/archive.html", store=store_of(store_id))


@pages.post(f"{ADDRESS}/archive")
def archive(store_id: int) -> Response:
    """Close the store."""
    store_of(store_id)
    with writing() as tx:
        done = verbs.archive_store(tx, current_user.actor, store_id)
    flash(_("The store was archived.") if done else _("The store had been archived before."))
    return redirect(url_for("stores.show", store_id=store_id), 303)


@pages.post(f"{ADDRESS}/reopen")
def reopen(store_id: int) -> Response:
    """Open it again."""
    store_of(store_id)
    with writing() as tx:
        done = verbs.reopen_store(tx, current_user.actor, store_id)
    flash(_("The store is open again.") if done else _("The store was open."))
    return redirect(url_for("stores.show", store_id=store_id), 303)


def _form(typed: Mapping[str, str], faults: Mapping[str, str]) -> str:
    return render_template("stores/form.html", store=None, typed=typed, faults=faults, request_id=tokens.request_id())
