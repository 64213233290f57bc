"""Whether a shift table is still to be sent: not replaced, not withdrawn."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from flask import current_app
from sqlalchemy import func, select
from sqlalchemy.orm import aliased

from app.codes import CancelReason
from app.config import Settings
from app.extensions import db
from app.kinds import Cancel, Due, Send, Verdict
from app.outbox.models import Delivery
from app.outbox.state import State
from app.sources.classroom.models import Classroom, Publication
from app.sources.classroom.table_message import table_message


@dataclass(frozen=True, slots=True)
class Published:
    """A publication as it stands now."""

    id: int
    month: date
    classroom: str | None
    revision: int
    document_id: str
    withdrawn: bool
    replaced: bool


def recheck_tables(deliveries: Sequence[Due]) -> dict[int, Verdict]:
    """A verdict for each; two queries."""
    tables = published({due.subject_id for due in deliveries})
    updated = _sent_before(deliveries)
    settings: Settings = current_app.config["SETTINGS"]
    return {due.id: _verdict(due, tables.get(due.subject_id), due.id in updated, settings) for due in deliveries}


def published(publication_ids: Collection[int]) -> Mapping[int, Published]:
    """These publications by their ids; one query."""
    newer = aliased(Publication)
    newest = (
        select(func.max(newer.revision))
        .where(newer.month == Publication.month, newer.classroom_id.is_not_distinct_from(Publication.classroom_id))
        .scalar_subquery()
    )
    rows = db.session.execute(
        select(Publication, Classroom.name, newest)
        .outerjoin(Classroom, Classroom.id == Publication.classroom_id)
        .where(Publication.id.in_(publication_ids))
    )
    return {one.id: _published(one, classroom, revision) for one, classroom, revision in rows}


def _published(one: Publication, classroom: str | None, newest: int) -> Published:
    withdrawn, replaced = one.withdrawn_at is not None, one.revision < newest
    return Published(one.id, one.month, classroom, one.revision, one.document_id, withdrawn, replaced)


def _verdict(due: Due, table: Published | None, updated: bool, settings: Settings) -> Verdict:
    if table is None:
        return Cancel(CancelReason.SUBJECT_DELETED)
    if table.withdrawn:
        return Cancel(CancelReason.PUBLICATION_WITHDRAWN)
    if table.replaced:
        return Cancel(CancelReason.PUBLICATION_REPLACED)
    url = settings.document_url(table.document_id)
    return Send(table_message(table.month, table.classroom, updated, url, due.language))


def _sent_before(deliveries: Sequence[Due]) -> set[int]:
    """Those whose group already got a revision of the same month and classroom: for it, this one is an update."""
    this, earlier, ours, theirs = aliased(Delivery), aliased(Delivery), aliased(Publication), aliased(Publication)
    rows = (
        select(this.id)
        .join(ours, ours.id == this.subject_id)
        .join(theirs, theirs.month == ours.month)
        .join(earlier, earlier.subject_id == theirs.id)
        .where(
            this.id.in_([due.id for due in deliveries]),
            theirs.classroom_id.is_not_distinct_from(ours.classroom_id),
            earlier.kind == this.kind,
            earlier.address_type == this.address_type,
            earlier.address_id == this.address_id,
            earlier.state == State.SENT,
        )
    )
    return set(db.session.scalars(rows))
