"""The ledger without a queue: an app on each database, at an instant that stands still."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import time_machine
from flask import Flask

from app import create_app
from app.columns import Base
from app.extensions import db
from tests.fakes.kind import Probe
from tests.fixtures.databases import sqlite_copy
from tests.fixtures.settings import settings_for
from tests.servers.postgres import PostgresServer

NOON = datetime(2026, 11, 30, 3, tzinfo=UTC)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def ledger_app(request: pytest.FixtureRequest) -> Iterator[Flask]:
    """An app without Redis; one for all tests of a file, because making a database costs more than emptying it."""
    if request.param == "sqlite":
        with sqlite_copy(request.getfixturevalue("migrated_sqlite")) as url:
            yield from _app(url)
    else:
        server: PostgresServer = request.getfixturevalue("postgres_server")
        name = server.create_database(template=request.getfixturevalue("migrated_postgres"))
        yield from _app(server.url(name))
        server.drop_database(name)


def _app(url: str) -> Iterator[Flask]:
    app = create_app(settings_for(url), pages=False)
    yield app
    with app.app_context():
        db.engine.dispose()


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """Time stands still until the test moves it on."""
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture
def ledger(ledger_app: Flask, clock: time_machine.Traveller, probe: Probe) -> Iterator[Flask]:
    """The app on each database, empty, with the kind `probe` and without Redis."""
    with ledger_app.app_context():
        empty()
        yield ledger_app
        db.session.remove()


def empty() -> None:
    """Delete every row of every table."""
    with db.engine.begin() as connection:
        for table in reversed(Base.metadata.sorted_tables):
            connection.execute(table.delete())
