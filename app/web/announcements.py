"""The announcements: to everybody those that are for them, to authors all of them."""

from flask import render_template, request
from flask_login import current_user

from app.sources.announcements.listing import AnnouncementLine, announcements, announcements_for
from app.sources.announcements.models import Phase
from app.web import words
from app.web.announcement_shown import Row, shown_to_reader
from app.web.forms import number_in
from app.web.guards import SIGNED_IN, Pages, may_enter

ROWS_PER_PAGE = 50

pages = Pages("announcements", open_to=SIGNED_IN)


@pages.get("/announcements")
def index() -> str:
    """Those that are published for the reader; an author chooses a phase. Newest first."""
    writes, phase = may_write(), _phase()
    found = _found(phase if writes else None)
    shown = found[:ROWS_PER_PAGE]
    return render_template(
        "announcements/index.html",
        rows=[Row(line, shown_to_reader(line)) for line in shown],
        writes=writes,
        phase=phase,
        older=shown[-1].id if len(found) > ROWS_PER_PAGE else None,
        words=words,
    )


def may_write() -> bool:
    """Whether the reader is one of those who write announcements."""
    return may_enter(current_user.role, "announcement_edits")


def _found(phase: Phase | None) -> list[AnnouncementLine]:
    """One more than a page holds, of a phase or those for the reader."""
    before = number_in(request.args.get("before", ""))
    if phase is not None:
        return announcements(phase, before, ROWS_PER_PAGE + 1)
    return announcements_for(current_user.reader, before, ROWS_PER_PAGE + 1)


def _phase() -> Phase:
    asked = request.args.get("state", "")
    return Phase(asked) if asked in list(Phase) else Phase.PUBLISHED
