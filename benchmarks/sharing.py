"""How many times as much two worker processes send as one: pushes that are owed at once, at 50 ms.

One process is limited by its processor, which encrypts and records. Two need two processors, and what the push service,
the database and whatever else runs there need besides.
"""

from statistics import median
from time import perf_counter

from flask import Flask
from sqlalchemy import exists, select

from app.clock import pause
from app.extensions import db
from app.inbox.notify import notify
from app.outbox.models import Delivery
from app.outbox.state import State
from app.transaction import writing
from benchmarks.audience import SUBJECT, gather
from benchmarks.house import DATABASES, house
from benchmarks.provider import provider
from benchmarks.table import Line, show
from benchmarks.workers import workers
from tests.fakes.inbox_kind import greeting
from tests.inbox.inboxes import about
from tests.servers.valkey import ValkeyServer

PUSHES, LATENCY = 2000, 0.05
TIMES_EACH = 3
TARGET = 1.6


def main() -> None:
    """Measure and print."""
    redis = ValkeyServer()
    try:
        for database in DATABASES:
            show(f"Web Push at 50 ms, {database}", [_line(database, redis)])
    finally:
        redis.remove()


def _line(database: str, redis: ValkeyServer) -> Line:
    with provider(LATENCY) as origin, house(database, redis.url) as app, greeting():
        people = gather(origin, PUSHES)
        one, two = _rate(app, people, 1), _rate(app, people, 2)
    return Line("two worker processes beside one", two, one, TARGET)


def _rate(app: Flask, people: range, processes: int) -> float:
    with workers(app, "--no-clock", processes=processes):
        _per_second(people)  # once unmeasured: what is fresh compiles its statements and makes its connections
        return median(_per_second(people) for _ in range(TIMES_EACH))


_told = iter(range(1_000_000))


def _per_second(people: range) -> float:
    """From the commit to the last answer recorded."""
    with writing() as tx:
        notify(tx, about(SUBJECT, key=f"shared{next(_told)}"), people)
    start = perf_counter()
    while _left():
        pause(0.05)
    return len(people) / (perf_counter() - start)


def _left() -> bool:
    open_states = (State.PENDING, State.QUEUED, State.SENDING)
    left = db.session.scalar(select(exists().where(Delivery.state.in_(open_states))))
    db.session.close()
    return bool(left)


if __name__ == "__main__":
    main()
