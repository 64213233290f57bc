"""What pages show of shifts: plain values."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, func, select, true

from app.accounts.models import Account
from app.codes import CancelReason
from app.extensions import db
from app.names import called
from app.reach.models import LineLink
from app.reach.reachable import is_reachable, why_not
from app.sources.classroom.models import Classroom, Shift, ShiftStatus
from app.sources.classroom.seen import mark_of


@dataclass(frozen=True, slots=True)
class ShiftLine:
    """One shift in a list. `unreachable` says why its tutor would get no reminder now; None when they would."""

    id: int
    external_id: str | None
    tutor_id: int
    tutor: str
    classroom_id: int
    classroom: str
    starts_at: datetime
    ends_at: datetime
    status: ShiftStatus
    version: int
    note: str
    deleted: bool
    unreachable: CancelReason | None

    @property
    def seen(self) -> str:
        """The mark of the shift as its reader sees it."""
        return mark_of(self.version, self.note)


@dataclass(frozen=True, slots=True)
class Unreachable:
    """A tutor of confirmed shifts to come who would get no reminder now, with the first of those shifts."""

    account_id: int
    name: str
    why: CancelReason
    shift_id: int
    starts_at: datetime


@dataclass(frozen=True, slots=True)
class NotReached:
    """A tutor who takes no LINE messages now."""

    account_id: int
    name: str
    why: CancelReason


def shifts_between(start: datetime, before: datetime, classroom_id: int | None = None) -> list[ShiftLine]:
    """The shifts, of one classroom or all, that start from `start` until just before `before`, the earliest first."""
    starts_then = (Shift.starts_at >= start) & (Shift.starts_at < before) & Shift.deleted_at.is_(None)
    return _lines(starts_then if classroom_id is None else starts_then & (Shift.classroom_id == classroom_id))


def shifts_of(shift_ids: Collection[int]) -> list[ShiftLine]:
    """These shifts, the earliest first; those that are deleted are left out."""
    return _lines(Shift.id.in_(shift_ids) & Shift.deleted_at.is_(None))


def get_shift(shift_id: int) -> ShiftLine | None:
    """One shift, even a deleted one."""
    return next(iter(_lines(Shift.id == shift_id)), None)


def unreachable_tutors(at: datetime) -> list[Unreachable]:
    """Who teaches a confirmed shift after `at` and would not be told; whoever has the earliest shift first."""
    to_come = (Shift.starts_at > at) & (Shift.status == ShiftStatus.CONFIRMED) & Shift.deleted_at.is_(None)
    first: dict[int, Unreachable] = {}
    for line in _lines(to_come & is_reachable().is_not(true())):
        if line.unreachable is not None:
            one = Unreachable(line.tutor_id, line.tutor, line.unreachable, line.id, line.starts_at)
            first.setdefault(line.tutor_id, one)
    return list(first.values())


def shifts_to_come(tutor_id: int, at: datetime) -> int:
    """How many shifts, drafts included, somebody has after `at`."""
    theirs = (Shift.tutor_id == tutor_id) & (Shift.starts_at > at) & Shift.deleted_at.is_(None)
    return db.session.scalar(select(func.count()).select_from(Shift).where(theirs)) or 0


def not_reached(account_ids: Collection[int]) -> list[NotReached]:
    """Those of these accounts who take no LINE messages now, by name."""
    rows = db.session.execute(
        select(Account, LineLink)
        .outerjoin(LineLink, LineLink.account_id == Account.id)
        .where(Account.id.in_(account_ids), is_reachable().is_not(true()))
        .order_by(Account.name, Account.id)
    )
    found = ((account, why_not(account, link)) for account, link in rows)
    return [NotReached(account.id, account.name, why) for account, why in found if why is not None]


def classroom_names() -> dict[int, str]:
    """Every classroom's name by its id, in the order of the names."""
    rows = db.session.execute(select(Classroom.id, Classroom.name).order_by(Classroom.name))
    return dict(rows.all())


def is_known(external_id: str) -> bool:
    """Whether a shift, even a deleted one, has this external id."""
    return db.session.scalar(select(Shift.id).where(Shift.external_id == external_id)) is not None


def _lines(which: ColumnElement[bool]) -> list[ShiftLine]:
    shifts = (
        select(Shift, Account, Classroom.name, LineLink)
        .join(Account, Account.id == Shift.tutor_id)
        .join(Classroom, Classroom.id == Shift.classroom_id)
        .outerjoin(LineLink, LineLink.account_id == Account.id)
        .where(which)
        .order_by(Shift.starts_at, Classroom.name, Account.name, Shift.id)
    )
    return [_line(*row) for row in db.session.execute(shifts)]


def _line(shift: Shift, tutor: Account, classroom: str, link: LineLink | None) -> ShiftLine:
    return ShiftLine(
        id=shift.id,
        external_id=shift.external_id,
        tutor_id=shift.tutor_id,
        tutor=called(tutor.name),
        classroom_id=shift.classroom_id,
        classroom=classroom,
        starts_at=shift.starts_at,
        ends_at=shift.ends_at,
        status=ShiftStatus(shift.status),
        version=shift.version,
        note=shift.note,
        deleted=shift.deleted_at is not None,
        unreachable=why_not(tutor, link),
    )
