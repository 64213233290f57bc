"""Bringing the shifts of a file in: all or nothing, and the same file twice changes nothing.

Everything is decided before the write transaction opens; in it, what was relied on is read once more and compared, and
only then written. So reading and matching a large file holds nobody up; writing it does, on SQLite, for a second or
less.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import insert, select, update

from app import audit
from app.audit import Actor
from app.clock import now
from app.faults import InvalidInput
from app.sources.classroom.classrooms import create_classroom
from app.sources.classroom.imports.csv_file import ShiftFile
from app.sources.classroom.imports.file_faults import faults_of
from app.sources.classroom.imports.matching import Found, Known, Wanted, look_up, match
from app.sources.classroom.imports.shift_rows import ShiftRow
from app.sources.classroom.models import TOLD, Classroom, Shift
from app.sources.classroom.seen import ChangedMeanwhile
from app.sources.classroom.shifts.versions import keep_versions
from app.sources.classroom.telling.audience import shifts_with_news
from app.sources.classroom.telling.beliefs import SUBJECT
from app.sources.classroom.telling.tell import tell
from app.transaction import Transaction, writing


@dataclass(frozen=True, slots=True)
class ImportResult:
    """How many shifts the file added, changed (in a note perhaps) and found as they were; and its new classrooms."""

    added: int
    changed: int
    unchanged: int
    new_classrooms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """A shift that differs from what the file wants. `told_anew`: in something that a tutor is told."""

    known: Known
    wanted: Wanted
    told_anew: bool


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a file would do, as decided from what was found."""

    file: ShiftFile
    create_classrooms: bool
    found: Found
    added: Sequence[Wanted]
    changed: Sequence[Change]
    new_classrooms: Sequence[str]


def import_shifts(file: ShiftFile, actor: Actor, *, create_classrooms: bool) -> ImportResult:
    """Add and change shifts as the file says; those absent from it are left alone. Raises InvalidInput as `prepare`."""
    while True:
        prepared = prepare(file, create_classrooms=create_classrooms)
        with suppress(ChangedMeanwhile), writing() as tx:
            return bring_in(tx, actor, prepared)


def prepare(file: ShiftFile, *, create_classrooms: bool) -> Prepared:
    """Decide what to add and change; reads only.

    Raises InvalidInput with every fault of the file: what it names must exist (classrooms may be made instead), no
    two lines may describe one shift, and nobody who is suspended gets one that they do not have already.
    """
    return _decide(file, create_classrooms, look_up(file))


def bring_in(tx: Transaction, actor: Actor, prepared: Prepared) -> ImportResult:
    """Write what was prepared, and who brought it. Raises ChangedMeanwhile if what it relied on is not so any more."""
    _lock(tx, prepared)
    if look_up(prepared.file) != prepared.found:
        raise ChangedMeanwhile
    _write(tx, actor, prepared)
    added, changed = len(prepared.added), len(prepared.changed)
    unchanged = len(prepared.file.rows) - added - changed
    return ImportResult(added, changed, unchanged, tuple(prepared.new_classrooms))


def _decide(file: ShiftFile, create_classrooms: bool, found: Found) -> Prepared:
    rows = [row for row in file.rows if row.tutor_email in found.tutors]
    wanted = [_wanted(row, found) for row in rows]
    matched = match(wanted, found)
    given = zip(rows, wanted, matched, strict=True)
    to_nobody = [row for row, one, known in given if one.tutor_id in found.switched_off and not _has_it(one, known)]
    if faults := faults_of(file, found, create_classrooms, to_nobody):
        raise InvalidInput(*faults)
    added: list[Wanted] = []
    changed: list[Change] = []
    for known, one in zip(matched, wanted, strict=True):
        if known is None:
            added.append(one)
        elif (told_anew := _is_told_anew(known, one)) or _adds_words(known, one):
            changed.append(Change(known, one, told_anew))
    new_classrooms = sorted({row.classroom for row in file.rows} - found.classrooms.keys())
    return Prepared(file, create_classrooms, found, added, changed, new_classrooms)


def _wanted(row: ShiftRow, found: Found) -> Wanted:
    return Wanted(
        external_id=row.external_id,
        tutor_id=found.tutors[row.tutor_email],
        classroom=row.classroom,
        classroom_id=found.classrooms.get(row.classroom),
        starts_at=row.starts_at,
        ends_at=row.ends_at,
        status=row.status.value,
        note=row.note,
    )


def _has_it(wanted: Wanted, known: Known | None) -> bool:
    """Whether the shift is this tutor's already."""
    return known is not None and known.deleted_at is None and known.tutor_id == wanted.tutor_id


def _is_told_anew(known: Known, wanted: Wanted) -> bool:
    return known.deleted_at is not None or any(getattr(wanted, name) != getattr(known, name) for name in TOLD)


def _adds_words(known: Known, wanted: Wanted) -> bool:
    """Whether the external id or the note changes; they stay where none is given."""
    return wanted.external_id not in (None, known.external_id) or wanted.note not in (None, known.note)


def _lock(tx: Transaction, prepared: Prepared) -> None:
    # Two imports that cannot see each other's rows yet would both add the same shift.
    tx.lock(Shift)
    if prepared.new_classrooms:
        tx.lock(Classroom)


def _write(tx: Transaction, actor: Actor, prepared: Prepared) -> None:
    at = now()
    made = {name: create_classroom(tx, name) for name in prepared.new_classrooms}
    added = [
        _values(one, made) | {"note": one.note or "", "version": 1, "created_at": at, "updated_at": at}
        for one in prepared.added
    ]
    changed = [_changes(one, made) | {"updated_at": at} for one in prepared.changed]
    if added:
        tx.session.execute(insert(Shift), added)
    if changed:
        tx.session.execute(update(Shift), changed)
    written = list(tx.session.scalars(select(Shift.id).where(Shift.updated_at == at)))
    keep_versions(tx, written)
    audit.note_all(tx, actor, "import", SUBJECT, written)
    # Of a month's shifts few are told yet, and only those can have to be told anew.
    tell(tx, set(written).intersection(shifts_with_news(at)))


def _values(wanted: Wanted, made: dict[str, int]) -> dict[str, Any]:
    classroom_id = made[wanted.classroom] if wanted.classroom_id is None else wanted.classroom_id
    return {
        "external_id": wanted.external_id,
        "tutor_id": wanted.tutor_id,
        "classroom_id": classroom_id,
        "starts_at": wanted.starts_at,
        "ends_at": wanted.ends_at,
        "status": wanted.status,
        "note": wanted.note,
    }


def _changes(change: Change, made: dict[str, int]) -> dict[str, Any]:
    known, wanted = change.known, change.wanted
    kept = {
        "external_id": wanted.external_id or known.external_id,
        "note": known.note if wanted.note is None else wanted.note,
    }
    version = known.version + change.told_anew
    return _values(wanted, made) | kept | {"id": known.id, "version": version, "deleted_at": None}
