"""The list of deliveries, with its filters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask import render_template, request
from flask_login import current_user

from app.clock import now
from app.i18n import language
from app.outbox import listing
from app.outbox.listing import Count, Page
from app.outbox.models import Delivery
from app.outbox.state import State
from app.place import Place
from app.web import cursors, delivery_filter, words
from app.web.cursors import BIGGEST_ID
from app.web.delivery_choices import Found, choices
from app.web.delivery_filter import Asked
from app.web.delivery_rows import DeliveryRow, rows
from app.web.guards import STAFF, Pages
from app.web.htmx import wants_part

ROWS_PER_PAGE = 50

pages = Pages("deliveries", open_to=STAFF)


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of the list; `new` counts what was made since the reader opened it.

    `moved_on`: the rows that the reader has before them and that the filter leaves no longer.
    """

    rows: Sequence[DeliveryRow]
    moved_on: frozenset[int]
    counts: Mapping[State, Count]
    total: Count
    new: Count
    seen: str
    previous: str | None
    next: str | None
    any_at_all: bool

    @property
    def failed(self) -> Count:
        """How many may be retried together."""
        return self.counts[State.FAILED]

    @property
    def shown(self) -> str:
        """The rows of this page, as the next tick names them."""
        return ",".join(str(row.id) for row in self.rows)


@pages.get("/deliveries")
def index() -> tuple[str, int]:
    """The list; for a tick only its live part. A filter that cannot be read is explained and lists nothing."""
    asked = delivery_filter.read(request.args)
    if asked.faults or not wants_part():
        return page(asked), 422 if asked.faults else 200
    return render_template("deliveries/_list.html", asked=asked, listing=_list(asked), words=words), 200


def page(asked: Asked, found: Found | None = None) -> str:
    """The whole page; `found` is who is called as was searched for, where that is not one alone: then no list, which
    might be taken for what was found."""
    return render_template(
        "deliveries/index.html",
        asked=asked,
        listing=None if asked.faults or found else _list(asked),
        choices=choices(asked),
        found=found,
        words=words,
    )


def _list(asked: Asked) -> Listing:
    part, moved_on = _as_shown(asked) if asked.shown else (_page(asked), frozenset())
    shown, first_page = part.rows, not asked.place
    seen = asked.seen if asked.shown and asked.seen else _newest(shown, first_page=first_page)
    counts = listing.counts(asked.filter)
    return Listing(
        rows=rows(shown, current_user.reader, language()),
        moved_on=moved_on,
        counts=counts,
        total=Count(sum(count.number for count in counts.values()), any(count.more for count in counts.values())),
        new=listing.new_since(asked.filter, seen) if _may_be_new(asked) else Count(0),
        seen=cursors.write(seen),
        previous=cursors.write(_place(shown[0])) if shown and not first_page else None,
        next=cursors.write(_place(shown[-1])) if part.next else None,
        any_at_all=bool(shown) or any(count.number for count in listing.counts().values()),
    )


def _may_be_new(asked: Asked) -> bool:
    """Whether the reader has had the newest before them for a while."""
    return bool(asked.shown) and not asked.place and not asked.oldest_first


def _page(asked: Asked) -> Page:
    """The rows that are asked for: after a place, before one, or the first."""
    if asked.before is None:
        return listing.page(asked.filter, asked.after, ROWS_PER_PAGE, asked.oldest_first)
    back = listing.page(asked.filter, asked.before, ROWS_PER_PAGE, not asked.oldest_first)
    if back.next is None:  # it reaches the first page, which may be longer by now
        return listing.page(asked.filter, None, ROWS_PER_PAGE, asked.oldest_first)
    return Page(back.rows[::-1], _place(back.rows[0]))


def _as_shown(asked: Asked) -> tuple[Page, frozenset[int]]:
    """The rows that the reader has before them, wherever they belong by now; and which of them the filter leaves no
    longer. None may slip away under a finger, nor any other come in."""
    standing = listing.with_ids(asked.shown, asked.filter)
    deliveries = [delivery for delivery, _left in standing]
    if asked.oldest_first:
        deliveries.reverse()
    last = _place(deliveries[-1]) if deliveries else None
    further = listing.page(asked.filter, last, 1, asked.oldest_first).rows if last else ()
    moved_on = frozenset(delivery.id for delivery, left in standing if not left)
    return Page(deliveries, last if further else None), moved_on


def _newest(shown: Sequence[Delivery], *, first_page: bool) -> Place:
    """What counts as seen from here on; of a page that shows none of the newest, everything made so far."""
    return _place(shown[0]) if shown and first_page else Place(now(), BIGGEST_ID)


def _place(delivery: Delivery) -> Place:
    return Place(delivery.created_at, delivery.id)
