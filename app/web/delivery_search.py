"""Searching for deliveries by what must not stand in an address: whose they are."""

from flask import redirect, request, url_for
from flask_login import current_user
from werkzeug.wrappers import Response

from app.outbox import listing
from app.outbox.listing import Filter
from app.reach.groups import groups_called
from app.reach.people import people
from app.web import delivery_filter
from app.web.deliveries import page
from app.web.delivery_choices import Found
from app.web.delivery_filter import LONGEST_SEARCH
from app.web.delivery_rows import sees_people
from app.web.guards import STAFF, Pages

MOST_FOUND = 20

pages = Pages("delivery_search", open_to=STAFF)


@pages.get("/deliveries/search")
def start() -> Response:
    """Where somebody who reloads the answer to a search goes: the words are gone with it."""
    return redirect(url_for("deliveries.index"))


@pages.post("/deliveries/search")
def search() -> Response | str:
    """Go to the deliveries with this number, key or request id, or of whoever is called so.

    Names are asked for by a form, so that they stand in no address, history or log; what comes back has an id instead.
    """
    words = request.form.get("q", "").strip()
    asked = delivery_filter.read({**request.form, "q": "", "person": "", "group": ""})
    if not words:
        return redirect(asked.address(), 303)
    if len(words) <= LONGEST_SEARCH and _is_a_number_or_key(words):
        return redirect(asked.address(q=words), 303)
    found = _called(words[:LONGEST_SEARCH]) if sees_people(current_user.reader) else Found(words, (), (), more=False)
    if len(found.people) == 1 and not found.groups:
        return redirect(asked.address(person=str(found.people[0].id)), 303)
    if len(found.groups) == 1 and not found.people:
        return redirect(asked.address(group=str(found.groups[0].id)), 303)
    return page(asked, found)


def _is_a_number_or_key(words: str) -> bool:
    return bool(listing.page(Filter(search=words), None, 1).rows)


def _called(words: str) -> Found:
    persons, groups = people(words, None, MOST_FOUND + 1), groups_called(words, MOST_FOUND + 1)
    more = len(persons) > MOST_FOUND or len(groups) > MOST_FOUND
    return Found(words, persons[:MOST_FOUND], groups[:MOST_FOUND], more)
