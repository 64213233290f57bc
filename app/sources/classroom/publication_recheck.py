"""Whether a shift table is still to be sent: not replaced, not withdrawn."""

from collections.abc import Sequence

from flask import current_app
from sqlalchemy import select
from sqlalchemy.orm import aliased

from app.codes import CancelReason
from app.config import Settings
from app.extensions import db
from app.kinds import Cancel, Due, Send, Verdict
from app.outbox.models import Delivery
from app.outbox.state import State
from app.sources.classroom.models import Publication
from app.sources.classroom.published import PublishedTable, tables_of
from app.sources.classroom.table_message import table_message


def recheck_tables(deliveries: Sequence[Due]) -> dict[int, Verdict]:
    """A verdict for each; two queries."""
    tables = tables_of({due.subject_id for due in deliveries})
    updated = _sent_before(deliveries)
    settings: Settings = current_app.config["SETTINGS"]
    return {due.id: _verdict(due, tables.get(due.subject_id), due.id in updated, settings) for due in deliveries}


def _verdict(due: Due, table: PublishedTable | None, updated: bool, settings: Settings) -> Verdict:
    if table is None:
        return Cancel(CancelReason.SUBJECT_DELETED)
    if table.withdrawn_at is not None:
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
