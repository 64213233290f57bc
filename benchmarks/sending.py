"""How fast a worker sends, beside what one would write with RQ alone and beside a bare pool of threads.

Each figure is a ratio of medians measured in one run on one machine, with the ledger and the recheck included on our
side and left out on the other.
"""

from time import perf_counter
from typing import Any

from flask import Flask
from rq import SimpleWorker, Worker
from sqlalchemy import insert, select, update

from app.accounts.models import Account
from app.background import worker
from app.clock import now
from app.extensions import broker, db
from app.inbox.notify import notify
from app.outbox.models import Delivery
from app.outbox.state import State
from app.reach.addresses import push_gate
from app.reach.models import Device
from app.sandbox.web_push import new_browser, subscription_of
from app.tokens import digest
from app.transaction import writing
from benchmarks import rivals
from benchmarks.house import DATABASES, house
from benchmarks.provider import provider
from benchmarks.rounds import medians
from benchmarks.table import Line, show
from tests.fakes.inbox_kind import greeting
from tests.inbox.inboxes import about
from tests.servers.valkey import ValkeyServer

PUSHES, BARE_PUSHES = 2000, 100


def main() -> None:
    """Measure and print."""
    redis = ValkeyServer()
    try:
        for database in DATABASES:
            show(f"Web Push, one worker process, {database}", _pushing(database, redis))
    finally:
        redis.remove()


def _pushing(database: str, redis: ValkeyServer) -> list[Line]:
    slow, threads, bare, simple = _rates(database, redis, 0.05)
    quick, quick_threads, _, _ = _rates(database, redis, 0.0)
    return [
        Line("at 50 ms: RQ, Worker", slow, bare, 35),
        Line("at 50 ms: RQ, SimpleWorker", slow, simple, 25),
        Line("at 50 ms: 32 threads", slow, threads, 1),
        Line("at 0 ms: 32 threads", quick, quick_threads, 1),
    ]


def _rates(database: str, redis: ValkeyServer, latency: float) -> list[float]:
    """Pushes in a second: ours, by bare threads, by RQ's Worker, by its SimpleWorker."""
    with provider(latency) as origin, house(database, redis.url) as app, greeting():
        subscriptions = _fill(origin)
        few = subscriptions[:BARE_PUSHES]
        return medians(
            lambda: _per_second(app),
            lambda: rivals.per_second_of_threads(subscriptions),
            lambda: rivals.per_second_of_rq(broker.redis, Worker, rivals.push, few),
            lambda: rivals.per_second_of_rq(broker.redis, SimpleWorker, rivals.push, few),
        )


def _fill(origin: str) -> list[dict[str, Any]]:
    """So many accounts, each with a device at this provider, and one to be told of."""
    at = now()
    subscriptions = [subscription_of(new_browser(None), f"{origin}/push/{number}") for number in range(PUSHES)]
    with writing() as tx:
        account = {"role": "member", "language": "en", "active": True, "created_at": at}
        people = [account | {"id": one, "email": f"a{one}@example.jp", "name": f"name {one}"} for one in _people()]
        tx.session.execute(insert(Account), [*people, account | {"id": 1, "email": "a1@example.jp", "name": "Who"}])
        devices = [
            {
                "account_id": one, "endpoint": own["endpoint"], "endpoint_hash": digest(own["endpoint"]),
                "gate_key": push_gate(own["endpoint"]),
                **own["keys"], "vapid_key": "v", "name": "Firefox", "language": "en", "created_at": at,
            }
            for one, own in zip(_people(), subscriptions, strict=True)
        ]  # fmt: skip
        tx.session.execute(insert(Device), devices)
    return subscriptions


def _people() -> range:
    return range(2, PUSHES + 2)


_told = iter(range(1_000_000))


def _per_second(app: Flask) -> float:
    """From what is owed to what is sent, as a worker does it."""
    with writing() as tx:
        notify(tx, about(1, key=f"bench{next(_told)}"), _people())
    start = perf_counter()
    worker.work_off(app)
    took = perf_counter() - start
    with writing() as tx:
        left = tx.session.scalar(select(Delivery.id).where(Delivery.state != State.SENT).limit(1))
        assert left is None, "something was not sent"
        tx.session.execute(update(Device).values(last_success_at=None))
    db.session.close()
    return PUSHES / took


if __name__ == "__main__":
    main()
