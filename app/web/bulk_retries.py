"""All bulk retries, the newest first."""

from dataclasses import dataclass

from flask import render_template, request

from app.operations.bulk_listing import BulkLine, bulk_retries
from app.web import bulk_words
from app.web.bulk_words import NOT_UNDERSTOOD, asked_in_words
from app.web.filter_words import scope_names
from app.web.forms import number_in
from app.web.guards import ADMINS, Pages

ROWS_PER_PAGE = 50

pages = Pages("bulk_retries", open_to=ADMINS)


@dataclass(frozen=True, slots=True)
class Row:
    """One of them. `chosen` says which deliveries were wanted."""

    line: BulkLine
    chosen: str


@pages.get("/bulk-retries")
def index() -> str:
    """The list. A place in it that is not understood is the first, and the page says so."""
    named = request.args.get("after", "")
    after = number_in(named)
    page, scopes = bulk_retries(after, ROWS_PER_PAGE), scope_names()
    return render_template(
        "bulk_retries/index.html",
        rows=[Row(line, asked_in_words(line.asked, scopes)) for line in page.lines],
        older=page.next,
        after=after,
        note=NOT_UNDERSTOOD if named and after is None else None,
        bulk_words=bulk_words,
    )
