"""Sending a shift table to its LINE groups, and withdrawing it."""

from flask import Request, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app.faults import Fault, InvalidInput
from app.sources.classroom.publication import send as send_table
from app.sources.classroom.publication.month_table import draw_month
from app.sources.classroom.publication.publish import NoGroupError
from app.sources.classroom.publication.send import SentTable
from app.sources.classroom.publication.table.fonts import FontMissing
from app.sources.classroom.publication.table.layout import NoShifts
from app.sources.classroom.publication.table.picture import LARGEST_FILE, read_picture
from app.sources.classroom.seen import ChangedMeanwhile
from app.transaction import writing
from app.web import words
from app.web.forms import request_id
from app.web.guards import ADMINS, Pages
from app.web.publication import ADDRESS, png, row_of
from app.web.publication_choice import Choice, default_group, font, read_choice
from app.web.publications import missing_sentence, page, preview_page

pages = Pages("publishing", open_to=ADMINS)


@pages.url_value_preprocessor
def _take_pictures(_endpoint: str | None, _values: dict[str, object] | None) -> None:
    """Pictures may be larger than what other pages take; said before anything reads the form."""
    asked: Request = request
    asked.max_content_length = LARGEST_FILE + 1024 * 1024


@pages.get("/publications/preview.png")
def preview() -> Response:
    """The table as it would be sent now, if it still is the one whose page asks for it; stores nothing."""
    try:
        drawn = draw_month(read_choice(request.args).wanted, font())
    except (InvalidInput, NoShifts, FontMissing):
        abort(404)
    return png(drawn.drawing.png) if request.args.get("seen", drawn.digest) == drawn.digest else abort(404)


@pages.post("/publications")
def send() -> Response | tuple[str, int]:
    """Store the table and owe it to its groups, once for each form; or say what stands in the way."""
    try:
        choice = read_choice(request.form)
    except InvalidInput as error:
        return page(request.form, faults=error.faults), 422
    if not choice.receivers:
        return _refuse(choice)
    try:
        sent = _send(choice, request_id())
    except InvalidInput as error:
        return _refuse(choice, *error.faults)
    except NoShifts:
        return _refuse(choice, Fault("shifts", _("No shift of this month is confirmed, so nothing was sent.")))
    except FontMissing as error:
        return _refuse(choice, Fault("drawing", str(error)))
    except NoGroupError:
        return _refuse(choice)
    except ChangedMeanwhile:
        return preview_page(request.form, choice, changed=True), 409
    flash(_("The table is on its way to LINE."))
    if sent.missing:
        flash(missing_sentence(sent.missing))
    return redirect(url_for("publication.show", publication_id=sent.id), 303)


@pages.get(f"{ADDRESS}/withdraw")
def ask_withdraw(publication_id: int) -> str | Response:
    """Say what withdrawing does."""
    row = row_of(publication_id)
    if row.table.withdrawn_at is not None:
        return redirect(url_for("publication.show", publication_id=publication_id))
    return render_template("publications/withdraw.html", row=row, words=words)


@pages.post(f"{ADDRESS}/withdraw")
def withdraw(publication_id: int) -> Response:
    """Stop showing it, and stop sending what has not gone out."""
    row_of(publication_id)
    with writing() as tx:
        done = send_table.withdraw(tx, current_user.actor, publication_id)
    flash(_("The table was withdrawn.") if done else _("The table had been withdrawn before."))
    return redirect(url_for("publication.show", publication_id=publication_id), 303)


def _send(choice: Choice, request_id: str) -> SentTable:
    actor, picture = current_user.actor, request.files.get("image")
    if picture is not None and picture.filename:
        checked = read_picture(picture.read())
        return send_table.send_picture(
            actor, choice.wanted, checked.png, request_id=request_id, default_group=default_group()
        )  # fmt: skip
    return send_table.send_drawn(
        actor, choice.wanted, request_id=request_id, default_group=default_group(), font=font(),
        seen=request.form.get("seen", ""),
    )  # fmt: skip


def _refuse(choice: Choice, *faults: Fault) -> tuple[str, int]:
    return page(request.form, choice=choice, faults=faults, request_id=request_id()), 422
