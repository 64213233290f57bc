"""How the databases go about what the clock and the scans ask: from what lies ahead or waits, never through years."""

import re
from collections.abc import Callable
from datetime import timedelta

from flask import Flask

from app.clock import now
from app.outbox import queries
from app.sources.alerts.symptoms import symptoms
from app.sources.classroom.telling.audience import shifts_with_news
from benchmarks import ledger
from benchmarks.history import SOON, fill
from tests.plans import hearing, plan_of

QUESTIONS: dict[str, tuple[str, Callable[[], object]]] = {
    "the reminder scan": ("ix_shift_changed", lambda: shifts_with_news(now())),
    "what shifts may have said": ("ix_delivery_unsent", lambda: shifts_with_news(now())),
    "the clock": ("ix_delivery", lambda: queries.due(["shift_reminder"], 1000)),
    "recovery": ("ix_delivery", lambda: queries.lost(["shift_reminder"], now() - timedelta(minutes=1), 1000)),
    "the watch": ("ix_delivery_failed", symptoms),
}
"""By which index each goes first of all, and how it is asked."""
THROUGH = re.compile(r"(SCAN|Seq Scan on) (shift|shift_version|shift_told|delivery|attempt)\b")


def test_nothing_that_is_asked_again_and_again_goes_through_the_years(app: Flask) -> None:
    fill(20_000)
    ledger.owe()
    for name, (index, question) in QUESTIONS.items():
        with hearing() as heard:
            question()
        plans = [plan_of(*one) for one in heard]
        assert index in plans[0], f"{name}:\n{plans[0]}"
        assert not [plan for plan in plans if THROUGH.search(plan)], name
    assert len(queries.due(["shift_reminder"], 1000)) == ledger.DUE


def test_among_years_of_shifts_the_scan_finds_those_that_begin_soon(app: Flask) -> None:
    fill(2_000)
    assert shifts_with_news(now()) == list(range(1, 2 * SOON + 1))
