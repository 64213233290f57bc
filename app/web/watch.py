"""The page of one watch: the price and its history, what was sent, and what was rightly not sent."""

from flask import abort, flash, redirect, render_template, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app.outbox.state import State
from app.sources.prices.listing import (
    WatchLine,
    histories_of,
    in_place_of,
    is_reached,
    numbers_of,
    story_of,
    was_watched,
    watch_of,
)
from app.web import watch_words, words
from app.web.cursors import BIGGEST_ID
from app.web.guards import GUESTS_TOO, Pages
from app.web.htmx import wants_part
from app.web.watch_rows import row, seen_rows, told_rows

ADDRESS = f"/watches/<int(min=1, max={BIGGEST_ID}):watch_id>"
READINGS, DELIVERIES = 200, 50
"""As many as the page shows."""

pages = Pages("watch", open_to=GUESTS_TOO)


@pages.get(ADDRESS)
def show(watch_id: int) -> Response | str:
    """The page; for a tick only its live part. What tells of a watch outlives it, and leads on to the others."""
    other = in_place_of(current_user.id, watch_id)
    if other is not None and not wants_part():
        return redirect(url_for("watch.show", watch_id=other))
    if was_watched(current_user.id, watch_id) and not wants_part():
        flash(_("You watch this no more: you removed the watch."))
        return redirect(url_for("watches.index"))
    line = line_of(watch_id)
    seen = histories_of([line.item_id], READINGS)[line.item_id]
    numbers = numbers_of(watch_id)
    story = told_rows(story_of(watch_id, DELIVERIES))
    return render_template(
        "watches/_live.html" if wants_part() else "watches/show.html",
        watch=row(line, seen),
        seen=seen_rows(seen, line.currency),
        story=story,
        has_older=sum(numbers.values()) > len(story),
        sent=numbers[State.SENT],
        not_sent=numbers[State.CANCELED],
        is_reached=is_reached(current_user.id),
        watch_words=watch_words,
        words=words,
    )


def line_of(watch_id: int) -> WatchLine:
    """The watch; 404 if the reader has none such, or has it no more."""
    return watch_of(current_user.id, watch_id) or abort(404)
