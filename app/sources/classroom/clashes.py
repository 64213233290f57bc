"""One tutor in two shifts at a time: pointed out, never forbidden."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import aliased

from app.extensions import db
from app.sources.classroom.models import Classroom, Shift


@dataclass(frozen=True, slots=True)
class Clash:
    """The other shift of the same tutor, drafts included."""

    id: int
    classroom: str
    starts_at: datetime
    ends_at: datetime


def clashes_between(start: datetime, before: datetime) -> dict[int, list[Clash]]:
    """The clashes of each shift that starts from `start` until just before `before`; shifts without any are absent."""
    one, other = aliased(Shift), aliased(Shift)
    rows = db.session.execute(
        select(one.id, other.id, Classroom.name, other.starts_at, other.ends_at)
        .join(other, (other.tutor_id == one.tutor_id) & (other.id != one.id))
        .join(Classroom, Classroom.id == other.classroom_id)
        .where(
            one.starts_at >= start, one.starts_at < before, one.deleted_at.is_(None), other.deleted_at.is_(None),
            other.starts_at < one.ends_at, other.ends_at > one.starts_at,
        )
        .order_by(one.id, other.starts_at, other.id)
    )  # fmt: skip
    found: dict[int, list[Clash]] = {}
    for shift_id, other_id, classroom, starts_at, ends_at in rows:
        found.setdefault(shift_id, []).append(Clash(other_id, classroom, starts_at, ends_at))
    return found


def clashes_with(tutor_id: int, starts_at: datetime, ends_at: datetime, but: int | None) -> list[Clash]:
    """What this tutor has at that time besides the shift `but`, the earliest first."""
    then: ColumnElement[bool] = (Shift.starts_at < ends_at) & (Shift.ends_at > starts_at) & Shift.deleted_at.is_(None)
    rows = db.session.execute(
        select(Shift.id, Classroom.name, Shift.starts_at, Shift.ends_at)
        .join(Classroom, Classroom.id == Shift.classroom_id)
        .where(then, Shift.tutor_id == tutor_id, Shift.id != (but or 0))
        .order_by(Shift.starts_at, Shift.id)
    )
    return [Clash(*row) for row in rows]
