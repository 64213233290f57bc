"""Which shift each line of a file speaks of."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, select, true
from sqlalchemy.orm import InstrumentedAttribute

from app.accounts.models import Account
from app.extensions import db
from app.sources.classroom.imports.csv_file import ShiftFile
from app.sources.classroom.models import Classroom, Shift

VALUES_PER_QUERY = 10_000
"""SQLite allows 32,766 bound values in one statement. As many as that: psycopg prepares a statement that comes a fifth
time, and PostgreSQL then goes through the list of a prepared one value by value instead of hashing it."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A shift as a line of a file wants it.

    `classroom_id` is None for a classroom still to be made; `note` is None where the file says nothing of notes.
    """

    external_id: str | None
    tutor_id: int
    classroom: str
    classroom_id: int | None
    starts_at: datetime
    ends_at: datetime
    status: str
    note: str | None


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


@dataclass(frozen=True, slots=True)
class Found:
    """What the database says of all that a file names: ids by e-mail and by name, shifts by external id, and by start
    those that a line without a known id may speak of. `switched_off`: which of the tutors are."""

    tutors: Mapping[str, int]
    switched_off: Collection[int]
    classrooms: Mapping[str, int]
    numbered: Mapping[str | None, Known]
    at_their_starts: Sequence[Known]


def look_up(file: ShiftFile) -> Found:
    """Ask for everything that deciding about a file takes. Five kinds of queries, all of them quick."""
    numbered = {known.external_id: known for known in _known(Shift.external_id, _external_ids(file))}
    unmatched = {row.starts_at for row in file.rows if row.external_id not in numbered}
    emails = {one.tutor_email for one in file.named}
    return Found(
        tutors=_ids(Account.email, Account.id, emails),
        switched_off=frozenset(_ids(Account.email, Account.id, emails, ~Account.active).values()),
        classrooms=_ids(Classroom.name, Classroom.id, {one.classroom for one in file.named}),
        numbered=numbered,
        at_their_starts=list(_known(Shift.starts_at, unmatched)),
    )


def match(wanted: Sequence[Wanted], found: Found) -> list[Known | None]:
    """The shift of each, None for a new one; no shift is given to two.

    By external id; without one, or when nobody has that id yet, by tutor, classroom and start. A shift that another
    line claims by its id, to move it away perhaps, is out of the question then; and so is, for a line with an id of
    its own, a shift with another one.
    """
    claimed = {known.id for known in found.numbered.values()}
    unclaimed: dict[Any, list[Known]] = defaultdict(list)
    for known in found.at_their_starts:
        if known.id not in claimed:
            unclaimed[_key(known)].append(known)
    return [found.numbered.get(one.external_id) or _take(unclaimed[_key(one)], one) for one in wanted]


def _key(shift: Wanted | Known) -> tuple[int, int | None, datetime]:
    """What tells one shift from another where nobody numbers them."""
    return shift.tutor_id, shift.classroom_id, shift.starts_at


def _take(candidates: list[Known], wanted: Wanted) -> Known | None:
    for known in candidates:
        if wanted.external_id is None or known.external_id is None:
            candidates.remove(known)
            return known
    return None


def _external_ids(file: ShiftFile) -> set[str]:
    return {row.external_id for row in file.rows if row.external_id is not None}


def _ids(
    name: InstrumentedAttribute[str],
    key: InstrumentedAttribute[int],
    names: Collection[str],
    only: ColumnElement[bool] | None = None,
) -> dict[str, int]:
    found: dict[str, int] = {}
    for some in _portions(names):
        found |= dict(
            db.session.execute(select(name, key).where(name.in_(some), true() if only is None else only)).all()
        )
    return found


def _known(column: InstrumentedAttribute[Any], values: Collection[Any]) -> Iterator[Known]:
    columns = [getattr(Shift, name) for name in Known.__slots__]
    for some in _portions(values):
        # One that is not deleted comes before a deleted one in its place.
        order = (Shift.deleted_at.is_not(None), Shift.id)
        for row in db.session.execute(select(*columns).where(column.in_(some)).order_by(*order)):
            yield Known(*row)


def _portions(values: Collection[Any]) -> Iterator[list[Any]]:
    listed = sorted(values)
    for first in range(0, len(listed), VALUES_PER_QUERY):
        yield listed[first : first + VALUES_PER_QUERY]
