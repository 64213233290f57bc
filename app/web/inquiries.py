"""The list of inquiries: one's own, those of the stores one works for, and those one was called into."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import abort, render_template, request
from flask_login import current_user

from app.faults import InvalidInput
from app.sources.conversations.inquiries import InquiryLine, inquiries
from app.web.guards import SIGNED_IN, Pages
from app.web.htmx import wants_part
from app.web.talking import ROWS_PER_PAGE, place, word_for

pages = Pages("inquiries", open_to=SIGNED_IN)


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of the list."""

    rows: Sequence[InquiryLine]
    closed: bool
    cursor: str
    next: str | None


@pages.get("/inquiries")
def index() -> str:
    """The open ones, or the closed ones; for a tick only its live part."""
    closed, cursor = request.args.get("closed") == "1", request.args.get("cursor", "")
    try:
        found = inquiries(current_user.id, closed, place(), ROWS_PER_PAGE + 1)
    except InvalidInput:
        abort(400)
    shown = found[:ROWS_PER_PAGE]
    further = word_for(shown[-1].last_message_at, shown[-1].id) if len(found) > ROWS_PER_PAGE else None
    template = "inquiries/_list.html" if wants_part() else "inquiries/index.html"
    return render_template(template, listing=Listing(shown, closed, cursor, further))
