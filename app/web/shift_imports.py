"""Bringing shifts in from a CSV file: what it would do is shown first, then confirmed."""

from collections.abc import Collection
from datetime import timedelta

from flask import Response, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response as AnyResponse

from app.clock import now
from app.codes import CANCELLATIONS
from app.faults import Fault, InvalidInput
from app.i18n import language, zone
from app.sources.classroom.imports.csv_file import read_csv
from app.sources.classroom.imports.headings import JAPANESE, OPTIONAL, WHOLE_FILE
from app.sources.classroom.imports.import_file import (
    KeptFile,
    drop_file,
    import_kept,
    imported_at,
    keep_file,
    kept_file,
)
from app.sources.classroom.imports.import_shifts import ImportResult
from app.sources.classroom.imports.preview import PreviewedShift, preview
from app.sources.classroom.seen import ChangedMeanwhile, digest
from app.sources.classroom.telling.messages import Facts, summary
from app.transaction import writing
from app.web import words
from app.web.guards import ADMINS, Pages
from app.web.shift_rows import when_and_where

MOST_SHOWN = 200
"""Faults, or shifts of each sort, that a page lists; the rest is counted."""
FEW = 3
"""Names or clashes that are shown at once; of more only the number is, until it is opened."""

Place = tuple[int | None, str, str]
"""Where a fault is, and what it is: the line of the file, the column or an empty word, and the message."""

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
        return _form(create_classrooms, faults=[Fault(WHOLE_FILE, _("Choose a CSV file."))]), 422
    data = uploaded.read()
    try:
        preview(read_csv(data), create_classrooms=create_classrooms)
        with writing() as tx:
            token = keep_file(tx, current_user.id, uploaded.filename, data, create_classrooms=create_classrooms)
    except InvalidInput as error:
        return _form(create_classrooms, uploaded.filename, error.faults), 422
    return redirect(url_for("shift_imports.show", token=token), 303)


@pages.get(KEPT)
def show(token: str) -> str | tuple[str, int]:
    """What the file would add, change and leave, as things stand now."""
    kept = kept_file(token, current_user.id)
    if kept is None:
        return _over(token)
    return _preview(kept, token)


@pages.post(KEPT)
def bring_in(token: str) -> AnyResponse | str | tuple[str, int]:
    """Bring all of the file in, once. If it would do anything else than was shown, that is shown first."""
    kept = kept_file(token, current_user.id)
    if kept is None:
        return _over(token)
    try:
        result = import_kept(token, current_user.id, current_user.actor, request.form.get("seen", ""))
    except ChangedMeanwhile:
        return _preview(kept, token, changed=True)
    except InvalidInput as error:
        return _refuse(kept, error)
    if result is None:
        return _over(token)
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
    cells = {
        "tutor_email": "sato@example.jp", "classroom": "渋谷", "date": tomorrow.isoformat(), "start": "17:00",
        "end": "20:00", "status": "確定" if japanese else "confirmed", "note": "", "external_id": "A-101",
    }  # fmt: skip
    headings = [JAPANESE[column] if japanese else column for column in cells]
    text = "".join(",".join(line) + "\r\n" for line in (headings, cells.values()))
    headers = {"Content-Disposition": "attachment; filename=shifts.csv"}
    return Response(text.encode("utf-8-sig"), content_type="text/csv; charset=utf-8", headers=headers)


def _preview(kept: KeptFile, token: str, *, changed: bool = False) -> str | tuple[str, int]:
    """The page; `changed`: it was confirmed, but not as it is now."""
    try:
        shown = preview(read_csv(kept.data, kept.created_at), create_classrooms=kept.create_classrooms)
    except InvalidInput as error:
        return _refuse(kept, error)
    page = render_template(
        "shift_imports/preview.html",
        preview=shown,
        unreachable=[(one, CANCELLATIONS[one.why].cause) for one in shown.unreachable],
        clashes=[(one, when_and_where(one.one), when_and_where(one.other)) for one in shown.clashes[:MOST_SHOWN]],
        few=FEW,
        seen=digest(shown),
        changed=changed,
        kept=kept,
        token=token,
        most=MOST_SHOWN,
        written=_written,
        words=words,
    )
    return (page, 409) if changed else page


def _written(shift: PreviewedShift) -> str:
    return summary(Facts(shift.tutor, shift.classroom, shift.starts_at, shift.ends_at), language())


def _over(token: str) -> tuple[str, int]:
    """What became of a file that is kept no longer: imported, and when, or not."""
    return render_template("shift_imports/over.html", imported_at=imported_at(token, current_user.id)), 410


def _refuse(kept: KeptFile, error: InvalidInput) -> tuple[str, int]:
    """What the file names is gone since it was uploaded."""
    return _form(kept.create_classrooms, kept.name, error.faults), 422


def _form(create_classrooms: bool, name: str | None = None, faults: Collection[Fault] = ()) -> str:
    places = [_place(fault) for fault in list(faults)[:MOST_SHOWN]]
    return render_template(
        "shift_imports/new.html",
        create_classrooms=create_classrooms,
        name=name,
        of_file=[message for line, column, message in places if not line and not column],
        of_places=[(line, column, message) for line, column, message in places if line or column],
        more=max(len(faults) - MOST_SHOWN, 0),
        columns=JAPANESE,
        optional=OPTIONAL,
    )


def _place(fault: Fault) -> Place:
    return fault.line, "" if fault.field == WHOLE_FILE else fault.field, fault.message


def _sentence(result: ImportResult) -> str:
    numbers = {"added": result.added, "changed": result.changed, "unchanged": result.unchanged}
    told = str(_("Shifts: %(added)d added, %(changed)d changed, %(unchanged)d unchanged.", **numbers))
    if result.new_classrooms:
        told += " " + str(_("New classrooms: %(names)s.", names=", ".join(result.new_classrooms)))
    return told
