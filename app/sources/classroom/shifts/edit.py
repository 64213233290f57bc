"""Adding, changing, confirming and deleting shifts by hand; whoever was told of them is corrected at once."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import or_, update

from app.clock import now
from app.sources.classroom.models import TOLD, Shift, ShiftStatus
from app.sources.classroom.shifts.versions import keep_versions
from app.sources.classroom.telling.tell import tell
from app.transaction import Transaction


@dataclass(frozen=True, slots=True)
class ShiftValues:
    """What a person says of a shift. Instants are aware."""

    tutor_id: int
    classroom_id: int
    starts_at: datetime
    ends_at: datetime
    status: ShiftStatus
    note: str


def add_shift(tx: Transaction, values: ShiftValues) -> int:
    """Make a shift, and return its id."""
    shift = Shift(**_columns(values), version=1, created_at=now(), updated_at=now())
    tx.session.add(shift)
    tx.session.flush()
    _changed(tx, [shift.id])
    return shift.id


def change_shift(tx: Transaction, shift_id: int, values: ShiftValues, seen_version: int) -> bool:
    """Change a shift as its reader saw it; False when it is gone or was changed by somebody else meanwhile.

    The version rises when anything that a tutor is told changes, and not on a note.
    """
    columns = _columns(values)
    told = [getattr(Shift, name) != columns[name] for name in TOLD]
    changed = or_(*told)
    as_seen = (Shift.id == shift_id) & (Shift.version == seen_version) & Shift.deleted_at.is_(None)
    anew = update(Shift).where(as_seen, changed).values(**columns, version=Shift.version + 1, updated_at=now())
    if _moved(tx, anew):
        _changed(tx, [shift_id])
        return True
    return bool(_moved(tx, update(Shift).where(as_seen).values(note=values.note, updated_at=now())))


def set_status(tx: Transaction, shift_ids: Collection[int], status: ShiftStatus) -> int:
    """Confirm or unconfirm shifts; how many were not so already."""
    other = Shift.id.in_(shift_ids) & (Shift.status != status) & Shift.deleted_at.is_(None)
    return _changed(tx, _moved(tx, _anew(other, status=status)))


def delete_shifts(tx: Transaction, shift_ids: Collection[int]) -> int:
    """Delete shifts, softly; how many there were."""
    present = Shift.id.in_(shift_ids) & Shift.deleted_at.is_(None)
    return _changed(tx, _moved(tx, _anew(present, deleted_at=now())))


def _columns(values: ShiftValues) -> dict[str, Any]:
    return {name: getattr(values, name) for name in values.__slots__}


def _anew(which: Any, **values: Any) -> Any:
    return update(Shift).where(which).values(**values, version=Shift.version + 1, updated_at=now())


def _moved(tx: Transaction, statement: Any) -> list[int]:
    return list(tx.session.scalars(statement.returning(Shift.id), execution_options={"synchronize_session": False}))


def _changed(tx: Transaction, shift_ids: Collection[int]) -> int:
    keep_versions(tx, shift_ids)
    tell(tx, shift_ids)
    return len(shift_ids)
