"""Saying who works for a store, and handing it over. Whoever leaves sees nothing of it from that moment on."""

from collections.abc import Callable

from flask import abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app.accounts.memberships import Post
from app.faults import InvalidInput
from app.sources.stores import people as verbs
from app.sources.stores.listing import StoreLine, get_store, people_of
from app.transaction import Transaction, writing
from app.web.cursors import BIGGEST_ID
from app.web.forms import by_field, typed_in
from app.web.guards import SIGNED_IN, Pages
from app.web.stores import ADDRESS, managed_store, page

Answer = Response | tuple[str, int]
PERSON = f"{ADDRESS}/people/<int(min=1, max={BIGGEST_ID}):account_id>"

pages = Pages("store_people", open_to=SIGNED_IN)


@pages.post(f"{ADDRESS}/people")
def add(store_id: int) -> Answer:
    """Let somebody work for the store."""
    store, typed = managed_store(store_id), typed_in(request.form, ["email"])
    try:
        _write(lambda tx: verbs.add_staff(tx, current_user, store_id, typed["email"]))
    except InvalidInput as error:
        return page(store, typed, by_field(error.faults)), 422
    flash(_("Added to the staff."))
    return _back(store_id)


@pages.post(f"{PERSON}/remove")
def remove(store_id: int, account_id: int) -> Answer:
    """End their work for it."""
    told = _("Removed. They see nothing of this store any more.")
    return _do(store_id, lambda tx: verbs.remove(tx, current_user, store_id, account_id), told)


@pages.post(f"{PERSON}/<any(owner, staff):post>")
def set_post(store_id: int, account_id: int, post: str) -> Answer:
    """Make them an owner, or no more than staff."""
    told = _("They are an owner now.") if post == Post.OWNER else _("They are staff now, no longer an owner.")
    return _do(store_id, lambda tx: verbs.set_post(tx, current_user, store_id, account_id, Post(post)), told)


@pages.get(f"{ADDRESS}/hand-over")
def ask_hand_over(store_id: int) -> str:
    """Say what it does, and ask to whom."""
    return _hand_over_form(managed_store(store_id), {}, {})


@pages.post(f"{ADDRESS}/hand-over")
def hand_over(store_id: int) -> Answer:
    """Make another account its only owner."""
    store, typed = managed_store(store_id), typed_in(request.form, ["email"])
    try:
        _write(lambda tx: verbs.hand_over(tx, current_user, store_id, typed["email"]))
    except InvalidInput as error:
        return _hand_over_form(store, typed, by_field(error.faults)), 422
    flash(_("%(store)s was handed over.", store=store.name))
    still = get_store(current_user.reader, store_id)
    return _back(store_id) if still and still.seen_whole else redirect(url_for("stores.index"), 303)


def _do(store_id: int, verb: Callable[[Transaction], bool], told: str) -> Answer:
    store = managed_store(store_id)
    try:
        done = _write(verb)
    except InvalidInput as error:
        return page(store, {}, by_field(error.faults)), 422
    flash(told if done else _("Nothing was changed: somebody else was quicker."))
    return _back(store_id)


def _write(verb: Callable[[Transaction], bool | None]) -> bool | None:
    try:
        with writing() as tx:
            return verb(tx)
    except verbs.NotTheirsError:
        abort(403)  # they were its owner a moment ago


def _back(store_id: int) -> Response:
    return redirect(url_for("stores.show", store_id=store_id, _anchor="people"), 303)


def _hand_over_form(store: StoreLine, typed: dict[str, str], faults: dict[str, str]) -> str:
    owners = [person for person in people_of(store.id) if person.owns]
    return render_template("stores/hand_over.html", store=store, owners=owners, typed=typed, faults=faults)
