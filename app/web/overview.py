"""How everything stands, on one page."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from flask import render_template

from app.codes import FailureCode, Words
from app.outbox import listing, queries
from app.outbox.state import WAITING, State
from app.web import words
from app.web.background_report import BackgroundReport, report
from app.web.delivery_rows import reason_of
from app.web.guards import ADMINS, Pages
from app.web.htmx import wants_part

pages = Pages("overview", open_to=ADMINS)


@dataclass(frozen=True, slots=True)
class Trouble:
    """One failure code, and how many deliveries stand where because of it."""

    code: str
    reason: Words | None
    failed: int
    waiting: int


@dataclass(frozen=True, slots=True)
class Overview:
    """Everything on the page."""

    counts: dict[State, int]
    oldest: timedelta | None
    troubles: Sequence[Trouble]
    refused_by_queue: int
    background: BackgroundReport


@pages.get("/overview")
def show() -> str:
    """The page; for a tick only its live part."""
    template = "overview/_live.html" if wants_part() else "overview/show.html"
    return render_template(template, overview=_overview(), words=words)


def _overview() -> Overview:
    troubles = _troubles()
    waits = [wait for state in WAITING if (wait := queries.oldest_waiting(state)) is not None]
    refused = (trouble.waiting for trouble in troubles if trouble.code == FailureCode.QUEUE_ENQUEUE_FAILED)
    return Overview(
        counts=listing.counts(),
        oldest=max(waits, default=None),
        troubles=troubles,
        refused_by_queue=sum(refused),
        background=report(),
    )


def _troubles() -> list[Trouble]:
    """The codes with most failures first."""
    found = listing.troubles()
    by_code = {code: {state: number for of, state, number in found if of == code} for code, _state, _number in found}
    troubles = [
        Trouble(
            code=code,
            reason=reason_of(code),
            failed=numbers.get(State.FAILED, 0),
            waiting=sum(number for state, number in numbers.items() if state in WAITING),
        )
        for code, numbers in by_code.items()
    ]
    return sorted(troubles, key=lambda trouble: (-trouble.failed, -trouble.waiting, trouble.code))
