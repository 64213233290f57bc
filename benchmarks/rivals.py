"""What one would write with RQ, pywebpush and requests alone, as their documentation shows it: neither ledger nor
recheck, nor any idea of what became of a message."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any
from uuid import uuid4

import requests
from pywebpush import webpush
from redis import Redis
from rq import Queue
from rq.worker import BaseWorker

from tests.fixtures.settings import VAPID_KEY

CLAIMS = {"sub": "mailto:bench@example.jp"}
DATA = '{"title": "Somebody is here", "body": "Shift table", "path": "/notifications/1"}'


def push(subscription: dict[str, Any]) -> None:
    """A job of pywebpush's documentation."""
    webpush(subscription, DATA, vapid_private_key=VAPID_KEY, vapid_claims=dict(CLAIMS))


def tell_on_line(url: str) -> None:
    """A job that tells somebody over LINE."""
    body = {"to": "U" + "0" * 32, "messages": [{"type": "text", "text": "Your shift begins in 2 hours"}]}
    headers = {"Authorization": "Bearer x", "X-Line-Retry-Key": str(uuid4())}
    requests.post(url, json=body, headers=headers, timeout=10).raise_for_status()


def per_second_of_rq(redis: Redis, worker: type[BaseWorker], job: Any, arguments: Sequence[Any]) -> float:
    """Jobs in a second: one for each, worked off in a burst."""
    queue = Queue("bench", connection=redis)
    for one in arguments:
        queue.enqueue(job, one)
    start = perf_counter()
    worker([queue], connection=redis).work(burst=True, logging_level="ERROR")
    return len(arguments) / (perf_counter() - start)


def per_second_of_threads(subscriptions: Sequence[dict[str, Any]]) -> float:
    """Pushes in a second by 32 threads that share one session, with neither queue nor database."""
    adapter = requests.adapters.HTTPAdapter(pool_maxsize=32)
    with requests.Session() as session, ThreadPoolExecutor(32) as threads:
        session.mount("http://", adapter)

        def send(subscription: dict[str, Any]) -> None:
            webpush(
                subscription, DATA, vapid_private_key=VAPID_KEY, vapid_claims=dict(CLAIMS), requests_session=session
            )

        start = perf_counter()
        list(threads.map(send, subscriptions))
        return len(subscriptions) / (perf_counter() - start)
