"""An app that can only write, and work going on beside a test in another thread."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread

from flask import Flask

from app import transaction
from app.extensions import db


@contextmanager
def bare_app(url: str, listen: transaction.AfterCommit) -> Iterator[Flask]:
    """An app context with this database, and this listener after each commit."""
    app = Flask("bare")
    app.config["SQLALCHEMY_DATABASE_URI"] = url
    db.init_app(app)
    with app.app_context():
        transaction.init_app(app, db.engine, listen)
        yield app
        db.session.remove()
        db.engine.dispose()


@contextmanager
def beside(app: Flask, work: Callable[[], object]) -> Iterator[Thread]:
    """Work going on in another thread, to whose end the block waits; what it raised fails the test."""
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
