"""The deliveries that a filter leaves, as a file for a spreadsheet."""

import csv
from collections.abc import Iterator, Sequence
from datetime import datetime
from io import StringIO

from flask import Response, request, stream_with_context
from flask_babel import gettext as _

from app.clock import now
from app.i18n import zone
from app.names import called
from app.outbox import listing
from app.outbox.models import Delivery
from app.outbox.state import State
from app.web import delivery_filter, words
from app.web.deliveries import page
from app.web.delivery_filter import Asked
from app.web.delivery_rows import reason_of
from app.web.guards import ADMINS, Pages

SLICE = 500
BYTE_ORDER_MARK = "\ufeff"
"""Without it Excel takes UTF-8 for the code page of the machine, and every Japanese name is garbled."""
BEGINS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""A cell that begins so is a formula to a spreadsheet (OWASP, CSV injection); its full-width form to a Japanese one."""

pages = Pages("delivery_export", open_to=ADMINS)


@pages.get("/deliveries.csv")
def export() -> Response | tuple[str, int]:
    """All of them, newest first, written while they are read: the server never holds more than a slice."""
    asked = delivery_filter.read(request.args)
    if asked.faults:
        return page(asked), 422
    name = f"deliveries-{now().astimezone(zone()):%Y%m%d-%H%M}.csv"
    lines = stream_with_context(_lines(asked))
    headers = {"Content-Disposition": f"attachment; filename={name}"}
    return Response(lines, mimetype="text/csv; charset=utf-8", headers=headers)


def _lines(asked: Asked) -> Iterator[str]:
    yield BYTE_ORDER_MARK + _written([_headings()])
    for some in listing.slices_of(asked.filter, SLICE):
        yield _written([_cells(delivery) for delivery in some])


def _headings() -> list[str]:
    return [
        _("Number"), _("Made"), _("State"), _("Kind"), _("Channel"), _("For"), _("Code"), _("Reason"), _("Tries"),
        _("Next try"), _("Ended"), _("All tries used up"), _("The provider's request id"), _("Once-only key"),
    ]  # fmt: skip


def _cells(delivery: Delivery) -> list[str]:
    reason = reason_of(delivery.reason)
    return [
        str(delivery.id),
        _time(delivery.created_at),
        str(words.STATES[State(delivery.state)]),
        str(words.KINDS.get(delivery.kind, delivery.kind)),
        str(words.CHANNELS.get(delivery.channel, delivery.channel)),
        called(delivery.address_label),
        delivery.reason or "",
        f"{reason.cause} {delivery.cancel_detail or ''}".strip() if reason else "",
        str(delivery.attempts),
        _time(delivery.next_attempt_at),
        _time(delivery.finished_at),
        _("yes") if delivery.dead_letter else "",
        delivery.provider_request_id or "",
        delivery.dedup_key,
    ]


def _time(instant: datetime | None) -> str:
    """As spreadsheets read it, in the zone of the pages."""
    return f"{instant.astimezone(zone()):%Y-%m-%d %H:%M:%S}" if instant else ""


# All of them quoted: Excel separates by the sign of the machine's region, which a name may hold.
def _written(rows: Sequence[Sequence[str]]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\r\n", quoting=csv.QUOTE_ALL).writerows(
        [_harmless(cell) for cell in row] for row in rows
    )
    return text.getvalue()


def _harmless(cell: str) -> str:
    one_line = " ".join(cell.split("\n"))
    return f"'{one_line}" if one_line.startswith(BEGINS_A_FORMULA) else one_line
