"""How fast a worker sends reminders that are due at once, beside a bare job of RQ for each."""

from time import perf_counter

from flask import Flask
from rq import SimpleWorker
from sqlalchemy import func, select

from app.background import worker
from app.extensions import broker, db
from app.outbox.models import Delivery
from app.outbox.state import State
from benchmarks import rivals
from benchmarks.house import DATABASES, house
from benchmarks.provider import provider
from benchmarks.reminder import gather_tutors, remind_all
from benchmarks.rounds import medians
from benchmarks.table import Line, show
from tests.servers.valkey import ValkeyServer

REMINDERS, BARE, LATENCY = 500, 60, 0.05


def main() -> None:
    """Measure and print."""
    redis = ValkeyServer()
    try:
        for database in DATABASES:
            title = f"{REMINDERS} reminders due at once, LINE, {database}"
            show(title, [_against_rq(database, redis)])
    finally:
        redis.remove()


def _against_rq(database: str, redis: ValkeyServer) -> Line:
    with provider(LATENCY) as line, house(database, redis.url, line) as app:
        tutors = gather_tutors(REMINDERS)
        address = f"{line}/v2/bot/message/push"
        ours, simple = medians(
            lambda: _per_second(app, tutors),
            lambda: rivals.per_second_of_rq(broker.redis, SimpleWorker, rivals.tell_on_line, [address] * BARE),
        )
    return Line(f"at {LATENCY * 1000:.0f} ms: RQ, SimpleWorker", ours, simple, 20)


def _per_second(app: Flask, tutors: range) -> float:
    """From what is owed to what is sent, as a worker does it."""
    remind_all(tutors)
    begun = perf_counter()
    worker.work_off(app)
    took = perf_counter() - begun
    left = db.session.scalar(select(func.count()).where(Delivery.state != State.SENT))
    assert left == 0, f"{left} were not sent"
    db.session.close()
    return REMINDERS / took


if __name__ == "__main__":
    main()
