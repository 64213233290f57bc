"""writing(): all or nothing, and only then the doorbell."""

from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from sqlalchemy import func, select, text, update
from sqlalchemy.orm.exc import DetachedInstanceError

from app.accounts.models import Account
from app.extensions import db
from app.outbox.enqueue import enqueue
from app.outbox.models import Delivery
from app.transaction import Transaction, WriteOutsideTransactionError, writing
from tests.bare_app import bare_app, beside
from tests.factories import make_account, make_tutor
from tests.outbox.test_enqueue import wanted


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

    with bare_app(database_url, listen) as app:
        yield app


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
    with beside(house, make_account):
        pass
    make_account()
    assert _accounts() == 3


def _break_off(fault: BaseException, write: Callable[[Transaction], object]) -> None:
    """Write, and then come to grief."""
    try:
        with writing() as tx:
            write(tx)
            raise fault
    except type(fault):
        return


def _accounts() -> int:
    return db.session.scalar(select(func.count()).select_from(Account)) or 0


def _deliveries() -> int:
    return db.session.scalar(select(func.count()).select_from(Delivery)) or 0
