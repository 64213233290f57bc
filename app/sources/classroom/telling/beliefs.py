"""What each account was told of each shift, or may have been told."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from sqlalchemy import ColumnElement, and_, select
from sqlalchemy.orm import InstrumentedAttribute

from app.extensions import db
from app.outbox.models import Delivery
from app.outbox.queries import may_have_arrived
from app.sources.classroom.models import Shift, ShiftTold, ShiftVersion
from app.sources.classroom.telling.plans import Belief, Plan, Telling, plan_for

SUBJECT = "shift"


def beliefs(shift_ids: Collection[int]) -> dict[tuple[int, int], Belief]:
    """What is believed, by (shift, account). Two queries.

    A message of the present version counts only once it was sent: until then it is what is owed, not what is believed.
    """
    tellings: dict[tuple[int, int], list[Telling]] = defaultdict(list)
    for shift_id, account_id, telling in (*_told(shift_ids), *_perhaps_told(shift_ids)):
        tellings[shift_id, account_id].append(telling)
    return {key: _belief(some) for key, some in tellings.items()}


def _belief(tellings: Iterable[Telling]) -> Belief:
    """The last that was certainly told, and what may have arrived since: all before it is overtaken."""
    ordered = sorted(tellings, key=lambda one: (one.version, one.at.timestamp() if one.at else 0.0))
    certain = [place for place, telling in enumerate(ordered) if telling.at is not None]
    return Belief(tuple(ordered[certain[-1] :] if certain else ordered))


def _told(shift_ids: Collection[int]) -> Iterator[tuple[int, int, Telling]]:
    rows = db.session.execute(
        select(ShiftTold.account_id, ShiftTold.at, ShiftVersion)
        .join(ShiftVersion, _version_of(ShiftTold.shift_id, ShiftTold.version))
        .where(ShiftTold.shift_id.in_(shift_ids))
    )
    for account_id, at, version in rows:
        yield version.shift_id, account_id, Telling(version.version, plan_of(version, account_id), at)


def _perhaps_told(shift_ids: Collection[int]) -> Iterator[tuple[int, int, Telling]]:
    about = and_(Delivery.subject_type == SUBJECT, Delivery.subject_id.in_(shift_ids))
    rows = db.session.execute(
        select(Delivery.account_id, ShiftVersion)
        .join(Shift, Shift.id == Delivery.subject_id)
        .join(ShiftVersion, _version_of(Delivery.subject_id, Delivery.subject_version))
        .where(about, may_have_arrived(), Delivery.subject_version < Shift.version)
    )
    for account_id, version in rows:
        if account_id is not None:
            yield version.shift_id, account_id, Telling(version.version, plan_of(version, account_id), None)


def _version_of(shift_id: InstrumentedAttribute[int], version: InstrumentedAttribute[Any]) -> ColumnElement[bool]:
    return and_(ShiftVersion.shift_id == shift_id, ShiftVersion.version == version)


def plan_of(version: ShiftVersion, account_id: int) -> Plan | None:
    """What this version of a shift means for somebody."""
    plan = Plan(version.classroom_id, version.starts_at, version.ends_at)
    return plan_for(account_id, tutor_id=version.tutor_id, takes_place=version.takes_place, plan=plan)
