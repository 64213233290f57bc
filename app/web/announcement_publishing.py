"""Publishing an announcement now or later, keeping it as a draft after all, and archiving it."""

from collections.abc import Collection, Mapping
from datetime import datetime

from flask import flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app import i18n
from app.faults import Fault, InvalidInput
from app.sources.announcements import publish as verbs
from app.sources.announcements.audience import listeners
from app.sources.announcements.listing import AnnouncementLine
from app.sources.announcements.models import Phase
from app.sources.announcements.publish import ChangedMeanwhileError
from app.transaction import writing
from app.web.announcement import ADDRESS, about, line_of
from app.web.announcement_edits import seen_revision
from app.web.announcement_shown import shown_to_reader
from app.web.days import local_minute, read_minute
from app.web.forms import by_field, typed_in
from app.web.guards import ADMINS, Pages

Answer = Response | str | tuple[str, int]

FIELDS = ("when", "publish_at")
NOW, LATER = "now", "later"

pages = Pages("announcement_publishing", open_to=ADMINS)


@pages.get(f"{ADDRESS}/publish")
def ask_publish(announcement_id: int) -> Answer:
    """Show what everybody would get, and how many they are, and ask when."""
    line = line_of(announcement_id)
    if line.phase is not Phase.DRAFT:
        return _go_to(announcement_id)
    at = local_minute(line.publish_at) if line.publish_at else ""
    return _question(line, {"when": LATER if at else NOW, "publish_at": at})


@pages.post(f"{ADDRESS}/publish")
def publish(announcement_id: int) -> Answer:
    """Publish it as it was seen, now or at a time; pressed twice, it is published once."""
    line, typed, seen = line_of(announcement_id), typed_in(request.form, FIELDS), seen_revision()
    if line.phase is not Phase.DRAFT:
        return _meanwhile(announcement_id, typed)
    try:
        told = _publish(announcement_id, seen, _chosen_time(typed, line.publish_at))
    except InvalidInput as error:
        return _question(line, typed, error.faults, seen=seen), 422
    except ChangedMeanwhileError:
        return _meanwhile(announcement_id, typed)
    flash(told)
    return _go_to(announcement_id)


@pages.post(f"{ADDRESS}/keep-as-draft")
def keep_as_draft(announcement_id: int) -> Response:
    """Do not publish it by itself any more."""
    line_of(announcement_id)
    with writing() as tx:
        done = verbs.keep_as_draft(tx, current_user, announcement_id)
    phase = line_of(announcement_id).phase
    kept = _("It stays a draft until somebody publishes it.")
    flash(kept if done or phase is Phase.DRAFT else _moved_on(phase))
    return _go_to(announcement_id)


@pages.get(f"{ADDRESS}/archive")
def ask_archive(announcement_id: int) -> Answer:
    """Say what archiving does."""
    line = line_of(announcement_id)
    return _archiving(line) if line.phase is not Phase.ARCHIVED else _go_to(announcement_id)


@pages.post(f"{ADDRESS}/archive")
def archive(announcement_id: int) -> Answer:
    """Show it to nobody any more, and send nothing of it any more; if it is another than was seen, ask again."""
    line_of(announcement_id)
    try:
        with writing() as tx:
            done = verbs.archive(tx, current_user, announcement_id, seen_revision())
    except ChangedMeanwhileError:
        return _archiving(line_of(announcement_id), changed=True), 409
    flash(_("The announcement is in the archive now.") if done else _moved_on(Phase.ARCHIVED))
    return _go_to(announcement_id)


def _archiving(line: AnnouncementLine, *, changed: bool = False) -> str:
    """Say what archiving does; `changed`: it was to be archived, but it is not what its reader saw."""
    shown = {"line": line, "heading": shown_to_reader(line), "changed": changed}
    return render_template("announcements/archive.html", **shown, **about(line))


def _publish(announcement_id: int, seen: int, at: datetime | None) -> str:
    """Do it, and say what was done."""
    with writing() as tx:
        if at is not None:
            verbs.publish_later(tx, current_user, announcement_id, seen, at)
            return str(_("It will be published on %(time)s.", time=i18n.moment(at, i18n.language())))
        if verbs.publish(tx, current_user, announcement_id, seen):
            return str(_("The announcement is published, and everybody is being told."))
        return _moved_on(Phase.PUBLISHED)


def _chosen_time(typed: Mapping[str, str], before: datetime | None) -> datetime | None:
    """None for at once. Raises InvalidInput, also for a time beside "At once", but not for the one from `before`."""
    at = read_minute(typed["publish_at"])
    if typed["when"] not in (NOW, LATER):
        raise InvalidInput(Fault("when", _("Choose one of the list.")))
    if typed["when"] == NOW:
        if typed["publish_at"] and (at is None or at != before):
            raise InvalidInput(Fault("publish_at", _("You ticked “At once” and also entered a time. Choose one.")))
        return None
    if at is None:
        raise InvalidInput(Fault("publish_at", _("Enter a day and a time such as 2026-12-01 09:00.")))
    return at


def _meanwhile(announcement_id: int, typed: Mapping[str, str]) -> Answer:
    """It is no draft any more: say so and show it. It is another draft: ask anew, with what it says now."""
    line = line_of(announcement_id)
    if line.phase is not Phase.DRAFT:
        flash(_moved_on(line.phase))
        return _go_to(announcement_id)
    since = _("Somebody has changed this announcement since you opened this page, so it was not published. "
              "Look at it as it is now.")  # fmt: skip
    return _question(line, typed, [Fault("seen", since)]), 409


def _moved_on(phase: Phase) -> str:
    """What somebody did with it before."""
    return str(_("It had been archived before.") if phase is Phase.ARCHIVED else _("It had been published before."))


def _question(
    line: AnnouncementLine, typed: Mapping[str, str], faults: Collection[Fault] = (), seen: int | None = None
) -> str:
    return render_template(
        "announcements/publish.html",
        line=line,
        heading=shown_to_reader(line),
        listeners=listeners(line.fields),
        typed=typed,
        faults=by_field(faults),
        seen=seen or line.revision,
        zone=i18n.zone().key,
        **about(line),
    )


def _go_to(announcement_id: int) -> Response:
    return redirect(url_for("announcement.show", announcement_id=announcement_id), 303)
