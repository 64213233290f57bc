"""Two who act at once: the second has looked and waits for the first, which then commits."""

import time
from collections.abc import Callable
from contextlib import ExitStack

import pytest
from flask import Flask
from sqlalchemy import text

from app.extensions import db
from app.faults import InvalidInput
from app.transaction import Transaction, writing
from tests.bare_app import beside

Act = Callable[[Transaction], object]

DEADLINE = 20.0
"""Seconds."""


def race(app: Flask, first: Act, second: Act, then: Act | None = None) -> list[str]:
    """The second act begins inside the transaction of the first, which goes on with `then` once the second waits.

    The fields of what the second was refused for.
    """
    refused: list[str] = []

    def begin_second() -> None:
        try:
            with writing() as tx:
                second(tx)
        except InvalidInput as error:
            refused.extend(fault.field for fault in error.faults)

    with ExitStack() as until_the_second_ended, writing() as tx:
        first(tx)
        tx.session.flush()
        until_the_second_ended.enter_context(beside(app, begin_second))
        _until_it_waits()
        if then is not None:
            then(tx)
    return refused


def _until_it_waits() -> None:
    """SQLite has one writer, and lets the second in afterwards. On PostgreSQL it has run up to some lock."""
    if db.engine.dialect.name == "sqlite":
        return
    ours = "datname = current_database() AND wait_event_type = 'Lock'"
    waiting = text(f"SELECT count(*) FROM pg_stat_activity WHERE {ours}")
    ends = time.monotonic() + DEADLINE
    while time.monotonic() < ends:
        with db.engine.connect() as connection:
            if connection.execute(waiting).scalar():
                return
        time.sleep(0.02)
    pytest.fail("the second act waits for nothing")
