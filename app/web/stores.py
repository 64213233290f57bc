"""The stores that the reader works for or looks after, and the page of each."""

from collections.abc import Mapping

from flask import abort, render_template
from flask_login import current_user

from app.sources.stores.listing import StoreLine, get_store, people_of, sizes_of, stores_of
from app.sources.stores.messages import SETUP
from app.sources.stores.report_listing import Pile, reports_of
from app.sources.stores.setup import SUBJECT
from app.web import words
from app.web.acts_done import acts_done
from app.web.cursors import BIGGEST_ID
from app.web.guards import SIGNED_IN, Pages, may_enter

ADDRESS = f"/stores/<int(min=1, max={BIGGEST_ID}):store_id>"
LATEST = 5
"""Reports that a store's page shows."""

pages = Pages("stores", open_to=SIGNED_IN)


@pages.get("/stores")
def index() -> str:
    """The stores of the reader."""
    stores = stores_of(current_user.reader)
    may_add = may_enter(current_user.role, "store_admin")
    return render_template("stores/index.html", stores=stores, sizes=sizes_of(stores), may_add=may_add, words=words)


@pages.get(ADDRESS)
def show(store_id: int) -> str:
    """One store."""
    return page(store_of(store_id))


def page(store: StoreLine, typed: Mapping[str, str] | None = None, faults: Mapping[str, str] | None = None) -> str:
    """The store as the reader may see it: whole for its people and platform staff, else what customers need."""
    whole = store.seen_whole
    return render_template(
        "stores/show.html",
        store=store,
        people=people_of(store.id) if whole else [],
        reports=reports_of(current_user.reader, Pile.OPEN, store.id, None, LATEST) if whole else [],
        acts=acts_done(SUBJECT, store.id, words.STORE_ACTS_DONE) if store.may_manage else [],
        setup=SETUP,
        may_archive=may_enter(current_user.role, "store_admin"),
        typed=typed or {},
        faults=faults or {},
        words=words,
    )


def store_of(store_id: int) -> StoreLine:
    """The store; 404 if there is none that the reader may see."""
    return get_store(current_user.reader, store_id) or abort(404)


def managed_store(store_id: int) -> StoreLine:
    """The store, of which the reader is an owner or an admin; 404 if they may not see it, 403 if no more than that."""
    store = store_of(store_id)
    return store if store.may_manage else abort(403)
