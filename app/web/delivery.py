"""The page of one delivery: what happened, how it stands, and what may be done."""

from flask import abort, render_template
from flask_login import current_user

from app.i18n import language
from app.outbox import queries
from app.outbox.models import Delivery
from app.web import words
from app.web.cursors import BIGGEST_ID
from app.web.delivery_rows import DeliveryRow, rows
from app.web.guards import ADMINS, Pages
from app.web.htmx import wants_part
from app.web.timeline import timeline

ADDRESS = f"/deliveries/<int(min=1, max={BIGGEST_ID}):delivery_id>"

pages = Pages("delivery", open_to=ADMINS)


@pages.get(ADDRESS)
def show(delivery_id: int) -> str:
    """The page; for a tick only its live part."""
    return page(delivery_id)


def page(delivery_id: int, problem: str | None = None) -> str:
    """The delivery as it stands now, with the sentence that says why an act was not done."""
    delivery = _get(delivery_id)
    template = "deliveries/_live.html" if wants_part() else "deliveries/show.html"
    return render_template(
        template, delivery=_row(delivery), timeline=timeline(delivery), words=words, problem=problem
    )  # fmt: skip


def row_of(delivery_id: int) -> DeliveryRow:
    """The delivery as plain values, for the page that asks before an act. 404 if there is none."""
    return _row(_get(delivery_id))


def _get(delivery_id: int) -> Delivery:
    return queries.get(delivery_id) or abort(404)


def _row(delivery: Delivery) -> DeliveryRow:
    return rows([delivery], current_user.reader, language())[0]
