"""What it takes to record one event, beside what it would take to write one row and to enqueue one job.

Ours: one notification and a delivery to each of two devices, committed; both handed over to a real Valkey, and marked.
Bare: the documented `with engine.begin()` of SQLAlchemy's core around one INSERT, with the same settings of the same
database, and RQ's `queue.enqueue` on the same Valkey.
"""

from itertools import count
from time import perf_counter

from sqlalchemy import func, insert, select

from app.accounts.models import Account
from app.clock import now
from app.extensions import broker, db
from app.inbox.models import Notification
from app.inbox.notify import notify
from app.kinds import QueueName
from app.outbox.models import Delivery
from app.outbox.state import State
from app.transaction import writing
from benchmarks.house import DATABASES, house
from benchmarks.rounds import medians
from benchmarks.table import Bounded, show_bounded
from tests.fakes.inbox_kind import greeting
from tests.inbox.inboxes import about, make_device
from tests.servers.valkey import ValkeyServer

ROUNDS = 201
LIMIT = 3
WHO, READER = 1, 2


def main() -> None:
    """Measure and print."""
    redis = ValkeyServer()
    try:
        for database in DATABASES:
            with house(database, redis.url), greeting():
                _fill()
                ours, bare = medians(_record, _bare, rounds=ROUNDS)
                marked = db.session.scalar(select(func.count()).where(Delivery.state == State.QUEUED))
                assert marked == 2 * ROUNDS, "some were not handed over"
            show_bounded(f"One event, {database}", "ours", "bare", [Bounded("told on 2 devices", ours, bare, LIMIT)])
    finally:
        redis.remove()


def _fill() -> None:
    account = {"role": "member", "language": "en", "active": True, "created_at": now()}
    with writing() as tx:
        people = [account | {"id": one, "email": f"a{one}@example.jp", "name": "Name"} for one in (WHO, READER)]
        tx.session.execute(insert(Account), people)
    for _ in range(2):
        make_device(READER)


_numbers = count(1)


def _record() -> float:
    event = about(WHO, key=f"bench{next(_numbers)}")
    broker.queue(QueueName.DEFAULT).empty()  # nobody works, and a full queue would not be rung
    start = perf_counter()
    with writing() as tx:
        notify(tx, event, [READER])
    return (perf_counter() - start) * 1000


def _bare() -> float:
    row = {
        "account_id": READER, "event_key": f"bare{next(_numbers)}", "kind": "greeting", "subject_type": "account",
        "subject_id": WHO, "created_at": now(),
    }  # fmt: skip
    start = perf_counter()
    with db.engine.begin() as connection:
        connection.execute(insert(Notification).values(row))
    broker.queue("bench").enqueue("app.background.jobs.deliver", kind="greeting", ids=[1])
    return (perf_counter() - start) * 1000


if __name__ == "__main__":
    main()
