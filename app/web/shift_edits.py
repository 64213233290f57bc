"""Adding and changing a shift. Who would be corrected, and where the tutor is otherwise, is said before it is saved."""

from collections.abc import Collection, Mapping, Sequence

from flask import abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app.faults import Fault, InvalidInput
from app.sources.classroom.models import ShiftStatus
from app.sources.classroom.seen import is_mark
from app.sources.classroom.shifts import by_hand
from app.sources.classroom.shifts.clashes import clashes_with
from app.sources.classroom.shifts.edit import ShiftValues
from app.sources.classroom.shifts.foresight import misled_by_change
from app.sources.classroom.shifts.listing import ShiftLine, classroom_names
from app.sources.classroom.shifts.tutors import tutors
from app.transaction import writing
from app.web import words
from app.web.days import read_day
from app.web.forms import by_field, typed_in
from app.web.guards import ADMINS, Pages
from app.web.months import today
from app.web.places import own_path
from app.web.shift import ADDRESS, line_of, row_of
from app.web.shift_form import FIELDS, values_of, written_of
from app.web.shift_questions import warnings
from app.web.shift_rows import local_day, when_and_where

Answer = Response | str | tuple[str, int]

pages = Pages("shift_edits", open_to=ADMINS)


@pages.get("/shifts/new")
def new() -> str:
    """An empty form, with the day and the classroom that its reader came from."""
    day = read_day(request.args.get("day", "")) or today()
    start = {"date": day.isoformat(), "classroom": request.args.get("classroom", ""), "status": ShiftStatus.DRAFT}
    return _form(typed_in(start, FIELDS), None)


@pages.post("/shifts/new")
def add() -> Answer:
    """Make the shift. Asks first when its tutor has another at that time."""
    typed = typed_in(request.form, FIELDS)
    try:
        values = values_of(typed, tutors(), classroom_names())
    except InvalidInput as error:
        return _form(typed, None, faults=error.faults), 422
    if (asking := _warnings(values, None)) and not _agreed(asking):
        return _form(typed, None, asking)
    with writing() as tx:
        shift_id = by_hand.add_shift(tx, current_user.actor, values)
    flash(_("The shift was added."))
    return redirect(_back_to(shift_id, values), 303)


@pages.get(f"{ADDRESS}/edit")
def edit(shift_id: int) -> Answer:
    """The form of a shift."""
    line = line_of(shift_id)
    return _form(written_of(line), line) if not line.deleted else _gone(shift_id)


@pages.post(f"{ADDRESS}/edit")
def change(shift_id: int) -> Answer:
    """Change the shift as its reader saw it; if it was changed meanwhile, show both."""
    line, typed = line_of(shift_id), typed_in(request.form, FIELDS)
    try:
        values = values_of(typed, tutors(line.tutor_id), classroom_names())
    except InvalidInput as error:
        return _form(typed, line, faults=error.faults, seen=_seen()), 422
    if line.deleted:
        return _gone(shift_id)
    if line.seen != _seen():
        return _meanwhile(shift_id, typed)
    if (asking := _warnings(values, line)) and not _agreed(asking):
        return _form(typed, line, asking)
    with writing() as tx:
        done = by_hand.change_shift(tx, current_user.actor, shift_id, values, _seen())
    if not done:
        return _meanwhile(shift_id, typed)
    flash(_("The shift was saved."))
    return redirect(_back_to(shift_id, values), 303)


def _warnings(values: ShiftValues, line: ShiftLine | None) -> list[str]:
    """What whoever saves this has to know, as sentences."""
    clashes = clashes_with(values.tutor_id, values.starts_at, values.ends_at, line.id if line else None)
    double = [
        _("The tutor has another shift at that time: %(shift)s.", shift=when_and_where(clash)) for clash in clashes
    ]
    return [*warnings(misled_by_change(line.id, values) if line else []), *double]


def _agreed(asking: Sequence[str]) -> bool:
    """Whether just this was on the page when they pressed Save: after another change it is asked anew."""
    return request.form.getlist("agreed") == list(asking)


def _form(
    typed: Mapping[str, str],
    line: ShiftLine | None,
    asking: Collection[str] = (),
    faults: Collection[Fault] = (),
    seen: str = "",
) -> str:
    return render_template(
        "shifts/form.html",
        typed=typed,
        faults=by_field(faults),
        shift=row_of(line) if line else None,
        seen=seen or (line.seen if line else None),
        tutors=tutors(line.tutor_id if line else None),
        classrooms=classroom_names(),
        statuses=words.SHIFT_STATUSES,
        asking=asking,
        back=own_path(request.values.get("next"), url_for("shifts.index")),
        words=words,
    )


def _meanwhile(shift_id: int, typed: dict[str, str]) -> tuple[str, int]:
    """What is typed stays in the form, and beside it stands what the shift has become."""
    line = line_of(shift_id)
    if line.deleted:
        return _gone(shift_id)
    clash = Fault("seen", _("Somebody has changed this shift since you opened it. Nothing was saved."))
    return _form(typed, line, faults=[clash]), 409


def _gone(shift_id: int) -> tuple[str, int]:
    problem = _("This shift was deleted, so it cannot be changed any more.")
    return render_template("shifts/gone.html", shift=row_of(line_of(shift_id)), problem=problem), 409


def _seen() -> str:
    seen = request.form.get("seen", "")
    return seen if is_mark(seen) else abort(400)


def _back_to(shift_id: int, values: ShiftValues) -> str:
    there = url_for("shifts.index", day=local_day(values.starts_at)) + f"#shift-{shift_id}"
    return own_path(request.form.get("next"), there)
