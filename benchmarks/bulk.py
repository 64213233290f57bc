"""What it takes to retry 5,000 deliveries that failed, among 250,000: to plan it, to freeze the set, to release of it
as many as one transaction may, and to look at how far it has come."""

from collections.abc import Callable
from datetime import timedelta
from statistics import median
from time import perf_counter
from typing import TypeVar

import time_machine
from sqlalchemy import update

from app.accounts.known import who
from app.accounts.models import Account, Role
from app.clock import now
from app.extensions import db
from app.operations import bulk
from app.operations.bulk import Wanted
from app.operations.bulk_listing import get_bulk_retry, items, outcomes
from app.operations.bulk_plan import Matching, plan
from app.operations.bulk_release import MOST_AT_ONCE, release
from app.outbox.listing import Filter
from app.tokens import request_id
from app.transaction import writing
from benchmarks.history import fill
from benchmarks.house import DATABASES, house
from benchmarks.table import Bounded, show_bounded

DELIVERIES, FAILED = 250_000, 5_000
ROUNDS = 5
BEGIN, TURN, PAGE = 2000.0, 50.0, 50.0
"""Milliseconds: that somebody who presses the button may wait; that a turn may keep others from writing; for a page."""


T = TypeVar("T")


def main() -> None:
    """Measure and print."""
    for database in DATABASES:
        with house(database):
            fill(DELIVERIES)
            _make_an_admin()
            show_bounded(f"Bulk retry of {FAILED:,}, {database}", "ours", "bound", lines())


def _make_an_admin() -> None:
    """Of the one who retries: of anybody else a bulk retry ends by itself."""
    with writing() as tx:
        tx.session.execute(update(Account).where(Account.id == 1).values(role=Role.ADMIN))


def lines() -> list[Bounded]:
    """In a house where so many have failed."""
    planned, begun, released, looked = zip(*(_round() for _ in range(ROUNDS)), strict=True)
    return [
        Bounded("plan", median(planned), PAGE, 1),
        Bounded("freeze the set", median(begun), BEGIN, 1),
        Bounded(f"release {MOST_AT_ONCE}", median(released), TURN, 1),
        Bounded("look at it", median(looked), PAGE, 1),
    ]


def _round() -> tuple[float, float, float, float]:
    """One bulk retry: what it takes to plan, to begin, to release of it and to look at it, in milliseconds."""
    failed = Matching(Filter(), now())
    planned, _ = _took(lambda: plan(failed))
    begun, bulk_id = _took(lambda: _begin(failed))
    with time_machine.travel(now() + timedelta(minutes=1)):
        released, _ = _took(lambda: _release(bulk_id))
    looked, _ = _took(lambda: _look(bulk_id))
    _stop(bulk_id)
    return planned, begun, released, looked


def _took(work: Callable[[], T]) -> tuple[float, T]:
    db.session.close()
    begun = perf_counter()
    done = work()
    return (perf_counter() - begun) * 1000, done


def _begin(failed: Matching) -> int:
    who_wants_it = who(1)
    assert who_wants_it is not None
    with writing() as tx:
        return bulk.begin(tx, who_wants_it, request_id(), Wanted(failed, {}, 1800, with_doubles=False, why=""))


def _release(bulk_id: int) -> None:
    with writing() as tx:
        assert release(tx, bulk_id)["retried"] == MOST_AT_ONCE


def _look(bulk_id: int) -> None:
    line = get_bulk_retry(bulk_id)
    assert line is not None
    outcomes(line)
    items(bulk_id, None, None, 50)


def _stop(bulk_id: int) -> None:
    who_stops_it = who(1)
    assert who_stops_it is not None
    with writing() as tx:
        bulk.stop(tx, who_stops_it, bulk_id)


if __name__ == "__main__":
    main()
