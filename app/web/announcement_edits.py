"""Writing an announcement, and changing what it says."""

from collections.abc import Mapping
from dataclasses import replace

from flask import abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app import i18n
from app.faults import Fault, InvalidInput
from app.sources.announcements import write
from app.sources.announcements.audience import listeners
from app.sources.announcements.fields import Fields, check_fields
from app.sources.announcements.listing import AnnouncementLine
from app.sources.announcements.models import Phase
from app.sources.announcements.publish import ChangedMeanwhileError
from app.transaction import writing
from app.web.announcement import ADDRESS, about, line_of
from app.web.announcement_form import EMPTY, FIELDS, fields_of, form, typed_of
from app.web.forms import number_in, request_id, typed_in
from app.web.guards import ADMINS, Pages

Answer = Response | str | tuple[str, int]

HIGHEST_REVISION = 2**31 - 1

pages = Pages("announcement_edits", open_to=ADMINS)


@pages.get("/announcements/new")
def new() -> str:
    """An empty form."""
    return form(EMPTY)


@pages.post("/announcements/new")
def add() -> Answer:
    """Keep it as a draft, once for each form."""
    typed = typed_in(request.form, FIELDS)
    try:
        fields = fields_of(typed)
        with writing() as tx:
            made = write.draft(tx, current_user, fields, request_id())
    except InvalidInput as error:
        return form(typed, faults=error.faults), 422
    if line_of(made).phase is Phase.DRAFT:  # a form that is sent once more may meet one that was published since
        flash(_("The draft was saved. Nobody has been told yet."))
    return _go_to(made)


@pages.get(f"{ADDRESS}/edit")
def edit(announcement_id: int) -> Answer:
    """The form of one; what is archived stays as it is."""
    line = line_of(announcement_id)
    return form(typed_of(line.fields), line) if line.phase is not Phase.ARCHIVED else _go_to(announcement_id)


@pages.post(f"{ADDRESS}/edit")
def change(announcement_id: int) -> Answer:
    """Change it as its reader saw it; if it has moved on meanwhile, show both. Ask before everybody is told again."""
    line, typed, seen = line_of(announcement_id), typed_in(request.form, FIELDS), seen_revision()
    anew = "anew" in request.form
    if "back" in request.form:
        return form(typed, line, seen=seen, anew=anew)
    try:
        fields = fields_of(typed)
        if anew and "sure" not in request.form and line.phase is Phase.PUBLISHED and line.revision == seen:
            return _question(line, fields, typed)
        with writing() as tx:
            write.change(tx, current_user, announcement_id, fields, seen, anew=anew)
    except InvalidInput as error:
        return form(typed, line, error.faults, seen=seen, anew=anew), 422
    except ChangedMeanwhileError:
        return _meanwhile(announcement_id, typed, anew=anew)
    flash(_saved(line, anew=anew))
    return _go_to(announcement_id)


def seen_revision() -> int:
    """The revision that stood on the page when its reader decided; 400 for a form that does not say."""
    seen = number_in(request.form.get("seen", ""))
    return seen if seen and seen <= HIGHEST_REVISION else abort(400)


def _question(line: AnnouncementLine, fields: Fields, typed: Mapping[str, str]) -> str:
    """Whether everybody is to be told this again, with everything typed. Raises InvalidInput if it cannot be saved."""
    check_fields(fields)
    return render_template(
        "announcements/again.html", line=line, typed=typed, listeners=listeners(fields),
        **about(replace(line, fields=fields)),
    )  # fmt: skip


def _meanwhile(announcement_id: int, typed: dict[str, str], *, anew: bool) -> tuple[str, int]:
    """What is typed stays in the form, and beside it stands what the announcement has become."""
    since = Fault("seen", _("This announcement has changed since you opened it. Nothing was saved."))
    return form(typed, line_of(announcement_id), [since], anew=anew), 409


def _saved(line: AnnouncementLine, *, anew: bool) -> str:
    if line.publish_at:
        at = i18n.moment(line.publish_at, i18n.language())
        return str(_("The draft was saved. It will be published by itself on %(time)s.", time=at))
    if line.phase is Phase.DRAFT:
        return str(_("The draft was saved. Nobody has been told yet."))
    told = _("The announcement was saved, and everybody is told again.")
    return str(told if anew else _("The announcement was saved. Nobody is told again."))


def _go_to(announcement_id: int) -> Response:
    return redirect(url_for("announcement.show", announcement_id=announcement_id), 303)
