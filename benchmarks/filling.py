"""Filling tables with many rows at once, on either database: each sort of row is made there by one INSERT."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from sqlalchemy import Connection, text

from app.columns import Base
from app.extensions import db

_NUMBERS = {
    "sqlite": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {0})",
    "postgresql": "WITH n(i) AS (SELECT generate_series(1, {0}))",
}
_INSTANT = {
    "sqlite": "strftime('%Y-%m-%d %H:%M:%f000', '{0:%Y-%m-%d %H:%M:%S}', ({1}) || ' seconds')",
    "postgresql": "(timestamptz '{0:%Y-%m-%d %H:%M:%S}+00' + ({1}) * interval '1 second')",
}


@contextmanager
def filling(*tables: type[Base]) -> Iterator[Connection]:
    """One transaction for filling these tables. Their indexes are made when they are full, and then looked at."""
    postgresql = db.engine.dialect.name == "postgresql"
    indexes = [index for one in tables for index in one.metadata.tables[one.__tablename__].indexes]
    with db.engine.begin() as connection:
        if postgresql:  # which would look for what each foreign key names, row by row
            connection.execute(text("SET LOCAL session_replication_role = replica"))
        for index in indexes:
            index.drop(connection)
        yield connection
        for index in indexes:
            index.create(connection)
        if postgresql:
            _let_ids_go_on(connection, tables)
    if postgresql:  # as it does by itself in life; SQLite has no such knowledge there either
        with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("VACUUM ANALYZE"))


def put(connection: Connection, table: type[Base], number: int, values: dict[str, str], where: str = "true") -> None:
    """A row for each `i` from 1 to `number` for which that is so; conditions and values are SQL."""
    numbers = _NUMBERS[connection.dialect.name].format(number)
    made = f"SELECT {', '.join(values.values())} FROM n WHERE {where}"
    connection.execute(text(f"INSERT INTO {table.__tablename__} ({', '.join(values)}) {numbers} {made}"))


def instant(at: datetime, seconds: str) -> str:
    """SQL: so many seconds after `at`, a whole second in UTC; before it if negative."""
    return _INSTANT[db.engine.dialect.name].format(at, seconds)


def _let_ids_go_on(connection: Connection, tables: tuple[type[Base], ...]) -> None:
    for table in (one.__tablename__ for one in tables if hasattr(one, "id")):
        sequence = f"pg_get_serial_sequence('{table}', 'id')"
        connection.execute(text(f"SELECT setval({sequence}, max(id)) FROM {table}"))
