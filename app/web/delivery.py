"""The page of one delivery: what happened, how it stands, and what may be done."""

from datetime import datetime

from flask import abort, render_template, url_for
from flask_login import current_user

from app.i18n import language, zone
from app.kinds import INBOX_KINDS
from app.outbox import queries
from app.outbox.models import Delivery
from app.reach.quiet_hours import quiet_now
from app.web import words
from app.web.cursors import BIGGEST_ID
from app.web.delivery_rows import DeliveryRow, rows, sees_people
from app.web.foresight import outlook
from app.web.guards import STAFF, Pages
from app.web.htmx import page_behind, wants_part
from app.web.timeline import timeline

ADDRESS = f"/deliveries/<int(min=1, max={BIGGEST_ID}):delivery_id>"
"""Below that of the list, whose rows know it, and those below it, without asking the router: deliveries/_row.html."""

pages = Pages("delivery", open_to=STAFF)


@pages.get(ADDRESS)
def show(delivery_id: int) -> str:
    """The page; for a tick only its live part."""
    return page(delivery_id)


def page(delivery_id: int, problem: str | None = None, back: str | None = None) -> str:
    """The delivery as it stands now, with the sentence that says why an act was not done. `back`: the page of this site
    that it was asked for from."""
    delivery = _get(delivery_id)
    row = _row(delivery)
    foreseen = outlook(row) if sees_people(current_user.reader) else None
    return render_template(
        "deliveries/_live.html" if wants_part() else "deliveries/show.html",
        delivery=row,
        outlook=foreseen,
        held_until=_held_until(delivery),
        timeline=timeline(delivery, current_user.reader),
        words=words,
        problem=problem,
        back=back or _list_behind(),
    )


def _list_behind() -> str:
    """The list as the reader narrowed it, if that is where they come from."""
    path, behind = url_for("deliveries.index"), page_behind()
    return behind if behind.partition("?")[0] == path else path


def row_of(delivery_id: int) -> DeliveryRow:
    """The delivery as plain values, for the page that asks before an act. 404 if there is none."""
    return _row(_get(delivery_id))


def _get(delivery_id: int) -> Delivery:
    return queries.get(delivery_id) or abort(404)


def _held_until(delivery: Delivery) -> datetime | None:
    """When the quiet hours end that hold it back now. Asked anew: they may have changed since it was put off."""
    if delivery.account_id is None or delivery.kind not in INBOX_KINDS or not sees_people(current_user.reader):
        return None
    return quiet_now([delivery.account_id], zone()).get(delivery.account_id)


def _row(delivery: Delivery) -> DeliveryRow:
    return rows([delivery], current_user.reader, language())[0]
