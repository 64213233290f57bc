"""Confirming, unconfirming and deleting shifts, one or many; asked about first where somebody is told of it."""

from collections.abc import Collection

from flask import abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_babel import ngettext
from flask_login import current_user
from werkzeug.wrappers import Response

from app.audit import Actor
from app.sources.classroom import by_hand
from app.sources.classroom.foresight import Misled, misled_by_deletion, misled_by_status
from app.sources.classroom.listing import shifts_of
from app.sources.classroom.models import ShiftStatus
from app.transaction import Transaction, writing
from app.web import words
from app.web.cursors import BIGGEST_ID
from app.web.guards import ADMINS, Pages
from app.web.places import own_path
from app.web.shift_questions import warnings
from app.web.shift_rows import shift_rows

ACTS = "/shifts/<any(confirm, unconfirm, delete):act>"
MOST = 5_000
"""Shifts in one act: as many as one file may bring."""

pages = Pages("shift_acts", open_to=ADMINS)


@pages.get(ACTS)
def ask(act: str) -> Response | str:
    """Say what the act would do."""
    return _ask(act, _ids())


@pages.post(ACTS)
def act(act: str) -> Response | str:
    """Do it; deleting, and whatever has somebody corrected, only once that was said."""
    ids = _ids()
    if not ids:
        flash(_("Nothing was done: no shift was ticked."))
        return redirect(_back(), 303)
    if request.form.get("confirmed") != "1" and (act == "delete" or _misled(act, ids)):
        return _ask(act, ids)
    with writing() as tx:
        done = _do(tx, current_user.actor, act, ids)
    flash(_told(act, done, len(ids) - done))
    return redirect(_back(), 303)


def _ids() -> list[int]:
    """The one shift whose own button was pressed, else those that are ticked."""
    given = request.values.getlist("only") or request.values.getlist("ids")
    if len(given) > MOST or not all(one.isdecimal() and len(one) < 20 and int(one) <= BIGGEST_ID for one in given):
        abort(400)
    return sorted({int(one) for one in given})


def _misled(act: str, ids: Collection[int]) -> list[Misled]:
    if act == "delete":
        return misled_by_deletion(ids)
    return misled_by_status(ids, ShiftStatus.CONFIRMED if act == "confirm" else ShiftStatus.DRAFT)


def _do(tx: Transaction, actor: Actor, act: str, ids: Collection[int]) -> int:
    if act == "delete":
        return by_hand.delete_shifts(tx, actor, ids)
    return by_hand.set_status(tx, actor, ids, ShiftStatus.CONFIRMED if act == "confirm" else ShiftStatus.DRAFT)


def _ask(act: str, ids: Collection[int]) -> str:
    rows = shift_rows(shifts_of(ids), {})
    return render_template(
        "shifts/ask.html", act=act, shifts=rows, warnings=warnings(_misled(act, ids)), back=_back(), words=words
    )


def _told(act: str, done: int, left: int) -> str:
    """The count of what was done, and of what was left as it was."""
    sentences = {
        "confirm": ngettext("%(num)d shift was confirmed.", "%(num)d shifts were confirmed.", done),
        "unconfirm": ngettext("%(num)d shift is a draft again.", "%(num)d shifts are drafts again.", done),
        "delete": ngettext("%(num)d shift was deleted.", "%(num)d shifts were deleted.", done),
    }
    kept = ngettext("%(num)d was left as it was.", "%(num)d were left as they were.", left)
    return f"{sentences[act]} {kept}" if left else str(sentences[act])


def _back() -> str:
    return own_path(request.values.get("next"), url_for("shifts.index"))
