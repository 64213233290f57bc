"""The list of deliveries, with its filters."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from flask import render_template, request
from flask_login import current_user

from app.clock import now
from app.i18n import language
from app.outbox import listing
from app.outbox.listing import Filter
from app.outbox.state import State
from app.web import cursors, delivery_filter, words
from app.web.delivery_filter import Asked
from app.web.delivery_rows import DeliveryRow, rows
from app.web.guards import ADMINS, Pages
from app.web.htmx import wants_part

ROWS_PER_PAGE = 50

pages = Pages("deliveries", open_to=ADMINS)


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of the list; `new` counts what was made since the reader opened it."""

    rows: Sequence[DeliveryRow]
    counts: dict[State, int]
    new: int
    next: str | None
    any_at_all: bool


@pages.get("/deliveries")
def index() -> tuple[str, int]:
    """The list; for a tick only its live part. A filter that cannot be read is explained and lists nothing."""
    asked = delivery_filter.read(request.args)
    listing = None if asked.faults else _list(asked)
    template = "deliveries/_list.html" if listing and wants_part() else "deliveries/index.html"
    page = render_template(template, asked=asked, listing=listing, words=words)
    return page, 422 if asked.faults else 200


def _list(asked: Asked) -> Listing:
    shown = listing.page(_made_before(asked), asked.after, ROWS_PER_PAGE)
    new = _made_since(asked) if asked.after is None else 0
    if new and not shown.rows:  # an empty page has no reader to disturb
        return _list(replace(asked, seen=now()))
    return Listing(
        rows=rows(shown.rows, current_user.reader, language()),
        counts=listing.counts(asked.filter),
        new=new,
        next=cursors.write(shown.next) if shown.next else None,
        any_at_all=bool(shown.rows) or any(listing.counts().values()),
    )


def _made_before(asked: Asked) -> Filter:
    end = asked.filter.created_before
    return replace(asked.filter, created_before=min(end, asked.seen) if end else asked.seen)


def _made_since(asked: Asked) -> int:
    start = asked.filter.created_from
    since = replace(asked.filter, created_from=max(start, asked.seen) if start else asked.seen)
    made = listing.counts(since)
    return made[State(since.state)] if since.state else sum(made.values())
