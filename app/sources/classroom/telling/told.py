"""What was told to whom about each shift, and when."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import and_, select

from app.extensions import db
from app.sources.classroom.models import Classroom, ShiftTold, ShiftVersion
from app.sources.classroom.telling.beliefs import plan_of


@dataclass(frozen=True, slots=True)
class ToldLine:
    """What one message said of a shift: that it is on, or that it is `off` and was to be then and there.

    `classroom` is the present name of the place.
    """

    classroom: str
    starts_at: datetime
    ends_at: datetime
    at: datetime
    off: bool


Key = tuple[int, int, str, int]
"""Shift, account, kind and version: what a message was about."""


def told_about(shift_ids: Collection[int]) -> dict[Key, ToldLine]:
    """Everything that was told about these shifts; one query."""
    # An outer join: versions are kept since there are corrections, so what was told before them called nothing off.
    rows = db.session.execute(
        select(ShiftTold, Classroom.name, ShiftVersion)
        .join(Classroom, Classroom.id == ShiftTold.classroom_id)
        .outerjoin(
            ShiftVersion, and_(ShiftVersion.shift_id == ShiftTold.shift_id, ShiftVersion.version == ShiftTold.version)
        )
        .where(ShiftTold.shift_id.in_(shift_ids))
    )
    return {
        (told.shift_id, told.account_id, told.kind, told.version): _line(told, classroom, version)
        for told, classroom, version in rows
    }


def _line(told: ShiftTold, classroom: str, version: ShiftVersion | None) -> ToldLine:
    off = version is not None and plan_of(version, told.account_id) is None
    return ToldLine(classroom, told.starts_at, told.ends_at, told.at, off)
