"""How long one LINE delivery takes from the commit that owes it to its request on the wire, beside a bare job of RQ.

All workers live and wait for their queues. Ours commits twice and rechecks before it sends: who holds the delivery, and
that the request is about to be made, must outlive a power cut.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from statistics import median

from redis import Redis
from rq import Queue, SimpleWorker, Worker

from app.clock import monotonic, pause
from app.extensions import broker
from benchmarks import rivals
from benchmarks.house import DATABASES, house
from benchmarks.limits import at_most
from benchmarks.provider import telling_provider
from benchmarks.reminder import Reminded
from benchmarks.workers import workers
from tests.servers.valkey import ValkeyServer

ROUNDS = 25
BETWEEN = 0.1
"""Seconds, for either worker to wait for its queue again."""
TIMES = 1.5

Rival = type[SimpleWorker] | type[Worker]
RIVALS: tuple[Rival, ...] = (SimpleWorker, Worker)


def main() -> None:
    """Measure and print."""
    redis = ValkeyServer()
    try:
        for database in DATABASES:
            print(f"\nOne LINE delivery, from commit to the wire, {database}")
            ours, *bare = _medians(database, redis)
            for rival, took in zip(RIVALS, bare, strict=True):
                name = f"ours {ours * 1000:.1f} ms, RQ's {rival.__name__} {took * 1000:.1f} ms"
                at_most(name, ours / took, TIMES, "times")
    finally:
        redis.remove()


def _medians(database: str, redis: ValkeyServer) -> list[float]:
    """In seconds: ours, and each rival's."""
    with telling_provider(0.0) as (line, arrivals), house(database, redis.url, line) as app, _rivals(redis.url):
        begin = [Reminded().at_once]
        begin += [partial(_ring, one, f"{line}/v2/bot/message/push") for one in RIVALS]
        with workers(app, "--no-clock"):
            rounds = [[_took(arrivals, one) for one in begin] for _ in range(ROUNDS)]
    return [median(one) for one in zip(*rounds, strict=True)]


def _took(arrivals: Connection, begin: Callable[[], float]) -> float:
    pause(BETWEEN)
    begun = begin()
    assert arrivals.poll(10), "no request came"
    return float(arrivals.recv()) - begun


def _ring(rival: Rival, address: str) -> float:
    begun = monotonic()
    _queue(rival, broker.redis).enqueue(rivals.tell_on_line, address)
    return begun


@contextmanager
def _rivals(redis_url: str) -> Iterator[None]:
    processes = [get_context("spawn").Process(target=_work, args=(one, redis_url)) for one in RIVALS]
    for one in processes:
        one.start()
    try:
        yield
    finally:
        for one in processes:
            one.terminate()
            one.join()


def _work(rival: Rival, redis_url: str) -> None:
    connection = Redis.from_url(redis_url)
    rival([_queue(rival, connection)], connection=connection).work(logging_level="ERROR")


def _queue(rival: Rival, connection: Redis) -> Queue:
    return Queue(f"bench-{rival.__name__}", connection=connection)


if __name__ == "__main__":
    main()
