"""Changing what is known of a store."""

from collections.abc import Mapping

from flask import abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app.faults import InvalidInput
from app.sources.stores.fields import StoreFields
from app.sources.stores.listing import StoreLine
from app.sources.stores.stores import change_store
from app.transaction import writing
from app.web.forms import by_field, typed_in
from app.web.guards import SIGNED_IN, Pages
from app.web.stores import ADDRESS, managed_store

FIELDS = ("name", "address", "phone", "hours")

pages = Pages("store_edits", open_to=SIGNED_IN)


@pages.get(f"{ADDRESS}/edit")
def edit(store_id: int) -> str:
    """The form as the store stands."""
    store = managed_store(store_id)
    return _form(store, {name: getattr(store, name) for name in FIELDS}, {})


@pages.post(f"{ADDRESS}/edit")
def change(store_id: int) -> Response | tuple[str, int]:
    """Save it."""
    store, typed = managed_store(store_id), typed_in(request.form, FIELDS)
    try:
        with writing() as tx:
            done = change_store(tx, current_user, store_id, fields_of(typed))
    except InvalidInput as error:
        return _form(store, typed, by_field(error.faults)), 422
    if not done:
        abort(403)  # they were its owner a moment ago
    flash(_("The store was saved."))
    return redirect(url_for("stores.show", store_id=store_id), 303)


def fields_of(typed: Mapping[str, str]) -> StoreFields:
    """The fields as the source wants them."""
    return StoreFields(**{name: typed[name] for name in FIELDS})


def _form(store: StoreLine, typed: Mapping[str, str], faults: Mapping[str, str]) -> str:
    return render_template("stores/form.html", store=store, typed=typed, faults=faults)
