"""Marking read and putting away: for one notification, the ticked ones, or all that were on the screen."""

from collections.abc import Callable, Collection

from flask import abort, redirect, request
from flask_login import current_user
from werkzeug.wrappers import Response

from app.extensions import DATABASE_FAULTS
from app.inbox import marks
from app.transaction import Transaction, writing
from app.web import inbox_undo, unsaved
from app.web.forms import number_in
from app.web.guards import GUESTS_TOO, Pages
from app.web.htmx import wants_part
from app.web.inbox import part
from app.web.inbox_asked import read as read_asked
from app.web.inbox_undo import Done

MOST_AT_ONCE = 500

Answer = Response | str | tuple[str, int]
Verb = Callable[[Transaction, int, Collection[int]], list[int]]

pages = Pages("inbox_acts", open_to=GUESTS_TOO)


@pages.post("/inbox/read")
def read() -> Answer:
    """Note as read, exactly those named: what arrived since the page was drawn stays unread."""
    return _do("read", marks.mark_read)


@pages.post("/inbox/unread")
def unread() -> Answer:
    """Take the reading back."""
    return _do("unread", marks.mark_unread)


@pages.post("/inbox/archive")
def archive() -> Answer:
    """Put away."""
    return _do("archive", marks.archive)


@pages.post("/inbox/restore")
def restore() -> Answer:
    """Bring back."""
    return _do("restore", marks.restore)


def _do(act: str, verb: Verb) -> Answer:
    ids, asked = _ids(), read_asked(request.values)
    if asked.faults:
        abort(400)
    try:
        with writing() as tx:
            changed = verb(tx, current_user.id, ids)
    except DATABASE_FAULTS:
        return unsaved.answer(request.full_path, ids)
    done = Done(act, changed, len(changed))
    if wants_part():
        return part(asked, done)
    inbox_undo.keep(done)
    return redirect(asked.address(), 303)


def _ids() -> list[int]:
    written = request.form.getlist("ids")
    if len(written) > MOST_AT_ONCE:
        abort(400)
    return sorted({number_in(one) or abort(400) for one in written})
