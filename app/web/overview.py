"""How everything stands, on one page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from flask import render_template, request
from flask_login import current_user

from app.clock import now
from app.codes import CancelReason, FailureCode
from app.outbox import listing, queries
from app.outbox.figures import Waits, last_hours
from app.outbox.listing import Count
from app.outbox.state import State
from app.web import words
from app.web.background_report import BackgroundReport, report
from app.web.chart import Chart, chart
from app.web.days import day_of
from app.web.delivery_rows import sees_people
from app.web.gates import ClosedGate, closed_gates
from app.web.guards import STAFF, Pages
from app.web.htmx import wants_part
from app.web.issue_rows import IssueRow, issue_rows

PERIODS = {"24h": 24, "7d": 7 * 24}
"""What the chart may show, in hours."""

pages = Pages("overview", open_to=STAFF)


@dataclass(frozen=True, slots=True)
class Overview:
    """Everything on the page. `oldest` is how long what no queue has yet has been owed."""

    counts: Mapping[State, Count]
    oldest: timedelta | None
    issues: Sequence[IssueRow]
    settled: Sequence[IssueRow]
    refused_by_queue: int
    closed: Sequence[ClosedGate]
    period: str
    chart: Chart
    waits: Mapping[str, Waits]
    not_sent: Mapping[CancelReason, Count]
    since: str
    """The day on which the period begins, as the list of deliveries wants it."""
    background: BackgroundReport


@pages.get("/overview")
def show() -> str:
    """The page; for a tick only its live part."""
    return page()


def page(problem: str | None = None) -> str:
    """Everything as it stands now, with the sentence that says why an act was not done."""
    template = "overview/_live.html" if wants_part() else "overview/show.html"
    return render_template(template, overview=_overview(), words=words, problem=problem)


def _overview() -> Overview:
    period = request.args.get("period", "")
    period = period if period in PERIODS else "24h"
    issues = issue_rows(named=sees_people(current_user.reader))
    since = now() - timedelta(hours=PERIODS[period])
    figures = last_hours(PERIODS[period])
    refused = (one.waiting for one in issues if one.code == FailureCode.QUEUE_ENQUEUE_FAILED)
    return Overview(
        counts=listing.counts(),
        oldest=queries.oldest_unqueued(),
        issues=[one for one in issues if one.pressing],
        settled=[one for one in issues if not one.pressing],
        refused_by_queue=sum(refused),
        closed=closed_gates(),
        period=period,
        chart=chart(figures.ended),
        waits=figures.waits,
        not_sent=listing.rightly_not_sent(since),
        since=day_of(since),
        background=report(),
    )
