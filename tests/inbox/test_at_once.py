"""The same event twenty times at once, and a transaction that breaks off."""

from contextlib import suppress
from threading import Barrier, Thread

from flask import Flask
from sqlalchemy import func, select

from app.extensions import broker, db
from app.inbox.models import Notification
from app.inbox.notify import notify
from app.kinds import QueueName
from app.transaction import writing
from tests.factories import all_deliveries, make_account, make_tutor
from tests.fakes.inbox_kind import Greeting
from tests.fixtures.background import Background
from tests.inbox.inboxes import about, chosen
from tests.servers.valkey import ValkeyServer

THREADS = 20


def test_twenty_identical_events_at_once_are_one_notification_and_one_delivery(app: Flask, kind: Greeting) -> None:
    reader, newcomer = make_tutor(), make_account()
    chosen(reader, "greetings", "line", True)
    together, made, faults = Barrier(THREADS), list[int](), list[BaseException]()

    def happen() -> None:
        with app.app_context():
            together.wait()
            try:
                with writing() as tx:
                    made.extend(notify(tx, about(newcomer), [reader]))
            except BaseException as fault:
                faults.append(fault)
            finally:
                db.session.remove()

    threads = [Thread(target=happen) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert len(made) == _notifications() == len(all_deliveries()) == 1


def test_a_rollback_leaves_no_notification_no_delivery_and_no_job(
    app: Flask, kind: Greeting, background: Background, redis: ValkeyServer
) -> None:
    reader, newcomer = make_tutor(), make_account()
    chosen(reader, "greetings", "line", True)
    with suppress(ZeroDivisionError), writing() as tx:
        notify(tx, about(newcomer), [reader])
        raise ZeroDivisionError
    assert _notifications() == len(all_deliveries()) == 0
    assert [broker.queue(name).count for name in QueueName] == [0] * len(QueueName)


def _notifications() -> int:
    db.session.rollback()
    return db.session.scalar(select(func.count()).select_from(Notification)) or 0
