"""The page of one published table."""

from flask import Response, abort, render_template, url_for
from flask_login import current_user

from app import audit
from app.sources.classroom.publication.publish import SUBJECT
from app.sources.classroom.publication.published import PublishedTable, get_publication, image_of, revisions_of
from app.sources.classroom.publication.regrouped import regrouped
from app.web import words
from app.web.cursors import BIGGEST_ID
from app.web.guards import STAFF, Pages, may_enter
from app.web.htmx import wants_part
from app.web.months import month_of
from app.web.publication_choice import default_group
from app.web.publications import TableRow, table_rows

ADDRESS = f"/publications/<int(min=1, max={BIGGEST_ID}):publication_id>"

pages = Pages("publication", open_to=STAFF)


@pages.get(ADDRESS)
def show(publication_id: int) -> str:
    """The table, who got it, and its other revisions; for a tick only who got it."""
    row = row_of(publication_id)
    table, may_publish = row.table, may_enter(current_user.role, "publishing")
    shown = {
        "row": row,
        "may_see_deliveries": may_enter(current_user.role, "delivery"),
        "regrouped": regrouped(table, default_group()),
        "send_again": _send_again(table) if may_publish else None,
        "words": words,
    }
    if wants_part():
        return render_template("publications/_live.html", **shown)
    acts = [(entry.at, entry.who, words.PUBLICATION_ACTS_DONE.get(entry.act, entry.act))
            for entry in audit.entries(SUBJECT, publication_id)]  # fmt: skip
    others = [one for one in revisions_of(row.table) if one.id != publication_id]
    return render_template(
        "publications/show.html",
        others=table_rows(others),
        acts=acts,
        may_publish=may_publish,
        **shown,
    )


def _send_again(table: PublishedTable) -> str | None:
    """Where the table can be sent as it is now; None where nobody should be sent this one any more."""
    month = month_of(table.month)
    if month.is_over or table.replaced or table.withdrawn_at is not None:
        return None
    return url_for("publications.index", month=month, classroom=table.classroom_id or "")


@pages.get(f"{ADDRESS}/image.png")
def image(publication_id: int) -> Response:
    """The picture, for those who plan, even when it was withdrawn."""
    return png(image_of(publication_id) or abort(404))


def row_of(publication_id: int) -> TableRow:
    """The publication; 404 if there never was one."""
    return table_rows([get_publication(publication_id) or abort(404)])[0]


def png(picture: bytes) -> Response:
    """A picture as an answer; no cache keeps it, as of every page."""
    return Response(picture, content_type="image/png")
