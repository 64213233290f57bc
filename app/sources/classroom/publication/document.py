"""Who may see a published table: whoever plans shifts, and whoever has one in it."""

from zoneinfo import ZoneInfo

from sqlalchemy import and_, select

from app.accounts.models import STAFF
from app.columns import there_is
from app.extensions import db
from app.kinds import Reader
from app.sources.classroom.models import Shift, ShiftStatus
from app.sources.classroom.publication.month_table import month_bounds
from app.sources.classroom.publication.published import PublishedTable, by_document


def document_for(reader: Reader, document_id: str, zone: ZoneInfo) -> PublishedTable | None:
    """The table that this id opens for this reader; None if there is none, or it is not for them.

    A member sees the table of a classroom where they have a confirmed shift in that month, and the table of all
    classrooms if they have one anywhere.
    """
    table = by_document(document_id)
    if table is None or not (reader.role in STAFF or _works_there(reader.account_id, table, zone)):
        return None
    return table


def _works_there(account_id: int, table: PublishedTable, zone: ZoneInfo) -> bool:
    start, before = month_bounds(table.month, zone)
    theirs = and_(
        Shift.tutor_id == account_id, Shift.status == ShiftStatus.CONFIRMED, Shift.deleted_at.is_(None),
        Shift.starts_at >= start, Shift.starts_at < before,
    )  # fmt: skip
    if table.classroom_id is not None:
        theirs &= Shift.classroom_id == table.classroom_id
    return bool(db.session.scalar(select(there_is(Shift, where=theirs))))
