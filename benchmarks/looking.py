"""How long an admin's pages take among 1,000,000 deliveries, beside 10,000: the last days of the same years.

Each page is asked for as a browser asks, whole and with everything on it; what is measured is the server's time.
"""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta
from time import perf_counter
from urllib.parse import urlencode

from flask import Flask
from sqlalchemy import text

from app.background.rolling import roll_up
from app.clock import now
from app.extensions import db
from app.outbox.state import State
from app.place import Place
from app.web import cursors
from benchmarks.house import DATABASES, house
from benchmarks.ledger_rows import (
    ADMIN,
    CHANNELS,
    CODES,
    GROUP,
    KINDS,
    PERSON,
    REASONS,
    SCOPE,
    SEARCHED,
    SUBJECT,
    fill,
    key_of,
)  # fmt: skip
from benchmarks.rounds import medians
from benchmarks.table import Grown, show_grown
from tests.fakes.kind import Probe, registered
from tests.web.visitor import Visitor

MANY, FEW = 1_000_000, 10_000
ROUNDS = 15
MOST, LIMIT = 50.0, 1.5
"""Milliseconds; and how many times as long it may take among the many."""

Address = Callable[["_House"], str]


@dataclass(frozen=True, slots=True)
class _House:
    app: Flask
    visitor: Visitor
    number: int

    @property
    def searched(self) -> int:
        """The delivery that is searched for."""
        return self.number - SEARCHED

    def took(self, address: str) -> float:
        """Milliseconds."""
        with self.app.app_context():  # one of its own, as in real life: who is signed in is kept in it
            db.session.rollback()
            start = perf_counter()
            page = self.visitor.get(address)
            took = (perf_counter() - start) * 1000
        assert page.status_code == 200, address
        return took


def main() -> None:
    """Measure and print."""
    with ExitStack() as kinds:
        for kind in KINDS:
            kinds.enter_context(registered(Probe(kind)))
        for database in DATABASES:
            with house(database) as few, house(database) as many:
                ours, measure = _filled(many, MANY), _filled(few, FEW)
                lines = [_line(name, address, ours, measure) for name, address in _pages().items()]
            show_grown(f"An admin looks, {database}", f"{MANY:,}", f"{FEW:,}", MOST, LIMIT, lines)


def _line(name: str, address: Address, ours: _House, measure: _House) -> Grown:
    for one in (ours, measure):
        one.took(address(one))  # statements are built and templates compiled once
    many, few = medians(lambda: ours.took(address(ours)), lambda: measure.took(address(measure)), rounds=ROUNDS)
    return Grown(name, many, few)


def _pages() -> dict[str, Address]:
    filters: dict[str, dict[str, object]] = {
        "all": {},
        **{str(state): {"state": state} for state in State},
        "a kind": {"kind": KINDS[3]},
        "a channel": {"channel": CHANNELS[1]},
        "a failure code": {"code": CODES[3]},
        "a cancel reason": {"code": REASONS[3]},
        "a scope": {"scope": SCOPE},
        "dead letters": {"dead": "1"},
        "a person": {"person": PERSON},
        "a LINE group": {"group": GROUP},
        "an announcement": {"subject": f"{SUBJECT[0]}:{SUBJECT[1]}"},
        "a period": {"from": _day(3), "to": _day(2)},
        "a kind's failures": {"kind": KINDS[17], "state": State.FAILED},
        "oldest first": {"order": "oldest"},
        "page 2": {"cursor": _place(2 * 60)},
        "a page far down": {"cursor": _place(5 * 86_400)},
        "a page far down of a kind": {"kind": KINDS[3], "cursor": _place(5 * 86_400)},
    }
    searches: dict[str, Callable[[int], object]] = {
        "id": lambda one: one,
        "dedup key": lambda one: f"delivery-{one}",
        "request id": lambda one: f"request-{one}",
        "retry key": key_of,
        "nothing": lambda _: "zebra",
    }
    return {
        "overview": lambda _: "/overview",
        "overview of 7 days": lambda _: "/overview?period=7d",
        **{f"deliveries: {name}": _fixed(_deliveries(**asked)) for name, asked in filters.items()},
        **{f"search: {name}": _searching(word) for name, word in searches.items()},
        "one delivery": lambda one: f"/deliveries/{one.searched}",
    }


def _fixed(address: str) -> Address:
    return lambda _: address


def _searching(word: Callable[[int], object]) -> Address:
    return lambda one: _deliveries(q=word(one.searched))


def _deliveries(**asked: object) -> str:
    return f"/deliveries?{urlencode(asked)}"


def _place(seconds: int) -> str:
    return cursors.write(Place(now() - timedelta(seconds=seconds), 1))


def _day(ago: int) -> str:
    return f"{now() - timedelta(days=ago):%Y-%m-%d}"


def _tidy_up() -> None:
    """What PostgreSQL's autovacuum does within a minute of the first counting of years, most of which is folded."""
    if db.engine.dialect.name == "postgresql":
        with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("VACUUM ANALYZE delivery_hour"))


def _filled(app: Flask, number: int) -> _House:
    with app.app_context():
        fill(number)
        while roll_up()["counted"]:
            pass
        _tidy_up()
    return _House(app, Visitor(app, ADMIN), number)


if __name__ == "__main__":
    main()
