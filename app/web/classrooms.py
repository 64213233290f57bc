"""The classrooms and the LINE groups that their shift tables go to."""

from collections.abc import Callable, Mapping

from flask import abort, current_app, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app.config import Settings
from app.faults import InvalidInput
from app.operations import groups
from app.sources.classroom import classroom_settings
from app.transaction import Transaction, writing
from app.web import words
from app.web.cursors import BIGGEST_ID
from app.web.forms import by_field, number_in
from app.web.guards import ADMINS, Pages

Answer = Response | tuple[str, int]
CLASSROOM = f"/settings/classrooms/<int(min=1, max={BIGGEST_ID}):classroom_id>"
GROUP = f"/settings/groups/<int(min=1, max={BIGGEST_ID}):group_id>"

pages = Pages("classrooms", open_to=ADMINS)


@pages.get("/settings/classrooms")
def index() -> str:
    """All of them, with their groups."""
    return _page("", {})


@pages.post("/settings/classrooms")
def add() -> Answer:
    """Make a classroom."""

    def make(tx: Transaction) -> bool:
        classroom_settings.add_classroom(tx, current_user.actor, request.form.get("name", ""), _group())
        return True

    return _do(make, "new-classroom", _("The classroom was added."))


@pages.post(CLASSROOM)
def change(classroom_id: int) -> Answer:
    """Rename a classroom, and choose its group."""

    def save(tx: Transaction) -> bool:
        name = request.form.get("name", "")
        return classroom_settings.change_classroom(tx, current_user.actor, classroom_id, name, _group())

    return _do(save, f"classroom-{classroom_id}", _("The classroom was saved."))


@pages.post("/settings/groups")
def add_group() -> Answer:
    """Enter a LINE group."""
    given = [request.form.get(name, "") for name in ("line_group_id", "name", "language")]

    def enter(tx: Transaction) -> bool:
        groups.add_group(tx, current_user.actor, *given)
        return True

    return _do(enter, "new-group", _("The LINE group was entered."))


@pages.post(GROUP)
def change_group(group_id: int) -> Answer:
    """Name a LINE group, and choose its language."""

    def save(tx: Transaction) -> bool:
        name, language = request.form.get("name", ""), request.form.get("language", "")
        return groups.change_group(tx, current_user.actor, group_id, name, language)

    return _do(save, f"group-{group_id}", _("The LINE group was saved."))


def _do(verb: Callable[[Transaction], bool], form: str, told: str) -> Answer:
    try:
        with writing() as tx:
            done = verb(tx)
    except InvalidInput as error:
        return _page(form, by_field(error.faults)), 422
    if not done:
        abort(404)
    flash(told)
    return redirect(url_for("classrooms.index"), 303)


def _page(form: str, faults: Mapping[str, str]) -> str:
    """The page; `form` is the one that was refused, which keeps what was typed but for a LINE id."""
    settings: Settings = current_app.config["SETTINGS"]
    return render_template(
        "classrooms/index.html",
        classrooms=classroom_settings.classrooms(),
        groups=groups.known_groups(settings.line_group_id),
        default=settings.line_group_id is not None,
        refused=form,
        faults=faults,
        typed=request.form,
        words=words,
    )


def _group() -> int | None:
    given = request.form.get("group", "")
    if not given:
        return None
    return number_in(given) or abort(400)
