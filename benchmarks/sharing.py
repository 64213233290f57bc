"""How many times as much two worker processes send as one: reminders over LINE that are due at once, at 50 ms.

One process is limited by its processor, which rechecks, records and signs nothing twice. Two need two processors, and
what LINE's stand-in and the database need besides.
"""

from statistics import median
from time import perf_counter

from flask import Flask
from sqlalchemy import exists, select

from app.clock import pause
from app.extensions import db
from app.outbox.models import Delivery
from app.outbox.state import State
from benchmarks.house import DATABASES, house
from benchmarks.provider import provider
from benchmarks.reminder import gather_tutors, remind_all
from benchmarks.table import Line, show
from benchmarks.workers import workers
from tests.servers.valkey import ValkeyServer

REMINDERS, LATENCY = 500, 0.05
TIMES_EACH = 7
TARGET = 1.6


def main() -> None:
    """Measure and print."""
    redis = ValkeyServer()
    try:
        for database in DATABASES:
            title = f"{REMINDERS} reminders due at once, LINE, {database}"
            show(title, [_line(database, redis)])
    finally:
        redis.remove()


def _line(database: str, redis: ValkeyServer) -> Line:
    with provider(LATENCY) as line, house(database, redis.url, line) as app:
        tutors = gather_tutors(REMINDERS)
        one, two = _rate(app, tutors, 1), _rate(app, tutors, 2)
    return Line("two worker processes beside one", two, one, TARGET)


def _rate(app: Flask, tutors: range, processes: int) -> float:
    with workers(app, "--no-clock", processes=processes):
        _per_second(tutors)  # once unmeasured: what is fresh compiles its statements and makes its connections
        return median(_per_second(tutors) for _ in range(TIMES_EACH))


def _per_second(tutors: range) -> float:
    """From the commit to the last answer recorded."""
    remind_all(tutors)
    start = perf_counter()
    while _left():
        pause(0.02)
    return len(tutors) / (perf_counter() - start)


def _left() -> bool:
    open_states = (State.PENDING, State.QUEUED, State.SENDING)
    left = db.session.scalar(select(exists().where(Delivery.state.in_(open_states))))
    db.session.close()
    return bool(left)


if __name__ == "__main__":
    main()
