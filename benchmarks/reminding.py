"""How fast a worker sends reminders that are due at once, beside a bare job of RQ for each."""

from datetime import timedelta
from itertools import count
from time import perf_counter

from flask import Flask
from rq import SimpleWorker
from sqlalchemy import func, insert, select

from app.accounts.models import Account
from app.background import worker
from app.clock import now
from app.extensions import broker, db
from app.outbox.models import Delivery
from app.outbox.state import State
from app.reach.models import LineLink
from app.sources.classroom.models import Classroom, Shift
from app.sources.classroom.shifts.versions import keep_versions
from app.sources.classroom.telling.tell import remind
from app.transaction import writing
from benchmarks import rivals
from benchmarks.house import DATABASES, house
from benchmarks.provider import provider
from benchmarks.rounds import medians
from benchmarks.table import Line, show
from tests.factories import line_user
from tests.servers.valkey import ValkeyServer

REMINDERS, BARE, LATENCY = 500, 60, 0.05
TUTORS = range(1, REMINDERS + 1)


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
        _fill()
        address = f"{line}/v2/bot/message/push"
        ours, simple = medians(
            lambda: _per_second(app),
            lambda: rivals.per_second_of_rq(broker.redis, SimpleWorker, rivals.tell_on_line, [address] * BARE),
        )
    return Line(f"at {LATENCY * 1000:.0f} ms: RQ, SimpleWorker", ours, simple, 20)


def _fill() -> None:
    """So many tutors who are reached over LINE, and a classroom."""
    at = now()
    person = {"role": "member", "language": "ja", "active": True, "created_at": at}
    people = [person | {"id": one, "email": f"a{one}@example.jp", "name": f"講師{one}"} for one in TUTORS]
    links = [{"account_id": one, "line_user_id": line_user(one), "enabled": True, "created_at": at} for one in TUTORS]
    with writing() as tx:
        tx.session.execute(insert(Account), people)
        tx.session.execute(insert(LineLink), links)
        tx.session.execute(insert(Classroom), [{"id": 1, "name": "渋谷", "created_at": at}])


_minutes = count(1)


def _per_second(app: Flask) -> float:
    """From what is owed to what is sent, as a worker does it."""
    at, start = now(), now() + timedelta(hours=1, minutes=next(_minutes))
    shift = {
        "classroom_id": 1, "starts_at": start, "ends_at": start + timedelta(hours=2), "status": "confirmed",
        "version": 1, "note": "", "created_at": at, "updated_at": at,
    }  # fmt: skip
    with writing() as tx:
        shifts = insert(Shift).returning(Shift.id)
        keep_versions(tx, tx.session.scalars(shifts, [shift | {"tutor_id": one} for one in TUTORS]).all())
    assert remind()["enqueued"] == REMINDERS
    begun = perf_counter()
    worker.work_off(app)
    took = perf_counter() - begun
    left = db.session.scalar(select(func.count()).where(Delivery.state != State.SENT))
    assert left == 0, f"{left} were not sent"
    db.session.close()
    return REMINDERS / took


if __name__ == "__main__":
    main()
