"""The page of one announcement: for whom it is for, and for its authors."""

from flask import abort, render_template
from flask_login import current_user

from app.config import LANGUAGES
from app.sources.announcements.audience import listeners
from app.sources.announcements.kinds import SUBJECT
from app.sources.announcements.listing import AnnouncementLine, get_announcement, get_announcement_for
from app.sources.announcements.models import Phase
from app.sources.announcements.progress import progress_of
from app.web import words
from app.web.acts_done import acts_done
from app.web.announcement_shown import shown_in_all, shown_to_reader
from app.web.announcements import may_write
from app.web.cursors import BIGGEST_ID
from app.web.guards import SIGNED_IN, Pages
from app.web.htmx import wants_part

ADDRESS = f"/announcements/<int(min=1, max={BIGGEST_ID}):announcement_id>"

pages = Pages("announcement", open_to=SIGNED_IN)


@pages.get(ADDRESS)
def show(announcement_id: int) -> str:
    """What it says; to authors everything about it, and for a tick only how far it has come."""
    if not may_write():
        line = get_announcement_for(current_user.reader, announcement_id) or abort(404)
        return render_template("announcements/read.html", line=line, one=shown_to_reader(line))
    line = line_of(announcement_id)
    progress = progress_of(announcement_id)
    if wants_part():
        return render_template("announcements/_live.html", line=line, progress=progress, words=words)
    return render_template(
        "announcements/show.html",
        line=line,
        heading=shown_to_reader(line),
        progress=progress,
        listeners=listeners(line.fields) if line.phase is Phase.DRAFT else None,
        acts=acts_done(SUBJECT, announcement_id, words.ANNOUNCEMENT_ACTS_DONE),
        **about(line),
    )


def about(line: AnnouncementLine) -> dict[str, object]:
    """What every page for authors says of an announcement: its texts, and who is told what."""
    unwritten = any(one not in line.fields.texts for one in LANGUAGES)
    return {"texts": shown_in_all(line), "unwritten": unwritten, "words": words}


def line_of(announcement_id: int) -> AnnouncementLine:
    """The announcement, for an author; 404 if there never was one."""
    return get_announcement(announcement_id) or abort(404)
