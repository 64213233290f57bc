"""What people do to shifts on the pages: the verbs of edit.py, each written down with who did it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy import select

from app import audit
from app.audit import Actor
from app.sources.classroom.models import Shift, ShiftStatus
from app.sources.classroom.seen import mark_of
from app.sources.classroom.shifts import edit
from app.sources.classroom.shifts.edit import ShiftValues
from app.sources.classroom.telling.beliefs import SUBJECT
from app.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Done:
    """What became of the shifts of one act: how many it changed, how many were so already or never were there, and how
    many it left alone because somebody had changed them since they were seen.
    """

    done: int
    so_already: int
    meanwhile: int


@dataclass(frozen=True, slots=True)
class _Now:
    version: int
    mark: str
    status: str
    deleted: bool


def add_shift(tx: Transaction, actor: Actor, values: ShiftValues) -> int:
    """Make a shift, and return its id."""
    shift_id = edit.add_shift(tx, values)
    audit.note(tx, actor, "add", (SUBJECT, shift_id))
    return shift_id


def change_shift(tx: Transaction, actor: Actor, shift_id: int, values: ShiftValues, seen: str) -> bool:
    """Change a shift as its reader saw it, by its mark; False when it is gone or was changed by somebody else since."""
    now = _standing(tx, [shift_id]).get(shift_id)
    if now is None or now.mark != seen or not edit.change_shift(tx, shift_id, values, now.version):
        return False
    audit.note(tx, actor, "change", (SUBJECT, shift_id), {"seen_version": now.version})
    return True


def set_status(tx: Transaction, actor: Actor, seen: Mapping[int, str], status: ShiftStatus) -> Done:
    """Confirm or unconfirm shifts, each as it was seen, by its mark."""
    other = {key: now for key, now in _standing(tx, seen).items() if now.deleted or now.status != status}
    concerned = [key for key, now in other.items() if not now.deleted and now.mark == seen[key]]
    _note_each(tx, actor, "confirm" if status is ShiftStatus.CONFIRMED else "unconfirm", concerned)
    edit.set_status(tx, concerned, status)
    return _done(seen, other, concerned)


def delete_shifts(tx: Transaction, actor: Actor, seen: Mapping[int, str]) -> Done:
    """Delete shifts, softly, each as it was seen, by its mark."""
    other = {key: now for key, now in _standing(tx, seen).items() if not now.deleted}
    concerned = [key for key, now in other.items() if now.mark == seen[key]]
    _note_each(tx, actor, "delete", concerned)
    edit.delete_shifts(tx, concerned)
    return _done(seen, other, concerned)


def _done(seen: Collection[int], other: Collection[int], concerned: Collection[int]) -> Done:
    return Done(len(concerned), so_already=len(seen) - len(other), meanwhile=len(other) - len(concerned))


def _standing(tx: Transaction, shift_ids: Collection[int]) -> dict[int, _Now]:
    """The shifts as they are now, deleted ones included."""
    # Of two who press at once, the second finds the rows as the first left them.
    tx.lock(Shift)
    columns = Shift.id, Shift.version, Shift.note, Shift.status, Shift.deleted_at.is_not(None)
    rows = tx.session.execute(select(*columns).where(Shift.id.in_(shift_ids)).order_by(Shift.id))
    return {shift_id: _Now(version, mark_of(version, note), status, deleted)
            for shift_id, version, note, status, deleted in rows}  # fmt: skip


def _note_each(tx: Transaction, actor: Actor, act: str, shift_ids: Collection[int]) -> None:
    for shift_id in shift_ids:
        audit.note(tx, actor, act, (SUBJECT, shift_id))
