"""Owing something: once, whoever wants it, and as often as it is wanted."""

from threading import Barrier, Thread

from flask import Flask
from sqlalchemy import func, select, update

from app.extensions import db
from app.outbox.enqueue import NewDelivery, enqueue
from app.outbox.models import Delivery
from app.outbox.state import State, Trigger
from app.transaction import writing
from tests.factories import make_tutor, owe
from tests.outbox.ledger import quietly, row

THREADS = 20


def test_what_is_owed_starts_pending_and_due(ledger: Flask) -> None:
    tutor = make_tutor()
    with quietly() as tx:
        owed = owe(tx, tutor)
        assert tx.enqueued == [("probe", owed)]
    found = row(owed)
    assert (found["state"], found["next_trigger"], found["next_attempt_at"]) == (State.PENDING, Trigger.AUTO, None)
    assert (found["attempts"], found["round_attempts"], found["rescues"]) == (0, 0, 0)


def test_the_same_thing_is_owed_once(ledger: Flask) -> None:
    tutor = make_tutor()
    with quietly() as tx:
        assert len(enqueue(tx, [wanted(tutor, "a"), wanted(tutor, "a"), wanted(tutor, "b")])) == 2
    with quietly() as tx:
        assert len(enqueue(tx, [wanted(tutor, "b"), wanted(tutor, "c")])) == 1
        assert len(tx.enqueued) == 1
    assert _count() == 3


def test_a_finished_delivery_keeps_its_key_so_that_it_is_not_made_again(ledger: Flask) -> None:
    tutor = make_tutor()
    with quietly() as tx:
        owe(tx, tutor, dedup_key="a")
    with writing() as tx:
        tx.session.execute(update(Delivery).values(state=State.SENT))
    with quietly() as tx:
        assert enqueue(tx, [wanted(tutor, "a")]) == []


def test_twenty_at_once_who_owe_the_same_make_one_of_each(ledger: Flask) -> None:
    tutor = make_tutor()
    together, made, faults = Barrier(THREADS), list[int](), list[BaseException]()

    def owe_them(backwards: bool) -> None:
        with ledger.app_context():
            keys = sorted(("a", "b", "c", "d", "e"), reverse=backwards)
            together.wait()
            try:
                with quietly() as tx:
                    made.extend(enqueue(tx, [wanted(tutor, key) for key in keys]))
            except BaseException as fault:
                faults.append(fault)
            db.session.remove()

    threads = [Thread(target=owe_them, args=(bool(number % 2),)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert not faults
    assert len(made) == len(set(made)) == _count() == 5


def test_more_rows_than_one_statement_can_bind_are_owed_in_one_call(ledger: Flask) -> None:
    tutor = make_tutor()
    with quietly() as tx:
        made = enqueue(tx, (wanted(tutor, f"k{number}") for number in range(1200)))
        assert [delivery_id for _, delivery_id in tx.enqueued] == made
    assert len(set(made)) == _count() == 1200


def test_what_is_rolled_back_is_not_owed(ledger: Flask) -> None:
    tutor = make_tutor()
    try:
        with writing() as tx:
            owe(tx, tutor)
            raise RuntimeError
    except RuntimeError:
        pass
    assert _count() == 0


def wanted(tutor: int, key: str) -> NewDelivery:
    """A delivery to somebody, told apart by its key alone."""
    return NewDelivery(
        kind="probe", channel="line", dedup_key=key, subject_type="probe", subject_id=1, subject_version=1,
        account_id=tutor, address_type="line_link", address_id=1, address_label="佐藤", scope=None, gate_key="line",
        expires_at=None,
    )  # fmt: skip


def _count() -> int:
    db.session.rollback()
    return db.session.scalar(select(func.count()).select_from(Delivery)) or 0
