"""SQLite under load: a person never waits for a bulk writer, and nobody finds the database locked."""

from collections.abc import Iterator
from threading import Event

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.extensions import db
from app.outbox import listing
from app.outbox.enqueue import enqueue
from app.outbox.listing import Filter
from app.outbox.models import Delivery
from app.transaction import writing
from tests.bare_app import bare_app, beside
from tests.factories import make_account, make_tutor
from tests.outbox.test_enqueue import wanted

VIEWS = 20


@pytest.fixture
def sqlite_house(sqlite_url: str) -> Iterator[Flask]:
    """A bare app on SQLite."""
    with bare_app(sqlite_url, lambda _tx: None) as app:
        yield app


def test_sqlite_survives_a_power_cut_and_lets_readers_read(sqlite_house: Flask) -> None:
    with db.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar() == 10_000
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1


def test_on_sqlite_a_page_view_never_waits_for_a_writer(sqlite_house: Flask) -> None:
    tutor = make_tutor()
    holding, enough = Event(), Event()

    def write_and_hold() -> None:
        with writing() as tx:
            enqueue(tx, [wanted(tutor, f"k{number}") for number in range(1000)])
            holding.set()
            assert enough.wait(20)  # longer than the busy time-out: who waited for this writer would have given up

    with beside(sqlite_house, write_and_hold) as writer:
        assert holding.wait(10)
        for _ in range(VIEWS):
            _view()
        assert writer.is_alive()
        enough.set()
    assert _deliveries() == 1000


def test_on_sqlite_bulk_writes_and_clicks_and_page_views_never_find_the_database_locked(sqlite_house: Flask) -> None:
    tutor = make_tutor()

    def write_in_bulk(name: str) -> None:
        for part in range(4):
            with writing() as tx:
                enqueue(tx, [wanted(tutor, f"{name}{part}-{number}") for number in range(500)])
            Event().wait(0.02)

    def view_often() -> None:
        for _ in range(100):
            _view()

    clicks = 0
    with (
        beside(sqlite_house, lambda: write_in_bulk("a")) as one,
        beside(sqlite_house, lambda: write_in_bulk("b")) as two,
        beside(sqlite_house, view_often),
    ):
        while one.is_alive() or two.is_alive():
            make_account()
            clicks += 1
    assert _deliveries() == 4000
    assert clicks  # each waited its turn, and none as long as the busy time-out: that would have been an error


def test_on_sqlite_a_second_writer_waits_for_the_first_at_its_beginning(sqlite_house: Flask) -> None:
    holding, order = Event(), list[str]()

    def write_and_hold() -> None:
        with writing():
            holding.set()
            Event().wait(0.3)
            order.append("first")

    with beside(sqlite_house, write_and_hold):
        assert holding.wait(10)
        with writing():
            order.append("second")
    assert order == ["first", "second"]


def _view() -> None:
    """Read what the page of deliveries reads."""
    listing.counts()
    listing.page(Filter(), None, 50)
    db.session.close()


def _deliveries() -> int:
    return db.session.scalar(select(func.count()).select_from(Delivery)) or 0
