"""Which shift each line of a file speaks of."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import InstrumentedAttribute

from app.sources.classroom.models import Shift
from app.transaction import Transaction

VALUES_PER_QUERY = 10_000
"""SQLite allows 32,766 bound values in one statement. As many as that: psycopg prepares a statement that comes a fifth
time, and PostgreSQL then goes through the list of a prepared one value by value instead of hashing it."""

Key = tuple[int, int, datetime]
"""Tutor, classroom and start: what tells one shift from another where nobody numbers them."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A shift as a line of a file wants it. `note` is None where the file says nothing of notes."""

    external_id: str | None
    tutor_id: int
    classroom_id: int
    starts_at: datetime
    ends_at: datetime
    status: str
    note: str | None

    @property
    def key(self) -> Key:
        """What it is known by without an external id."""
        return self.tutor_id, self.classroom_id, self.starts_at

    @property
    def values(self) -> dict[str, Any]:
        """The columns that it fills."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Known:
    """A shift as it stands in the database, deleted ones included."""

    id: int
    external_id: str | None
    tutor_id: int
    classroom_id: int
    starts_at: datetime
    ends_at: datetime
    status: str
    note: str
    version: int
    deleted_at: datetime | None


def match(tx: Transaction, wanted: Sequence[Wanted]) -> list[Known | None]:
    """The shift of each, None for a new one; no shift is given to two.

    By external id; without one, or when nobody has that id yet, by tutor, classroom and start. A shift that another
    line claims by its id, to move it away perhaps, is out of the question then; and so is, for a line with an id of
    its own, a shift with another one.
    """
    by_id = {known.external_id: known for known in _known(tx, Shift.external_id, _external_ids(wanted))}
    claimed = {known.id for known in by_id.values()}
    unmatched = {one.starts_at for one in wanted if one.external_id not in by_id}
    by_key: dict[Key, list[Known]] = defaultdict(list)
    for known in _known(tx, Shift.starts_at, unmatched):
        if known.id not in claimed:
            by_key[known.tutor_id, known.classroom_id, known.starts_at].append(known)
    return [by_id.get(one.external_id) or _take(by_key[one.key], one) for one in wanted]


def _external_ids(wanted: Sequence[Wanted]) -> set[str]:
    return {one.external_id for one in wanted if one.external_id is not None}


def _known(tx: Transaction, column: InstrumentedAttribute[Any], values: Collection[Any]) -> Iterator[Known]:
    columns = [getattr(Shift, name) for name in Known.__slots__]
    listed = sorted(values)
    for first in range(0, len(listed), VALUES_PER_QUERY):
        some = listed[first : first + VALUES_PER_QUERY]
        # One that is not deleted comes before a deleted one in its place.
        order = (Shift.deleted_at.is_not(None), Shift.id)
        for row in tx.session.execute(select(*columns).where(column.in_(some)).order_by(*order)):
            yield Known(*row)


def _take(candidates: list[Known], wanted: Wanted) -> Known | None:
    for known in candidates:
        if wanted.external_id is None or known.external_id is None:
            candidates.remove(known)
            return known
    return None
