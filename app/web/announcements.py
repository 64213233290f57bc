"""The announcements: to everybody those that are for them, to authors all of them."""

from flask import render_template, request
from flask_login import current_user

from app.faults import InvalidInput
from app.sources.announcements.listing import Page, announcements, announcements_for
from app.sources.announcements.models import Phase
from app.web import cursors, words
from app.web.announcement_shown import Row, shown_to_reader
from app.web.guards import SIGNED_IN, Pages, may_enter

ROWS_PER_PAGE = 50

pages = Pages("announcements", open_to=SIGNED_IN)


@pages.get("/announcements")
def index() -> str:
    """Those that are published for the reader; an author chooses a phase. Newest first."""
    writes, phase = may_write(), _phase()
    page = _page(phase if writes else None)
    return render_template(
        "announcements/index.html",
        rows=[Row(line, shown_to_reader(line)) for line in page.lines],
        writes=writes,
        phase=phase,
        older=cursors.write(page.next) if page.next else None,
        words=words,
    )


def may_write() -> bool:
    """Whether the reader is one of those who write announcements."""
    return may_enter(current_user.role, "announcement_edits")


def _page(phase: Phase | None) -> Page:
    """Those of a phase, or those for the reader; from the newest on where the place was not understood."""
    try:
        after = cursors.read(request.args.get("cursor", ""))
    except InvalidInput:
        after = None
    if phase is not None:
        return announcements(phase, after, ROWS_PER_PAGE)
    return announcements_for(current_user.reader, after, ROWS_PER_PAGE)


def _phase() -> Phase:
    asked = request.args.get("state", "")
    return Phase(asked) if asked in list(Phase) else Phase.PUBLISHED
