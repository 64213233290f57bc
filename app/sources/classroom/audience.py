"""Who is to be told of which shift: tutors who can be reached."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select

from app.accounts.models import Account
from app.codes import CancelReason
from app.extensions import db
from app.reach.models import LineLink
from app.sources.classroom.models import Shift, ShiftStatus

WINDOW = timedelta(hours=2, minutes=15)
"""How long before its start a shift is reminded of: two hours, and a whole interval of the scan."""


@dataclass(frozen=True, slots=True)
class Upcoming:
    """A shift that is about to start, and how its tutor is reached."""

    shift_id: int
    version: int
    classroom_id: int
    starts_at: datetime
    tutor_id: int
    tutor: str
    link_id: int


def upcoming(at: datetime) -> list[Upcoming]:
    """The confirmed shifts that start within the window after `at`, whose tutor is active and takes LINE messages."""
    about_to_start = (Shift.starts_at > at) & (Shift.starts_at <= at + WINDOW)
    confirmed = (Shift.status == ShiftStatus.CONFIRMED) & Shift.deleted_at.is_(None)
    rows = db.session.execute(
        select(
            Shift.id, Shift.version, Shift.classroom_id, Shift.starts_at, Account.id, Account.name, LineLink.id
        )
        .join(Account, Account.id == Shift.tutor_id)
        .join(LineLink, LineLink.account_id == Account.id)
        .where(about_to_start, confirmed, Account.active, LineLink.enabled)
        .order_by(Shift.starts_at, Shift.id)
    )  # fmt: skip
    return [Upcoming(*row) for row in rows]


def unreachable(account: Account, link: LineLink | None) -> CancelReason | None:
    """Why a tutor cannot be told anything now; None when they can."""
    if not account.active:
        return CancelReason.RECIPIENT_DISABLED
    return None if link is not None and link.enabled else CancelReason.LINE_DISABLED
