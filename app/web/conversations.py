"""The list of one's conversations."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import abort, render_template, request
from flask_login import current_user

from app.faults import InvalidInput
from app.sources.conversations.talks import Talk, talks
from app.web.guards import SIGNED_IN, Pages
from app.web.htmx import wants_part
from app.web.talking import ROWS_PER_PAGE, place, word_for

pages = Pages("conversations", open_to=SIGNED_IN)


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of the list."""

    rows: Sequence[Talk]
    cursor: str
    next: str | None


@pages.get("/conversations")
def index() -> str:
    """Those one takes part in; for a tick only the live part."""
    try:
        found = talks(current_user.id, place(), ROWS_PER_PAGE + 1)
    except InvalidInput:
        abort(400)
    shown = found[:ROWS_PER_PAGE]
    further = word_for(shown[-1].last_message_at, shown[-1].id) if len(found) > ROWS_PER_PAGE else None
    template = "conversations/_list.html" if wants_part() else "conversations/index.html"
    return render_template(template, listing=Listing(shown, request.args.get("cursor", ""), further))
