"""Confirming, unconfirming and deleting shifts, one or many; asked about first where somebody is told of it."""

from collections.abc import Collection, Iterator, Mapping

from flask import Request, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_babel import ngettext
from flask_login import current_user
from werkzeug.wrappers import Response

from app.audit import Actor
from app.sources.classroom.models import ShiftStatus
from app.sources.classroom.seen import is_mark
from app.sources.classroom.shifts import by_hand
from app.sources.classroom.shifts.by_hand import Done
from app.sources.classroom.shifts.foresight import Misled, misled_by_deletion, misled_by_status
from app.sources.classroom.shifts.listing import shifts_of
from app.transaction import Transaction, writing
from app.web import words
from app.web.forms import number_in
from app.web.guards import ADMINS, Pages
from app.web.places import own_path
from app.web.shift import line_of, row_of
from app.web.shift_questions import warnings
from app.web.shift_rows import shift_rows

ACTS = "/shifts/<any(confirm, unconfirm, delete):act>"
MOST = 5_000
"""Shifts in one act: one transaction writes them all, and nobody else writes meanwhile."""

LARGEST_FORM = 4 * 1024 * 1024
"""Bytes: a month of far too many shifts gets a sentence of ours."""

pages = Pages("shift_acts", open_to=ADMINS)


@pages.url_value_preprocessor
def _take_many(_endpoint: str | None, _values: dict[str, object] | None) -> None:
    """Forms may be longer than those of other pages; said before anything reads the form."""
    asked: Request = request
    asked.max_form_memory_size = LARGEST_FORM


@pages.get(ACTS)
def ask(act: str) -> Response | str:
    """Say what the act would do."""
    ids = _given()
    return _ask(act, ids) if len(ids) <= MOST else _too_many(len(ids))


@pages.post(ACTS)
def act(act: str) -> Response | str | tuple[str, int]:
    """Do it; deleting, and whatever has somebody corrected, only once that was said.

    What somebody changed since it was seen is left alone; a single one is shown as it is now.
    """
    seen = _given()
    if not all(seen.values()):
        abort(400)
    if len(seen) > MOST:
        return _too_many(len(seen))
    if not seen:
        flash(_("Nothing was done: no shift was ticked."))
        return redirect(_back(), 303)
    if request.form.get("confirmed") != "1" and (act == "delete" or _misled(act, seen)):
        return _ask(act, seen)
    with writing() as tx:
        done = _do(tx, current_user.actor, act, seen)
    if done.meanwhile and len(seen) == 1:
        return _meanwhile(act, seen), 409
    for sentence in _told(act, done):
        flash(sentence)
    return redirect(_back(), 303)


def _given() -> dict[int, str]:
    """The one shift whose own button was pressed, else those that are ticked; each with its mark, if it has one."""
    given = request.values.getlist("only") or request.values.getlist("ids")
    return dict(sorted(map(_read, given)))


def _read(given: str) -> tuple[int, str]:
    shift_id, _dot, seen = given.partition(".")
    if seen and not is_mark(seen):
        abort(400)
    return number_in(shift_id) or abort(400), seen


def _too_many(number: int) -> Response:
    flash(
        _(
            "These are %(number)d shifts, and at most %(most)d are changed at once, so nothing was done. "
            "Choose a day or a classroom, and do it in parts.",
            number=number,
            most=MOST,
        )
    )
    return redirect(_back(), 303)


def _misled(act: str, ids: Collection[int]) -> list[Misled]:
    if act == "delete":
        return misled_by_deletion(ids)
    return misled_by_status(ids, ShiftStatus.CONFIRMED if act == "confirm" else ShiftStatus.DRAFT)


def _do(tx: Transaction, actor: Actor, act: str, seen: Mapping[int, str]) -> Done:
    if act == "delete":
        return by_hand.delete_shifts(tx, actor, seen)
    return by_hand.set_status(tx, actor, seen, ShiftStatus.CONFIRMED if act == "confirm" else ShiftStatus.DRAFT)


def _ask(act: str, ids: Collection[int], *, meanwhile: bool = False) -> str:
    return render_template(
        "shifts/ask.html",
        act=act,
        shifts=shift_rows(shifts_of(ids), {}),
        warnings=warnings(_misled(act, ids)),
        meanwhile=meanwhile,
        back=_back(),
        words=words,
    )


def _meanwhile(act: str, ids: Collection[int]) -> str:
    """What somebody has made of the one shift: deleted, or another than was seen."""
    if shifts_of(ids):
        return _ask(act, ids, meanwhile=True)
    problem = _("This shift was deleted, so it cannot be changed any more.")
    return render_template("shifts/gone.html", shift=row_of(line_of(*ids)), problem=problem)


def _told(act: str, done: Done) -> Iterator[str]:
    """The count of what was done, of what was left as it was, and of what somebody else was faster with."""
    sentences = {
        "confirm": ngettext("%(num)d shift was confirmed.", "%(num)d shifts were confirmed.", done.done),
        "unconfirm": ngettext("%(num)d shift is a draft again.", "%(num)d shifts are drafts again.", done.done),
        "delete": ngettext("%(num)d shift was deleted.", "%(num)d shifts were deleted.", done.done),
    }
    kept = ngettext("%(num)d was left as it was.", "%(num)d were left as they were.", done.so_already)
    yield f"{sentences[act]} {kept}" if done.so_already else str(sentences[act])
    if done.meanwhile:
        yield ngettext(
            "%(num)d shift was changed by somebody since you saw it, and left alone: look at it again.",
            "%(num)d shifts were changed by somebody since you saw them, and left alone: look at them again.",
            done.meanwhile,
        )


def _back() -> str:
    return own_path(request.values.get("next"), url_for("shifts.index"))
