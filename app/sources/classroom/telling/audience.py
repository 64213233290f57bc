"""Which shifts have something to tell, and who of those concerned can be reached."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, CompoundSelect, and_, or_, select, union

from app.accounts.models import Account
from app.columns import there_is
from app.extensions import db
from app.outbox.models import Delivery
from app.outbox.queries import may_have_arrived
from app.outbox.state import State
from app.reach.models import LineLink
from app.reach.preferences import LINE
from app.reach.reachable import is_reachable
from app.sources.classroom.models import Shift, ShiftStatus, ShiftTold, ShiftVersion
from app.sources.classroom.telling.beliefs import SUBJECT
from app.sources.classroom.telling.plans import WINDOW


@dataclass(frozen=True, slots=True)
class Reachable:
    """Somebody who takes LINE messages."""

    account_id: int
    name: str
    link_id: int


def shifts_with_news(at: datetime) -> list[int]:
    """The shifts that start within the window, and those that changed since somebody was, or may have been, told."""
    about_to_start = and_(Shift.starts_at > at, Shift.starts_at <= at + WINDOW)
    confirmed = and_(Shift.status == ShiftStatus.CONFIRMED, Shift.deleted_at.is_(None))
    found = union(
        select(Shift.id).where(about_to_start, confirmed),
        select(Shift.id).where(Shift.id.in_(_that_lie_ahead(at)), _said_something_else(at)),
    )
    return sorted(db.session.scalars(found))


def _that_lie_ahead(at: datetime) -> CompoundSelect[int]:
    """Those that changed and are yet to start, or of which something yet to start was, or may have been, told.

    Each by an index of its own, so that years of what is over cost nothing.
    """
    unsent = and_(Delivery.subject_type == SUBJECT, Delivery.state != State.SENT, Delivery.channel == LINE)
    return union(
        select(Shift.id).where(Shift.version > 1, Shift.starts_at > at),
        select(ShiftTold.shift_id).where(ShiftTold.starts_at > at),
        # It expires when the last of what it speaks of starts.
        select(Delivery.subject_id).where(unsent, Delivery.expires_at > at),
    )


def _said_something_else(at: datetime) -> ColumnElement[bool]:
    """SQL: whether an earlier version was, or may have been, told; and it, or the present one, is yet to start."""
    still_matters = or_(Shift.starts_at > at, ShiftVersion.starts_at > at)
    before = and_(ShiftVersion.shift_id == Shift.id, ShiftVersion.version < Shift.version, still_matters)
    told = and_(ShiftTold.shift_id == Shift.id, ShiftTold.version == ShiftVersion.version)
    perhaps = and_(
        Delivery.subject_type == SUBJECT,
        Delivery.subject_id == Shift.id,
        Delivery.subject_version == ShiftVersion.version,
        may_have_arrived(),
    )
    return or_(
        there_is(ShiftVersion, ShiftTold, where=and_(before, told)),
        there_is(ShiftVersion, Delivery, where=and_(before, perhaps)),
    )


def reachable(account_ids: Collection[int]) -> dict[int, Reachable]:
    """Those of these accounts that are active and take LINE messages, by their ids."""
    rows = db.session.execute(
        select(Account.id, Account.name, LineLink.id)
        .join(LineLink, LineLink.account_id == Account.id)
        .where(Account.id.in_(account_ids), is_reachable())
    )
    return {account_id: Reachable(account_id, name, link_id) for account_id, name, link_id in rows}
