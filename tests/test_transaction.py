"""writing(): all or nothing, and only then the doorbell."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from time import perf_counter

import pytest
from flask import Flask
from sqlalchemy import func, select, text, update
from sqlalchemy.orm.exc import DetachedInstanceError

from app import transaction
from app.accounts.models import Account
from app.extensions import db
from app.outbox import queries
from app.outbox.enqueue import enqueue
from app.outbox.models import Delivery
from app.outbox.queries import Filter
from app.transaction import Transaction, WriteOutsideTransactionError, writing
from tests.factories import make_account, make_tutor
from tests.outbox.test_enqueue import wanted

HOLD = 1.5
"""Seconds for which the writer keeps the lock of SQLite."""


@pytest.fixture
def heard() -> list[str]:
    """What the listener of `house` noticed, one entry a commit."""
    return []


@pytest.fixture
def house(database_url: str, heard: list[str]) -> Iterator[Flask]:
    """A bare app on each database, whose listener reads what was committed over a connection of its own."""

    def listen(tx: Transaction) -> None:
        with db.engine.connect() as connection:
            committed = connection.execute(select(func.count()).select_from(Account)).scalar()
        heard.append(f"{committed} accounts, {len(tx.enqueued)} enqueued")

    yield from _bare(database_url, listen)


@pytest.fixture
def sqlite_house(sqlite_url: str) -> Iterator[Flask]:
    """A bare app on SQLite."""
    yield from _bare(sqlite_url, lambda _tx: None)


def _bare(url: str, listen: transaction.AfterCommit) -> Iterator[Flask]:
    app = Flask("bare")
    app.config["SQLALCHEMY_DATABASE_URI"] = url
    db.init_app(app)
    with app.app_context():
        transaction.init_app(app, db.engine, listen)
        yield app
        db.session.remove()
        db.engine.dispose()


def test_the_listener_runs_once_after_the_commit_and_may_write_itself(house: Flask, heard: list[str]) -> None:
    make_account()
    assert heard == ["1 accounts, 0 enqueued"]
    tutor = make_tutor()
    heard.clear()
    with writing() as tx:
        enqueue(tx, [wanted(tutor, "a"), wanted(tutor, "b")])
        assert heard == []
    assert heard == ["2 accounts, 2 enqueued"]


def test_an_exception_rolls_back_and_hands_nothing_over(house: Flask, heard: list[str]) -> None:
    tutor = make_tutor()
    heard.clear()
    for fault in (ValueError(), KeyboardInterrupt()):
        _break_off(fault, lambda tx: enqueue(tx, [wanted(tutor, "a")]))
    assert (_deliveries(), heard) == (0, [])


def test_a_nested_one_joins(house: Flask, heard: list[str]) -> None:
    with writing() as outer:
        with writing() as inner:
            assert inner is outer
            make_account()
        assert heard == []
    assert heard == ["1 accounts, 0 enqueued"]


def test_what_a_nested_one_wrote_goes_with_the_outer_one(house: Flask, heard: list[str]) -> None:
    _break_off(ValueError(), lambda _tx: make_account())
    assert (_accounts(), heard) == (0, [])


def test_after_a_failure_the_next_transaction_is_a_fresh_one(house: Flask) -> None:
    account = make_account()
    renamed = update(Account).where(Account.id == account).values(name="X")
    _break_off(ValueError(), lambda tx: tx.session.execute(renamed))
    with writing() as tx:
        assert tx.session.scalar(select(Account.name)) == "佐藤"


def test_a_write_outside_a_transaction_is_refused(house: Flask) -> None:
    account = make_account()
    with pytest.raises(WriteOutsideTransactionError):
        db.session.execute(update(Account).values(name="X"))
    with pytest.raises(WriteOutsideTransactionError):
        db.session.execute(text("UPDATE account SET name = 'X'"))
    found = db.session.get(Account, account)
    assert found is not None
    found.name = "X"
    with pytest.raises(WriteOutsideTransactionError):
        db.session.flush()
    db.session.rollback()
    assert db.session.scalar(select(Account.name)) == "佐藤"


def test_no_record_outlives_its_transaction(house: Flask) -> None:
    account = make_account()
    before = db.session.get(Account, account)
    with writing() as tx:
        inside = tx.session.get(Account, account)
        assert inside is not None
        assert inside is not before
    assert not list(db.session)
    with pytest.raises(DetachedInstanceError):
        _ = inside.name


def test_reading_first_does_not_keep_anybody_from_writing(house: Flask) -> None:
    make_account()
    assert _accounts() == 1  # this session now reads from a snapshot
    _in_thread(house, make_account)
    make_account()
    assert _accounts() == 3


def test_sqlite_survives_a_power_cut_and_lets_readers_read(sqlite_house: Flask) -> None:
    with db.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar() == 10_000
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1


def test_on_sqlite_a_page_view_never_waits_for_a_writer(sqlite_house: Flask) -> None:
    tutor = make_tutor()
    holding = Event()

    def write_and_hold() -> None:
        with writing() as tx:
            enqueue(tx, [wanted(tutor, f"k{number}") for number in range(1000)])
            holding.set()
            Event().wait(HOLD)

    with _beside(sqlite_house, write_and_hold) as writer:
        assert holding.wait(10)
        latencies = []
        while writer.is_alive():
            latencies.append(_view())
    assert len(latencies) > 20
    assert max(latencies) < HOLD / 3
    assert _deliveries() == 1000


def test_on_sqlite_bulk_writes_and_clicks_and_page_views_never_find_the_database_locked(sqlite_house: Flask) -> None:
    tutor = make_tutor()

    def write_in_bulk(name: str) -> None:
        for part in range(4):
            with writing() as tx:
                enqueue(tx, [wanted(tutor, f"{name}{part}-{number}") for number in range(500)])
            Event().wait(0.02)

    clicks = []
    with (
        _beside(sqlite_house, lambda: write_in_bulk("a")) as one,
        _beside(sqlite_house, lambda: write_in_bulk("b")) as two,
        _beside(sqlite_house, lambda: [_view() for _ in range(100)]),
    ):
        while one.is_alive() or two.is_alive():
            started = perf_counter()
            make_account()
            clicks.append(perf_counter() - started)
    assert _deliveries() == 4000
    assert max(clicks) < 5  # half the busy time-out: it waits its turn, and nobody starves


def test_on_sqlite_a_second_writer_waits_for_the_first_at_its_beginning(sqlite_house: Flask, tmp_path: Path) -> None:
    holding, order = Event(), list[str]()

    def write_and_hold() -> None:
        with writing():
            holding.set()
            Event().wait(0.3)
            order.append("first")

    with _beside(sqlite_house, write_and_hold):
        assert holding.wait(10)
        with writing():
            order.append("second")
    assert order == ["first", "second"]


def _break_off(fault: BaseException, write: Callable[[Transaction], object]) -> None:
    """Write, and then come to grief."""
    try:
        with writing() as tx:
            write(tx)
            raise fault
    except type(fault):
        return


def _view() -> float:
    """Read what the page of deliveries reads; how many seconds it took."""
    started = perf_counter()
    queries.counts()
    queries.page(Filter(), None, 50)
    db.session.close()
    return perf_counter() - started


@contextmanager
def _beside(app: Flask, work: Callable[[], object]) -> Iterator[Thread]:
    """Work going on in another thread; what it raised is raised at the end."""
    faults = list[BaseException]()

    def run() -> None:
        with app.app_context():
            try:
                work()
            except BaseException as fault:
                faults.append(fault)
            db.session.remove()

    thread = Thread(target=run)
    thread.start()
    try:
        yield thread
    finally:
        thread.join(timeout=30)
    assert not faults
    assert not thread.is_alive()


def _in_thread(app: Flask, work: Callable[[], object]) -> None:
    with _beside(app, work):
        pass


def _accounts() -> int:
    return db.session.scalar(select(func.count()).select_from(Account)) or 0


def _deliveries() -> int:
    return db.session.scalar(select(func.count()).select_from(Delivery)) or 0
