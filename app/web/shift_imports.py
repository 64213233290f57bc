"""Bringing shifts in from a CSV file."""

from collections.abc import Collection
from datetime import timedelta

from flask import Response, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from app.clock import now
from app.faults import Fault, InvalidInput
from app.i18n import zone
from app.sources.classroom.imports.csv_file import read_csv
from app.sources.classroom.imports.headings import COLUMNS
from app.sources.classroom.imports.import_shifts import ImportResult, import_shifts
from app.web.guards import ADMINS, Pages

EXAMPLE = "{columns}\r\nA-101,sato@example.jp,渋谷,{day},17:00,20:00,confirmed,\r\n"

pages = Pages("shift_imports", open_to=ADMINS)


@pages.get("/shifts/import")
def new() -> str:
    """The form."""
    return _form(create_classrooms=False)


@pages.post("/shifts/import")
def create() -> AnyResponse | tuple[str, int]:
    """Bring all of the file in, or say everything that is wrong with it and store nothing."""
    uploaded = request.files.get("file")
    create_classrooms = request.form.get("create_classrooms") == "1"
    if uploaded is None or not uploaded.filename:
        return _form(create_classrooms, faults=[Fault("file", _("Choose a CSV file."))]), 422
    try:
        result = import_shifts(read_csv(uploaded.read()), create_classrooms=create_classrooms)
    except InvalidInput as error:
        return _form(create_classrooms, uploaded.filename, error.faults), 422
    flash(_sentence(result))
    return redirect(url_for("shifts.index"), 303)


@pages.get("/shifts/example.csv")
def example() -> Response:
    """A file to begin with: one shift of tomorrow. Its mark lets spreadsheets see that it is UTF-8."""
    tomorrow = (now().astimezone(zone()) + timedelta(days=1)).date()
    text = EXAMPLE.format(columns=",".join(COLUMNS), day=tomorrow)
    headers = {"Content-Disposition": "attachment; filename=shifts.csv"}
    return Response(text.encode("utf-8-sig"), content_type="text/csv; charset=utf-8", headers=headers)


def _form(create_classrooms: bool, name: str | None = None, faults: Collection[Fault] = ()) -> str:
    return render_template(
        "shift_imports/new.html", create_classrooms=create_classrooms, name=name, faults=faults, columns=COLUMNS
    )


def _sentence(result: ImportResult) -> str:
    numbers = {"added": result.added, "changed": result.changed, "unchanged": result.unchanged}
    told = str(_("Shifts: %(added)d added, %(changed)d changed, %(unchanged)d unchanged.", **numbers))
    if result.new_classrooms:
        told += " " + str(_("New classrooms: %(names)s.", names=", ".join(result.new_classrooms)))
    return told
