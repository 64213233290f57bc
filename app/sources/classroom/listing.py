"""What pages show of shifts: plain values."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from app.accounts.models import Account
from app.codes import CancelReason
from app.extensions import db
from app.reach.models import LineLink
from app.sources.classroom.audience import unreachable
from app.sources.classroom.models import Classroom, Shift, ShiftStatus


@dataclass(frozen=True, slots=True)
class ShiftLine:
    """One shift in a list. `unreachable` says why its tutor would get no reminder now; None when they would."""

    id: int
    external_id: str | None
    tutor: str
    classroom: str
    starts_at: datetime
    ends_at: datetime
    status: ShiftStatus
    version: int
    note: str
    unreachable: CancelReason | None


def shifts_between(start: datetime, before: datetime, classroom_id: int | None = None) -> list[ShiftLine]:
    """The shifts, of one classroom or all, that start from `start` until just before `before`, the earliest first."""
    starts_then = (Shift.starts_at >= start) & (Shift.starts_at < before) & Shift.deleted_at.is_(None)
    shifts = (
        select(Shift, Account, Classroom.name, LineLink)
        .join(Account, Account.id == Shift.tutor_id)
        .join(Classroom, Classroom.id == Shift.classroom_id)
        .outerjoin(LineLink, LineLink.account_id == Account.id)
        .where(starts_then)
        .order_by(Shift.starts_at, Classroom.name, Account.name, Shift.id)
    )
    if classroom_id is not None:
        shifts = shifts.where(Shift.classroom_id == classroom_id)
    return [_line(*row) for row in db.session.execute(shifts)]


def classroom_names() -> dict[int, str]:
    """Every classroom's name by its id, in the order of the names."""
    rows = db.session.execute(select(Classroom.id, Classroom.name).order_by(Classroom.name))
    return dict(rows.all())


def is_known(external_id: str) -> bool:
    """Whether a shift, even a deleted one, has this external id."""
    return db.session.scalar(select(Shift.id).where(Shift.external_id == external_id)) is not None


def _line(shift: Shift, tutor: Account, classroom: str, link: LineLink | None) -> ShiftLine:
    return ShiftLine(
        id=shift.id,
        external_id=shift.external_id,
        tutor=tutor.name,
        classroom=classroom,
        starts_at=shift.starts_at,
        ends_at=shift.ends_at,
        status=ShiftStatus(shift.status),
        version=shift.version,
        note=shift.note,
        unreachable=unreachable(tutor, link),
    )
