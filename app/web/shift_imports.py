"""Bringing shifts in from a CSV file: what it would do is shown first, then confirmed."""

from collections.abc import Collection
from datetime import timedelta

from flask import Response, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response as AnyResponse

from app.clock import now
from app.faults import Fault, InvalidInput
from app.i18n import language, zone
from app.sources.classroom.imports.csv_file import read_csv
from app.sources.classroom.imports.headings import JAPANESE, OPTIONAL
from app.sources.classroom.imports.import_file import KeptFile, drop_file, import_kept, keep_file, kept_file
from app.sources.classroom.imports.import_shifts import ImportResult
from app.sources.classroom.imports.preview import PreviewedShift, preview
from app.sources.classroom.messages import Facts, summary
from app.transaction import writing
from app.web import words
from app.web.guards import ADMINS, Pages

MOST_SHOWN = 200
"""Shifts of each sort that a preview lists; the rest is counted."""

KEPT = "/shifts/import/<token>"

pages = Pages("shift_imports", open_to=ADMINS)


@pages.get("/shifts/import")
def new() -> str:
    """The form."""
    return _form(create_classrooms=False)


@pages.post("/shifts/import")
def upload() -> AnyResponse | tuple[str, int]:
    """Keep the file and go on to its preview, or say everything that is wrong with it."""
    uploaded = request.files.get("file")
    create_classrooms = request.form.get("create_classrooms") == "1"
    if uploaded is None or not uploaded.filename:
        return _form(create_classrooms, faults=[Fault("file", _("Choose a CSV file."))]), 422
    data = uploaded.read()
    try:
        preview(read_csv(data), create_classrooms=create_classrooms)
    except InvalidInput as error:
        return _form(create_classrooms, uploaded.filename, error.faults), 422
    with writing() as tx:
        token = keep_file(tx, current_user.id, uploaded.filename, data, create_classrooms=create_classrooms)
    return redirect(url_for("shift_imports.show", token=token), 303)


@pages.get(KEPT)
def show(token: str) -> str | tuple[str, int]:
    """What the file would add, change and leave, as things stand now."""
    kept = kept_file(token, current_user.id)
    if kept is None:
        return _over()
    try:
        shown = preview(read_csv(kept.data, kept.created_at), create_classrooms=kept.create_classrooms)
    except InvalidInput as error:
        return _refuse(kept, error)
    return render_template(
        "shift_imports/preview.html",
        preview=shown,
        kept=kept,
        token=token,
        most=MOST_SHOWN,
        written=_written,
        words=words,
    )


@pages.post(KEPT)
def bring_in(token: str) -> AnyResponse | tuple[str, int]:
    """Bring all of the file in, once."""
    kept = kept_file(token, current_user.id)
    if kept is None:
        return _over()
    try:
        result = import_kept(token, current_user.id, current_user.actor)
    except InvalidInput as error:
        return _refuse(kept, error)
    if result is None:
        return _over()
    flash(_sentence(result))
    return redirect(url_for("shifts.index"), 303)


@pages.post(f"{KEPT}/drop")
def drop(token: str) -> AnyResponse:
    """Forget the file."""
    with writing() as tx:
        dropped = drop_file(tx, token, current_user.id)
    if not dropped:
        abort(404)
    flash(_("Nothing was imported, and the file is forgotten."))
    return redirect(url_for("shift_imports.new"), 303)


@pages.get("/shifts/example.csv")
def example() -> Response:
    """A file to begin with, in the reader's language: one shift of tomorrow.

    Its mark lets spreadsheets see that it is UTF-8.
    """
    tomorrow = (now().astimezone(zone()) + timedelta(days=1)).date()
    japanese = language() == "ja"
    # The id comes last: Excel takes a file that begins with ID for one of another format (SYLK), and complains.
    cells = {
        "tutor_email": "sato@example.jp", "classroom": "渋谷", "date": tomorrow.isoformat(), "start": "17:00",
        "end": "20:00", "status": "確定" if japanese else "confirmed", "note": "", "external_id": "A-101",
    }  # fmt: skip
    headings = [JAPANESE[column] if japanese else column for column in cells]
    text = "".join(",".join(line) + "\r\n" for line in (headings, cells.values()))
    headers = {"Content-Disposition": "attachment; filename=shifts.csv"}
    return Response(text.encode("utf-8-sig"), content_type="text/csv; charset=utf-8", headers=headers)


def _written(shift: PreviewedShift) -> str:
    return summary(Facts(shift.tutor, shift.classroom, shift.starts_at, shift.ends_at), language())


def _over() -> tuple[str, int]:
    gone = _("The file is no longer kept: it was imported, given up, or older than an hour. Choose it again.")
    return _form(create_classrooms=False, faults=[Fault("file", gone)]), 410


def _refuse(kept: KeptFile, error: InvalidInput) -> tuple[str, int]:
    """What the file names is gone since it was uploaded."""
    return _form(kept.create_classrooms, kept.name, error.faults), 422


def _form(create_classrooms: bool, name: str | None = None, faults: Collection[Fault] = ()) -> str:
    return render_template(
        "shift_imports/new.html",
        create_classrooms=create_classrooms,
        name=name,
        faults=faults,
        columns=JAPANESE,
        optional=OPTIONAL,
    )


def _sentence(result: ImportResult) -> str:
    numbers = {"added": result.added, "changed": result.changed, "unchanged": result.unchanged}
    told = str(_("Shifts: %(added)d added, %(changed)d changed, %(unchanged)d unchanged.", **numbers))
    if result.new_classrooms:
        told += " " + str(_("New classrooms: %(names)s.", names=", ".join(result.new_classrooms)))
    return told
