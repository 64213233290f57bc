"""The order of every list of deliveries: by when they were made, and among equals by their ids."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, SQLColumnExpression, Tuple, literal, tuple_

from app.columns import BigInt, UtcDateTime
from app.outbox.models import Delivery
from app.place import Place

OLDEST_FIRST = (Delivery.created_at, Delivery.id)


def comes_after(place: Place) -> ColumnElement[bool]:
    """SQL: made later than what stands there. One comparison, so that an index begins at the place."""
    return tuple_(*OLDEST_FIRST) > _tuple(place)


def comes_before(place: Place) -> ColumnElement[bool]:
    """SQL: made earlier than what stands there."""
    return tuple_(*OLDEST_FIRST) < _tuple(place)


def in_order(
    created_at: SQLColumnExpression[datetime], delivery_id: SQLColumnExpression[int], oldest_first: bool
) -> Sequence[SQLColumnExpression[Any]]:
    """SQL: what to order by, where these are the two columns."""
    columns = (created_at, delivery_id)
    return columns if oldest_first else [column.desc() for column in columns]


def _tuple(place: Place) -> Tuple:
    return tuple_(literal(place.at, UtcDateTime), literal(place.id, BigInt))
