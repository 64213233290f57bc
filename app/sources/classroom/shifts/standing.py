"""Shifts as they stand now, as plain values."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from app.accounts.models import Account
from app.extensions import db
from app.names import called
from app.sources.classroom.models import Classroom, Shift, ShiftStatus
from app.sources.classroom.telling.plans import Plan, plan_for


@dataclass(frozen=True, slots=True)
class Standing:
    """One shift now, deleted ones included."""

    id: int
    version: int
    tutor_id: int
    tutor: str
    classroom_id: int
    classroom: str
    starts_at: datetime
    ends_at: datetime
    status: str
    deleted: bool

    def plan_for(self, account_id: int) -> Plan | None:
        """What this shift means for somebody now."""
        takes_place = self.status == ShiftStatus.CONFIRMED and not self.deleted
        plan = Plan(self.classroom_id, self.starts_at, self.ends_at)
        return plan_for(account_id, tutor_id=self.tutor_id, takes_place=takes_place, plan=plan)


def standing(shift_ids: Collection[int]) -> Mapping[int, Standing]:
    """These shifts by their ids; one query."""
    rows = db.session.execute(
        select(Shift, Account.name, Classroom.name)
        .join(Account, Account.id == Shift.tutor_id)
        .join(Classroom, Classroom.id == Shift.classroom_id)
        .where(Shift.id.in_(shift_ids))
    )
    return {shift.id: _standing(shift, tutor, classroom) for shift, tutor, classroom in rows}


def classroom_names(classroom_ids: Collection[int]) -> dict[int, str]:
    """The names of these classrooms by their ids."""
    rows = db.session.execute(select(Classroom.id, Classroom.name).where(Classroom.id.in_(classroom_ids)))
    return dict(rows.all())


def account_names(account_ids: Collection[int]) -> dict[int, str]:
    """The names of these accounts by their ids."""
    rows = db.session.execute(select(Account.id, Account.name).where(Account.id.in_(account_ids)))
    return {account_id: called(name) for account_id, name in rows}


def _standing(shift: Shift, tutor: str, classroom: str) -> Standing:
    return Standing(
        id=shift.id,
        version=shift.version,
        tutor_id=shift.tutor_id,
        tutor=called(tutor),
        classroom_id=shift.classroom_id,
        classroom=classroom,
        starts_at=shift.starts_at,
        ends_at=shift.ends_at,
        status=shift.status,
        deleted=shift.deleted_at is not None,
    )
