"""The column types of both databases, and the base that every table is declared on."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    DateTime,
    Dialect,
    Integer,
    MetaData,
    Select,
    Subquery,
    bindparam,
    exists,
    true,
)  # fmt: skip
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.types import TypeDecorator

from app.clock import now


class Base(DeclarativeBase):
    """The declarative base; constraint names are fixed so that migrations can name them on both databases."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class UtcDateTime(TypeDecorator[datetime]):
    """An instant, microsecond-exact. Aware UTC in Python; `timestamptz` on PostgreSQL, naive UTC text on SQLite.

    SQLite compares the text, which sorts like the instant because every value has the same form.
    Raises ValueError for a naive datetime: a guessed zone is a wrong instant sooner or later.
    """

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a naive datetime cannot be stored: give it a zone")
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        instant: datetime = value
        return instant.replace(tzinfo=UTC) if instant.tzinfo is None else instant.astimezone(UTC)


class Amount(TypeDecorator[Decimal]):
    """An amount of money, exact on both databases, which compare it as a number: ten-thousandths in a big integer.

    SQLite has no decimals, and no currency has coins below a thousandth. Raises ValueError for what does not fit.
    """

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: Decimal | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        if value is None:
            return None
        parts = value * _PARTS
        if parts != int(parts) or abs(parts) >= 10**18:
            raise ValueError("an amount has at most 4 decimals and 14 digits before them")
        return int(parts)

    def process_result_value(self, value: Any, dialect: Dialect) -> Decimal | None:  # noqa: ARG002
        return None if value is None else Decimal(value) / _PARTS


_PARTS = 10_000

NOW: BindParameter[datetime] = bindparam("now", callable_=now, type_=UtcDateTime)
"""SQL: the instant at which the statement is executed, for one that is built once and executed often: SQLAlchemy takes
several times as long to build a statement as to execute it."""

# SQLite gives an automatic id only to a column declared INTEGER.
BigInt = BigInteger().with_variant(Integer(), "sqlite")


def there_is(*tables: Any, where: ColumnElement[bool]) -> ColumnElement[bool]:
    """SQL: whether these tables hold such rows. Every other table in the condition is one of an outer query.

    Left to itself, SQLAlchemy takes a column of an outer query but the nearest as a table of its own to look through:
    one level deeper in a larger question, anybody's right would be everybody's.
    """
    return exists().where(where).correlate_except(*tables)


def unindexed(condition: ColumnElement[bool]) -> ColumnElement[bool]:
    """SQL: the same, but nothing that a database would choose an index for: the rows are found by another condition.

    SQLite keeps no statistics here. It takes the index of a kind or a state for better than that of a hundred ids, and
    goes through all that there is of it, in every claim.
    """
    return condition.is_(true())


def first_found(rows: Select[*tuple[Any, ...]]) -> Subquery:
    """SQL: the rows to group or count, found and computed before that.

    Else SQLite chooses the index in whose order it could group, whatever that goes through, and computes a value anew
    for each place that names it.
    """
    return rows.offset(0).subquery()
