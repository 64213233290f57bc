"""Resolving a report, opening it again, deleting it, and reacting to it."""

from flask import abort, flash, redirect, render_template, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app.sources.stores import reports as verbs
from app.sources.stores.models import Saying
from app.sources.stores.report_listing import ReportLine, standing_of
from app.transaction import writing
from app.web.guards import SIGNED_IN, Pages
from app.web.reports import ADDRESS, report_of

REACTION = f"{ADDRESS}/<any(me_too, solved):says>"

pages = Pages("report_acts", open_to=SIGNED_IN)


@pages.post(f"{ADDRESS}/resolve")
def resolve(report_id: int) -> Response:
    """The fault is gone."""
    _ask_for_resolving(report_id)
    with writing() as tx:
        done = verbs.resolve(tx, current_user, report_id)
    flash(_("The report is resolved; its reporter has been told.") if done else _("The report had been resolved."))
    return _back(report_id)


@pages.post(f"{ADDRESS}/reopen")
def reopen(report_id: int) -> Response:
    """The fault is back."""
    _ask_for_resolving(report_id)
    with writing() as tx:
        done = verbs.reopen(tx, current_user, report_id)
    flash(_("The report is open again.") if done else _("The report was open."))
    return _back(report_id)


@pages.post(REACTION)
def react(report_id: int, says: str) -> Response:
    """Say it."""
    report_of(report_id)
    with writing() as tx:
        done = verbs.react(tx, current_user, report_id, Saying(says))
    return _back(report_id) if done else abort(403)


@pages.post(f"{REACTION}/take-back")
def take_back(report_id: int, says: str) -> Response:
    """Say it no more."""
    report_of(report_id)
    with writing() as tx:
        verbs.take_back(tx, current_user, report_id, Saying(says))
    return _back(report_id)


@pages.get(f"{ADDRESS}/delete")
def ask_delete(report_id: int) -> str:
    """Say what deleting does."""
    return render_template("reports/delete.html", report=_theirs_to_delete(report_id))


@pages.post(f"{ADDRESS}/delete")
def delete(report_id: int) -> Response:
    """Delete it."""
    _theirs_to_delete(report_id)
    with writing() as tx:
        verbs.delete_report(tx, current_user, report_id)
    flash(_("The report was deleted."))
    return redirect(url_for("reports.index"), 303)


def _ask_for_resolving(report_id: int) -> None:
    """404 for whoever may not see it, 403 for whoever does not work for the store."""
    if not standing_of(current_user.reader, report_of(report_id)).may_resolve:
        abort(403)


def _theirs_to_delete(report_id: int) -> ReportLine:
    report = report_of(report_id)
    return report if standing_of(current_user.reader, report).may_delete else abort(403)


def _back(report_id: int) -> Response:
    return redirect(url_for("reports.show", report_id=report_id), 303)
