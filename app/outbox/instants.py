"""What either database makes of instants: the hour of one, and the seconds between two."""

from datetime import datetime
from typing import Any

from sqlalchemy import Float
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from app.columns import UtcDateTime


class HourOf(FunctionElement[datetime]):
    """SQL: when the hour of an instant began, in UTC."""

    type = UtcDateTime()
    inherit_cache = True


class SecondsBetween(FunctionElement[float]):
    """SQL: the seconds from the first instant to the second."""

    type = Float()
    inherit_cache = True


@compiles(HourOf, "sqlite")
def _hour_on_sqlite(element: HourOf, compiler: SQLCompiler, **options: Any) -> str:
    # Every value has the form 2026-11-30 03:04:05.000006, and to cut it takes a tenth of the time of `strftime`.
    return f"substr({compiler.process(element.clauses, **options)}, 1, 14) || '00:00.000000'"


@compiles(HourOf, "postgresql")
def _hour_on_postgresql(element: HourOf, compiler: SQLCompiler, **options: Any) -> str:
    return f"date_trunc('hour', {compiler.process(element.clauses, **options)}, 'UTC')"


@compiles(SecondsBetween, "sqlite")
def _seconds_on_sqlite(element: SecondsBetween, compiler: SQLCompiler, **options: Any) -> str:
    since, until = (compiler.process(one, **options) for one in element.clauses)
    return f"round((julianday({until}) - julianday({since})) * 86400, 3)"


@compiles(SecondsBetween, "postgresql")
def _seconds_on_postgresql(element: SecondsBetween, compiler: SQLCompiler, **options: Any) -> str:
    since, until = (compiler.process(one, **options) for one in element.clauses)
    return f"extract(epoch FROM {until} - {since})"
