"""What a database is asked, and how it goes about it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event

from app.extensions import db


@contextmanager
def hearing(*verbs: str) -> Iterator[list[tuple[str, Any]]]:
    """Every question, and what else begins with these verbs, as the database hears it: statement and parameters."""
    heard: list[tuple[str, Any]] = []

    def hear(_connection: object, _cursor: object, statement: str, parameters: Any, *_rest: object) -> None:
        if statement.startswith(("SELECT", *verbs)):
            heard.append((statement, parameters))

    event.listen(db.engine, "before_cursor_execute", hear)
    yield heard
    event.remove(db.engine, "before_cursor_execute", hear)


def plan_of(statement: str, parameters: Any) -> str:
    """The steps that the database takes, a line each."""
    explain = "EXPLAIN QUERY PLAN " if db.engine.dialect.name == "sqlite" else "EXPLAIN "
    with db.engine.connect() as connection:
        return "\n".join(str(row[-1]) for row in connection.exec_driver_sql(explain + statement, parameters))
