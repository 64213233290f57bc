"""The sandbox's memory: one SQLite file with every call, the answers waiting, the monthly limit, browsers' keys, and
what the shop sells."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from flask import Flask, current_app

MONTHLY_LIMIT = 1000
# What a fresh sandbox answers first: a new user sees one delivery arrive, and one fail and be repaired by Retry.
FIRST_ANSWERS = ("ordinary", "rate_limit")

_SCHEMA = (
    """CREATE TABLE call (
        id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, request_id TEXT NOT NULL, asked TEXT NOT NULL,
        recipient TEXT, retry_key TEXT, fate TEXT NOT NULL, switch TEXT, status INTEGER, says TEXT NOT NULL,
        sent TEXT NOT NULL, messages TEXT NOT NULL)""",
    "CREATE INDEX call_by_retry_key ON call (retry_key, at)",
    "CREATE INDEX call_by_fate ON call (fate, at)",
    "CREATE TABLE switch (id INTEGER PRIMARY KEY AUTOINCREMENT, answer TEXT NOT NULL, from_start INTEGER NOT NULL)",
    "CREATE TABLE setting (name TEXT PRIMARY KEY, value INTEGER NOT NULL)",
    "PRAGMA user_version = 1",
)
# The file of somebody who ran an older sandbox goes on from where it is.
_SINCE_VERSION_1 = (
    "ALTER TABLE call ADD COLUMN service TEXT NOT NULL DEFAULT 'line'",
    """CREATE TABLE browser (
        id TEXT PRIMARY KEY, private_key TEXT NOT NULL, auth TEXT NOT NULL, application_key TEXT)""",
    "PRAGMA user_version = 2",
)
_SINCE_VERSION_2 = (
    """CREATE TABLE product (
        code TEXT PRIMARY KEY, name TEXT NOT NULL, price INTEGER NOT NULL, in_stock INTEGER NOT NULL,
        conduct TEXT NOT NULL)""",
    """INSERT INTO product VALUES ('kettle', '電気ケトル 0.8L', 5980, 1, 'ordinary'),
        ('backpack', '通勤リュック', 12800, 1, 'ordinary'), ('headphones', 'ヘッドホン', 24800, 0, 'ordinary')""",
    "PRAGMA user_version = 3",
)
_STEPS = (_SCHEMA, _SINCE_VERSION_1, _SINCE_VERSION_2)
"""From each version to the next."""


class Store:
    """A SQLite file. Every use opens a connection of its own, so threads share nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        with self.writing() as db:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            for step in _STEPS[version:]:
                for statement in step:
                    db.execute(statement)
            if version == 0:
                start_over(db)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A write transaction: all of it is kept, or nothing. Waits up to 10 s for another writer."""
        with self._connection() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
            except BaseException:
                db.execute("ROLLBACK")
                raise
            db.execute("COMMIT")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A snapshot to read from; never waits for a writer."""
        with self._connection() as db:
            db.execute("BEGIN")
            yield db
            db.execute("ROLLBACK")

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._path, timeout=10, isolation_level=None)) as db:
            db.row_factory = sqlite3.Row
            db.execute("PRAGMA journal_mode = WAL")
            # A killed process loses nothing by this; only a power cut could, and a stand-in may forget then.
            db.execute("PRAGMA synchronous = OFF")
            yield db


def start_over(db: sqlite3.Connection) -> None:
    """Forget every call, retry key, switch and setting, and begin as a fresh file does; browsers stay subscribed."""
    for table in ("call", "switch", "setting"):
        db.execute(f"DELETE FROM {table}")  # noqa: S608  # the names stand one line above
    db.execute("INSERT INTO setting VALUES ('monthly_limit', ?)", (MONTHLY_LIMIT,))
    db.executemany("INSERT INTO switch (answer, from_start) VALUES (?, 1)", [(name,) for name in FIRST_ANSWERS])


def attach(sandbox: Flask, store: Store) -> None:
    """Make `store` the memory of this app."""
    sandbox.extensions["sandbox_store"] = store


def store() -> Store:
    """The memory of the app that answers this request."""
    found = current_app.extensions["sandbox_store"]
    assert isinstance(found, Store)  # noqa: S101  # for the type checker: `extensions` is untyped
    return found
