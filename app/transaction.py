"""writing(): the only way to write.

The edge — view, job, command — opens `with writing() as tx:`; verbs work inside it and never commit. After the
commit the listener that `create_app` registered hands over what was enqueued, and wakes the scans that were named.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from flask import Flask, current_app
from sqlalchemy import CursorResult, Engine, Executable, Table, event, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection
from sqlalchemy.orm import ORMExecuteState, Session, UOWTransaction

from app.clock import pause
from app.columns import Base
from app.extensions import db

T = TypeVar("T")
Values = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None

ROWS_PER_TRANSACTION = 1000
PAUSE = 0.02
"""Seconds."""

_LISTENER = "todoke.after_commit"
_BEGIN = "todoke_begin"


@dataclass
class Transaction:
    """One write transaction: the session to write with, and what is to happen once it has committed."""

    session: Session
    enqueued: list[tuple[str, int]] = field(default_factory=list)
    """(kind, delivery id) of every delivery that became due in it."""
    woken: set[str] = field(default_factory=set)
    """The scans that have something new to look at."""
    broken: bool = False
    """Whether a `writing()` that joined it broke off: then none of it stays, whoever caught the exception."""

    def lock(self, table: type[Base]) -> None:
        """Let nobody else write to this table until the end of the transaction."""
        if not self.alone:
            self.session.execute(text(f"LOCK TABLE {table.__tablename__} IN SHARE ROW EXCLUSIVE MODE"))

    def wake(self, scan: str) -> None:
        """Let this scan run as soon as this has committed, rather than when its next slot comes."""
        self.woken.add(scan)

    def will_write(self, table: type[Base]) -> None:
        """Wait here, before any row is taken, for whoever holds the `lock` of this table."""
        if not self.alone:
            self.session.execute(text(f"LOCK TABLE {table.__tablename__} IN ROW EXCLUSIVE MODE"))

    def execute(self, statement: Executable, values: Values = None) -> CursorResult[Any]:
        """Do what happens for every event or every row: straight on the connection, what is pending written first.

        The session's own way there takes as long as many a statement. No mapped object comes back.
        """
        self.session.flush()
        return self.session.connection().execute(statement, values)

    @property
    def alone(self) -> bool:
        """Whether nobody else can write before it ends, as on SQLite, which has one writer."""
        return self.session.get_bind().dialect.name == "sqlite"

    @property
    def insert(self) -> "Inserting":
        """An INSERT that knows ON CONFLICT, in the dialect of this database: `tx.insert(table)`."""
        return sqlite.insert if self.session.get_bind().dialect.name == "sqlite" else postgresql.insert

    def count(self, statement: Executable, values: Values = None) -> int:
        """Execute an INSERT, and count the rows that it makes."""
        # Of an INSERT, SQLAlchemy asks the driver for their number only if told to.
        return self.execute(statement.execution_options(preserve_rowcount=True), values).rowcount


Inserting = Callable[[type[Base] | Table], postgresql.Insert | sqlite.Insert]
AfterCommit = Callable[[Transaction], None]


def slices(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    """The rows in portions that one transaction may write, with a pause between them for a person's click."""
    for start in range(0, len(rows), ROWS_PER_TRANSACTION):
        if start:
            pause(PAUSE)
        yield rows[start : start + ROWS_PER_TRANSACTION]


class WriteOutsideTransactionError(RuntimeError):
    """Something tried to write without `writing()`: a mistake in the code, never in the input."""


class HalfWrittenError(RuntimeError):
    """A nested `writing()` failed and somebody carried on all the same: a mistake in the code."""


@contextmanager
def writing() -> Iterator[Transaction]:
    """Write all or nothing; a nested one joins. Ends a read transaction that was open.

    On SQLite the write lock is taken at once (`BEGIN IMMEDIATE`): a transaction that read first and then wants to
    write fails under load, whatever the busy time-out. An exception rolls back, and nothing is handed over.
    """
    session = db.session()
    joined = session.info.get("tx")
    if joined is not None:
        try:
            yield joined
        except BaseException:
            joined.broken = True
            raise
        return
    session.close()
    tx = Transaction(session)
    session.info["tx"] = tx
    try:
        session.connection(execution_options={_BEGIN: "BEGIN IMMEDIATE"})
        yield tx
        if tx.broken:
            raise HalfWrittenError("a verb inside this transaction broke off, and what it wrote must not stay")
        session.commit()
    except BaseException:
        session.rollback()
        raise
    finally:
        session.info.pop("tx", None)
        session.close()
    current_app.extensions[_LISTENER](tx)


def init_app(app: Flask, engine: Engine, after_commit: AfterCommit) -> None:
    """Prepare the engine of this app for `writing()` and name what runs after each commit."""
    app.extensions[_LISTENER] = after_commit
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    else:
        event.listen(engine, "connect", _set_up_postgresql)


def _set_up_sqlite(connection: object, _record: object) -> None:
    connection.isolation_level = None  # type: ignore[attr-defined]  # BEGIN is ours to emit, see _begin_sqlite
    cursor = connection.cursor()  # type: ignore[attr-defined]
    # The order matters: with the busy time-out first, a second process that switches to WAL waits its turn.
    safe = ("busy_timeout=10000", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")
    # SQLite's own 2 MB hold little of the indexes of a million rows.
    for pragma in (*safe, "cache_size=-16000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _set_up_postgresql(connection: object, _record: object) -> None:
    # It takes the reminder scan's question for a dear one: 20 ms of compiling before 7 of answering.
    connection.execute("SET jit = off")  # type: ignore[attr-defined]  # the driver's own, as above
    connection.commit()  # type: ignore[attr-defined]  # or the setting would go with the first rollback


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN"))


@event.listens_for(Session, "do_orm_execute")
def _refuse_statement(state: ORMExecuteState) -> None:
    if not state.is_select:
        _demand_transaction(state.session)


@event.listens_for(Session, "before_flush")
def _refuse_flush(session: Session, _context: UOWTransaction, _instances: object) -> None:
    _demand_transaction(session)


def _demand_transaction(session: Session) -> None:
    if "tx" not in session.info:
        raise WriteOutsideTransactionError("open `with writing() as tx:` before writing")
