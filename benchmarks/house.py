"""An empty house on either database, for a benchmark to fill: the servers of the tests, and a folder of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from flask import Flask
from flask_migrate import upgrade

from app import create_app
from app.config import ROOT
from app.extensions import db
from tests.fixtures.settings import NO_REDIS, settings_for
from tests.servers.postgres import PostgresServer

DATABASES = ("sqlite", "postgresql")


@contextmanager
def house(database: str, redis_url: str = NO_REDIS, line_url: str = "http://127.0.0.1:9") -> Iterator[Flask]:
    """The app in its context on a migrated, empty database, which is gone afterwards; without Redis and LINE unless
    named."""
    with _address(database) as url:
        app = create_app(settings_for(url, redis_url, line_url))
        with app.app_context():
            upgrade(directory=str(ROOT / "migrations"))
            yield app
            db.session.remove()
            db.engine.dispose()


@contextmanager
def _address(database: str) -> Iterator[str]:
    if database == "sqlite":
        with TemporaryDirectory() as folder:
            yield f"sqlite:///{Path(folder) / 'todoke.db'}"
        return
    server = PostgresServer()
    try:
        yield server.url(server.create_database())
    finally:
        server.remove()
