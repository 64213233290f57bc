"""The list of what the reader watches."""

from flask import render_template
from flask_login import current_user

from app.sources.prices.listing import is_reached, watches_of
from app.web import watch_words
from app.web.guards import GUESTS_TOO, Pages
from app.web.htmx import wants_part
from app.web.watch_rows import rows

pages = Pages("watches", open_to=GUESTS_TOO)


@pages.get("/watches")
def index() -> str:
    """Everything that is watched, newest first; for a tick only its live part."""
    return render_template(
        "watches/_list.html" if wants_part() else "watches/index.html",
        watches=rows(watches_of(current_user.id)),
        is_reached=is_reached(current_user.id),
        watch_words=watch_words,
    )
