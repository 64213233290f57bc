"""Bringing the shifts of a file in: all or nothing, and the same file twice changes nothing."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flask_babel import gettext as _
from sqlalchemy import insert, select, update
from sqlalchemy.orm import InstrumentedAttribute

from app.accounts.models import Account
from app.clock import now
from app.faults import Fault, InvalidInput
from app.sources.classroom.audience import shifts_with_news
from app.sources.classroom.classrooms import create_classroom
from app.sources.classroom.csv_file import Named, ShiftFile, ShiftRow
from app.sources.classroom.matching import VALUES_PER_QUERY, Known, Wanted, match
from app.sources.classroom.models import TOLD, Classroom, Shift
from app.sources.classroom.tell import tell
from app.sources.classroom.versions import keep_versions
from app.transaction import Transaction


@dataclass(frozen=True, slots=True)
class ImportResult:
    """How many shifts the file added, changed (in a note perhaps) and found as they were; and its new classrooms."""

    added: int
    changed: int
    unchanged: int
    new_classrooms: tuple[str, ...]


def import_shifts(tx: Transaction, file: ShiftFile, *, create_classrooms: bool) -> ImportResult:
    """Add and change shifts as the file says; those absent from it are left alone.

    Raises InvalidInput with every fault of the file: what it names must exist (classrooms may be made instead), and
    no two lines may describe one shift.
    """
    # Two imports that cannot see each other's rows yet would both add the same shift.
    tx.lock(Shift)
    tutors = _ids(tx, Account.email, Account.id, {one.tutor_email for one in file.named})
    classrooms = _ids(tx, Classroom.name, Classroom.id, {one.classroom for one in file.named})
    unknown = _unknown(file.named, tutors, None if create_classrooms else classrooms)
    faults = [*file.faults, *unknown, *_described_twice(file.rows)]
    if faults:
        raise InvalidInput(*sorted(faults, key=lambda fault: fault.line or 0))
    new_classrooms = sorted({row.classroom for row in file.rows} - classrooms.keys())
    classrooms |= {name: create_classroom(tx, name) for name in new_classrooms}
    wanted = [_wanted(row, tutors, classrooms) for row in file.rows]
    added, changed = _store(tx, wanted, match(tx, wanted))
    return ImportResult(added, changed, len(wanted) - added - changed, tuple(new_classrooms))


def _ids(
    tx: Transaction, name: InstrumentedAttribute[str], key: InstrumentedAttribute[int], names: Collection[str]
) -> dict[str, int]:
    listed = sorted(names)
    found: dict[str, int] = {}
    for first in range(0, len(listed), VALUES_PER_QUERY):
        some = name.in_(listed[first : first + VALUES_PER_QUERY])
        found |= dict(tx.session.execute(select(name, key).where(some)).all())
    return found


def _unknown(
    named: Sequence[Named], tutors: Mapping[str, int], classrooms: Mapping[str, int] | None
) -> Iterator[Fault]:
    nobody = _("No account has this e-mail address. Create it first.")
    nowhere = _("No classroom has this name. Create it first, or let the import create it.")
    for one in named:
        if one.tutor_email and one.tutor_email not in tutors:
            yield Fault("tutor_email", nobody, one.line)
        if one.classroom and classrooms is not None and one.classroom not in classrooms:
            yield Fault("classroom", nowhere, one.line)


def _described_twice(rows: Sequence[ShiftRow]) -> Iterator[Fault]:
    by_id: dict[str, int] = {}
    by_key: dict[tuple[str, str, datetime], ShiftRow] = {}
    for row in rows:
        key = row.tutor_email, row.classroom, row.starts_at
        alike = by_key.setdefault(key, row)
        if row.external_id is not None and by_id.setdefault(row.external_id, row.line) != row.line:
            yield _twice("external_id", row, by_id[row.external_id])
        elif alike is not row and not (row.external_id and alike.external_id):
            yield _twice("start", row, alike.line)


def _twice(field: str, row: ShiftRow, first: int) -> Fault:
    return Fault(field, _("Line %(first)d already describes this shift.", first=first), row.line)


def _wanted(row: ShiftRow, tutors: Mapping[str, int], classrooms: Mapping[str, int]) -> Wanted:
    tutor, classroom = tutors[row.tutor_email], classrooms[row.classroom]
    return Wanted(row.external_id, tutor, classroom, row.starts_at, row.ends_at, row.status.value, row.note)


def _store(tx: Transaction, wanted: Sequence[Wanted], known: Sequence[Known | None]) -> tuple[int, int]:
    """Write what differs; how many shifts were added and changed."""
    at = now()
    added: list[dict[str, Any]] = []
    changed: list[dict[str, Any]] = []
    for one, shift in zip(wanted, known, strict=True):
        if shift is None:
            added.append(one.values | {"note": one.note or "", "version": 1, "created_at": at, "updated_at": at})
        elif values := _changes(one, shift):
            changed.append(values | {"id": shift.id, "updated_at": at})
    if added:
        tx.session.execute(insert(Shift), added)
    if changed:
        tx.session.execute(update(Shift), changed)
    written = list(tx.session.scalars(select(Shift.id).where(Shift.updated_at == at)))
    keep_versions(tx, written)
    # Of a month's shifts few are told yet, and only those can have to be told anew.
    tell(tx, set(written).intersection(shifts_with_news(at)))
    return len(added), len(changed)


def _changes(wanted: Wanted, shift: Known) -> dict[str, Any]:
    """The values to write; none when the shift is as wanted. An external id or a note stays where none is given."""
    kept = {
        "external_id": wanted.external_id or shift.external_id,
        "note": shift.note if wanted.note is None else wanted.note,
    }
    values = wanted.values | kept
    told_anew = shift.deleted_at is not None or any(values[name] != getattr(shift, name) for name in TOLD)
    if not told_anew and all(values[name] == getattr(shift, name) for name in kept):
        return {}
    return values | {"version": shift.version + told_anew, "deleted_at": None}
