"""The page of one shift: how it stands, what was told to whom, and who changed it."""

from flask import abort, render_template
from flask_login import current_user

from app import audit
from app.sources.classroom.shifts.clashes import clashes_with
from app.sources.classroom.shifts.listing import ShiftLine, get_shift
from app.sources.classroom.telling.beliefs import SUBJECT
from app.web import words
from app.web.cursors import BIGGEST_ID
from app.web.guards import STAFF, Pages, may_enter
from app.web.shift_rows import ShiftRow, shift_rows

ADDRESS = f"/shifts/<int(min=1, max={BIGGEST_ID}):shift_id>"

pages = Pages("shift", open_to=STAFF)


@pages.get(ADDRESS)
def show(shift_id: int) -> str:
    """The page, even of a deleted shift: what was told of it stays explained."""
    row = row_of(line_of(shift_id))
    acts = [(entry.at, entry.who, words.SHIFT_ACTS_DONE.get(entry.act, entry.act))
            for entry in audit.entries(SUBJECT, shift_id)]  # fmt: skip
    return render_template(
        "shifts/show.html",
        shift=row,
        acts=acts,
        may_edit=may_enter(current_user.role, "shift_edits"),
        may_see_deliveries=may_enter(current_user.role, "delivery"),
        words=words,
    )


def line_of(shift_id: int) -> ShiftLine:
    """The shift; 404 if there never was one."""
    return get_shift(shift_id) or abort(404)


def row_of(line: ShiftLine) -> ShiftRow:
    """The shift as pages show it."""
    clashes = [] if line.deleted else clashes_with(line.tutor_id, line.starts_at, line.ends_at, line.id)
    return shift_rows([line], {line.id: clashes})[0]
