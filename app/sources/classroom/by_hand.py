"""What people do to shifts on the pages: the verbs of edit.py, each written down with who did it."""

from collections.abc import Collection

from sqlalchemy import ColumnElement, select

from app import audit
from app.audit import Actor
from app.sources.classroom import edit
from app.sources.classroom.beliefs import SUBJECT
from app.sources.classroom.edit import ShiftValues
from app.sources.classroom.models import Shift, ShiftStatus
from app.transaction import Transaction


def add_shift(tx: Transaction, actor: Actor, values: ShiftValues) -> int:
    """Make a shift, and return its id."""
    shift_id = edit.add_shift(tx, values)
    audit.note(tx, actor, "add", (SUBJECT, shift_id))
    return shift_id


def change_shift(tx: Transaction, actor: Actor, shift_id: int, values: ShiftValues, seen_version: int) -> bool:
    """Change a shift as its reader saw it; False when it is gone or was changed by somebody else meanwhile."""
    if not edit.change_shift(tx, shift_id, values, seen_version):
        return False
    audit.note(tx, actor, "change", (SUBJECT, shift_id), {"seen_version": seen_version})
    return True


def set_status(tx: Transaction, actor: Actor, shift_ids: Collection[int], status: ShiftStatus) -> int:
    """Confirm or unconfirm shifts; how many were not so already."""
    concerned = _present(tx, Shift.id.in_(shift_ids) & (Shift.status != status))
    act = "confirm" if status is ShiftStatus.CONFIRMED else "unconfirm"
    _note_each(tx, actor, act, concerned)
    return edit.set_status(tx, concerned, status)


def delete_shifts(tx: Transaction, actor: Actor, shift_ids: Collection[int]) -> int:
    """Delete shifts, softly; how many there were."""
    concerned = _present(tx, Shift.id.in_(shift_ids))
    _note_each(tx, actor, "delete", concerned)
    return edit.delete_shifts(tx, concerned)


def _present(tx: Transaction, which: ColumnElement[bool]) -> list[int]:
    # Of two who press at once, the second finds the rows as the first left them.
    tx.lock(Shift)
    return list(tx.session.scalars(select(Shift.id).where(which, Shift.deleted_at.is_(None))))


def _note_each(tx: Transaction, actor: Actor, act: str, shift_ids: Collection[int]) -> None:
    for shift_id in shift_ids:
        audit.note(tx, actor, act, (SUBJECT, shift_id))
