"""While 20,000 people are told something: how soon reminders leave, and how long a page takes.

Two worker processes and the clock as `worker.py` starts them, the pages as `make run` serves them, SQLite, and a push
service and a LINE that take 50 ms.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from statistics import quantiles
from threading import Event, Thread

import requests
from flask import Flask
from sqlalchemy import func, select

from app.accounts.models import Role
from app.accounts.signed_in import Who
from app.clock import monotonic, pause
from app.extensions import db
from app.outbox.models import Delivery
from app.outbox.state import State
from app.sources.announcements.fields import Fields, Text
from app.sources.announcements.kinds import KIND
from app.sources.announcements.models import Audience
from app.sources.announcements.publish import publish
from app.sources.announcements.write import draft
from app.tokens import request_id
from app.transaction import writing
from benchmarks.audience import SUBJECT, gather
from benchmarks.house import house
from benchmarks.limits import at_most
from benchmarks.provider import provider, telling_provider
from benchmarks.reminder import Reminded
from benchmarks.site import served, signed_in
from benchmarks.workers import workers
from tests.servers.valkey import ValkeyServer

AUTHOR = Who(SUBJECT, "a1@example.jp", "Author", Role.ADMIN, "en")
WORDS = Fields({"en": Text("We are closed", "At the end of the year.")}, None, Audience.EVERYONE)
AUDIENCE, REMINDERS, LATENCY = 20_000, 20, 0.05
BETWEEN_REMINDERS, BETWEEN_PAGES, CALM = 1.0, 0.1, 5.0
"""Seconds."""
WARM = 20
"""Views that nobody measures, in which each process of the server compiles its templates."""
SLOWEST, PAGE = 5.0, 100.0
"""Seconds, milliseconds."""


def main() -> None:
    """Measure and print."""
    redis = ValkeyServer()
    try:
        with (
            provider(LATENCY) as push,
            telling_provider(LATENCY) as (line, arrivals),
            house("sqlite", redis.url, line) as app,
        ):
            _measure(app, gather(push, AUDIENCE), arrivals)
    finally:
        redis.remove()


def _measure(app: Flask, people: range, arrivals: Connection) -> None:
    reminded = Reminded()
    with served(app) as origin, workers(app, processes=2):
        browser, inbox = signed_in(app, people[0]), f"{origin}/inbox"
        for _ in range(WARM):
            browser.get(inbox).raise_for_status()
        with _looking(browser, inbox) as before:
            pause(CALM)
        began = monotonic()
        with _looking(browser, inbox) as meanwhile:
            _announce()
            waits = [_wait(reminded, arrivals) for _ in range(REMINDERS)]
        took, sent = monotonic() - began, _sent()
    assert sent < AUDIENCE, "the broadcast was over before"
    print(f"\nWhile {AUDIENCE} people are told, SQLite ({sent} were in the {took:.0f} s of the measurement)")
    at_most(f"the slowest of {REMINDERS} reminders", max(waits), SLOWEST, "s")
    at_most(f"the inbox, 95 of 100 views (before: {_p95(before):.0f} ms)", _p95(meanwhile), PAGE, "ms")


def _announce() -> None:
    """What the button of the page does; workers and clock do all the rest."""
    with writing() as tx:
        announcement_id = draft(tx, AUTHOR, WORDS, request_id())
    with writing() as tx:
        publish(tx, AUTHOR, announcement_id, 1)


def _wait(reminded: Reminded, arrivals: Connection) -> float:
    pause(BETWEEN_REMINDERS)
    begun = reminded.at_once()
    assert arrivals.poll(60), "no reminder left within a minute"
    return float(arrivals.recv()) - begun


@contextmanager
def _looking(browser: requests.Session, address: str) -> Iterator[list[float]]:
    """Somebody opens the page again and again while the block runs; the milliseconds that each view took."""
    over, took = Event(), list[float]()

    def look() -> None:
        while not over.wait(BETWEEN_PAGES):
            begun = monotonic()
            browser.get(address, timeout=30).raise_for_status()
            took.append((monotonic() - begun) * 1000)

    thread = Thread(target=look)
    thread.start()
    try:
        yield took
    finally:
        over.set()
        thread.join()


def _p95(took: list[float]) -> float:
    return quantiles(took, n=20)[-1]


def _sent() -> int:
    sent = db.session.scalar(select(func.count()).where(Delivery.kind == KIND, Delivery.state == State.SENT))
    db.session.close()
    return sent or 0


if __name__ == "__main__":
    main()
