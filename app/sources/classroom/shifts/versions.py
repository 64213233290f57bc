"""Keeping what each version of a shift was: the verb that makes a version calls this in its transaction."""

from collections.abc import Collection

from sqlalchemy import and_, select

from app.sources.classroom.models import Shift, ShiftStatus, ShiftVersion
from app.transaction import Transaction

COLUMNS = ("shift_id", "version", "tutor_id", "classroom_id", "starts_at", "ends_at", "takes_place")


def keep_versions(tx: Transaction, shift_ids: Collection[int]) -> None:
    """Keep the present versions of these shifts; those that are kept already stay."""
    takes_place = and_(Shift.status == ShiftStatus.CONFIRMED, Shift.deleted_at.is_(None))
    present = select(
        Shift.id, Shift.version, Shift.tutor_id, Shift.classroom_id, Shift.starts_at, Shift.ends_at, takes_place
    ).where(Shift.id.in_(shift_ids))
    tx.session.execute(tx.insert(ShiftVersion).from_select(COLUMNS, present).on_conflict_do_nothing())
