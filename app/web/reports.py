"""Fault reports: those that the reader may see, the page of each, and making one."""

from collections.abc import Mapping

from flask import abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app import tokens
from app.accounts.stores import open_stores
from app.faults import InvalidInput
from app.sources.stores.fields import ReportFields
from app.sources.stores.listing import get_store
from app.sources.stores.report_listing import Pile, ReportLine, get_report, reports_of, standing_of
from app.sources.stores.reports import SUBJECT, make_report
from app.transaction import writing
from app.web import words
from app.web.acts_done import acts_done
from app.web.cursors import BIGGEST_ID
from app.web.forms import by_field, number_in, request_id, typed_in
from app.web.guards import SIGNED_IN, Pages

ADDRESS = f"/reports/<int(min=1, max={BIGGEST_ID}):report_id>"
FIELDS = ("store", "title", "description")
ROWS_PER_PAGE = 50

pages = Pages("reports", open_to=SIGNED_IN)


@pages.get("/reports")
def index() -> str:
    """The open or the resolved ones, of all stores or the one in the address, newest first."""
    pile = Pile.RESOLVED if request.args.get("state") == Pile.RESOLVED else Pile.OPEN
    store_id, before = number_in(request.args.get("store", "")), number_in(request.args.get("before", ""))
    found = reports_of(current_user.reader, pile, store_id, before, ROWS_PER_PAGE + 1)
    shown = found[:ROWS_PER_PAGE]
    return render_template(
        "reports/index.html",
        reports=shown,
        pile=pile,
        store=get_store(current_user.reader, store_id) if store_id else None,
        older=shown[-1].id if len(found) > ROWS_PER_PAGE else None,
        words=words,
    )


@pages.get("/reports/new")
def new() -> str:
    """An empty form, with the store that its reader came from."""
    return _form(typed_in({"store": request.args.get("store", "")}, FIELDS), {})


@pages.post("/reports/new")
def add() -> Response | tuple[str, int]:
    """Make the report, once for each form."""
    typed = typed_in(request.form, FIELDS)
    try:
        with writing() as tx:
            fields = ReportFields(typed["title"], typed["description"])
            made = make_report(tx, current_user, number_in(typed["store"]) or 0, fields, request_id())
    except InvalidInput as error:
        return _form(typed, by_field(error.faults)), 422
    flash(_("Thank you. The store's staff have been told."))
    return redirect(url_for("reports.show", report_id=made), 303)


@pages.get(ADDRESS)
def show(report_id: int) -> str:
    """One report."""
    report = report_of(report_id)
    acts = acts_done(SUBJECT, report_id, words.REPORT_ACTS_DONE)
    standing = standing_of(current_user.reader, report)
    sayings = [(one, word, getattr(report, one)) for one, word in words.SAYINGS.items()]
    return render_template("reports/show.html", report=report, standing=standing, sayings=sayings, acts=acts)


def report_of(report_id: int) -> ReportLine:
    """The report; 404 if there is none that the reader may see."""
    return get_report(current_user.reader, report_id) or abort(404)


def _form(typed: Mapping[str, str], faults: Mapping[str, str]) -> str:
    new_id = tokens.request_id()
    return render_template("reports/new.html", stores=open_stores(), typed=typed, faults=faults, request_id=new_id)
