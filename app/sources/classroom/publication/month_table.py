"""Drawing a month's table from the shifts as they stand; for which no transaction is kept open."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from pathlib import Path
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, func, select

from app.accounts.models import Account
from app.clock import now
from app.extensions import db
from app.names import called
from app.sources.classroom.models import Classroom, Shift, ShiftStatus
from app.sources.classroom.publication.publish import following, next_revision
from app.sources.classroom.publication.table.drawing import Drawing, draw
from app.sources.classroom.publication.table.edition import Edition
from app.sources.classroom.publication.table.fonts import faces
from app.sources.classroom.publication.table.layout import TableShift, shift_table
from app.sources.classroom.seen import digest


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which table: of a month, by its first day, and of one classroom or, for None, of all."""

    month: date
    classroom_id: int | None
    language: str
    zone: ZoneInfo


@dataclass(frozen=True, slots=True)
class Drawn:
    """A table, the number of the revision that stands on it, and the shifts it shows.

    `digest` names all that it says but its footer: as long as it is the same, drawing it again gives the same table.
    """

    drawing: Drawing
    revision: int
    shifts: Sequence[TableShift]
    digest: str


def draw_month(wanted: Wanted, font: Path | None) -> Drawn:
    """Draw the confirmed shifts of the month.

    Raises NoShifts, FontMissing, and InvalidInput for a table too tall for one picture.
    """
    revision = next_revision(wanted.month, wanted.classroom_id)
    edition = Edition(
        wanted.month.year, wanted.month.month, _classroom(wanted), wanted.language, wanted.zone, revision, now()
    )  # fmt: skip
    shifts = shifts_of_table(wanted)
    db.session.close()  # drawing takes its time, and no transaction waits for it
    table = shift_table(edition, shifts)
    return Drawn(draw(table, faces(font)), revision, shifts, digest(replace(table, footer="")))


def confirmed_shifts(wanted: Wanted) -> int:
    """How many shifts the table would show."""
    return db.session.scalar(select(func.count()).select_from(Shift).where(*_which(wanted))) or 0


def _classroom(wanted: Wanted) -> str | None:
    return db.session.scalar(select(Classroom.name).where(Classroom.id == wanted.classroom_id))


def shifts_of_table(wanted: Wanted) -> list[TableShift]:
    """The shifts that the table would show now."""
    rows = db.session.execute(
        select(Account.id, Account.name, Classroom.name, Shift.starts_at, Shift.ends_at)
        .select_from(Shift)
        .join(Account, Account.id == Shift.tutor_id)
        .join(Classroom, Classroom.id == Shift.classroom_id)
        .where(*_which(wanted))
        .order_by(Shift.id)
    )
    return [
        TableShift(tutor_id, called(tutor), classroom, starts_at, ends_at)
        for tutor_id, tutor, classroom, starts_at, ends_at in rows
    ]


def _which(wanted: Wanted) -> tuple[ColumnElement[bool], ...]:
    start, before = month_bounds(wanted.month, wanted.zone)
    of_month = (Shift.starts_at >= start, Shift.starts_at < before)
    told = (Shift.status == ShiftStatus.CONFIRMED, Shift.deleted_at.is_(None))
    return (*of_month, *told, *([Shift.classroom_id == wanted.classroom_id] if wanted.classroom_id else []))


def month_bounds(month: date, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """The first instant of a month, and the first after it."""
    return datetime.combine(month, time(), zone), datetime.combine(following(month), time(), zone)
