"""Whether a shift table is still to be sent: not replaced, not withdrawn, and to a group that still gets it."""

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
from app.sources.classroom.publication.message import table_message
from app.sources.classroom.publication.published import tables_of
from app.sources.classroom.publication.receivers import receiving_ids


def recheck_tables(deliveries: Sequence[Due]) -> dict[int, Verdict]:
    """A verdict for each; five queries."""
    tables = tables_of({due.subject_id for due in deliveries})
    settings: Settings = current_app.config["SETTINGS"]
    groups = receiving_ids({table.classroom_id for table in tables.values()}, settings.line_group_id)
    held_to = _perhaps_accepted(deliveries)
    updated = _sent_before(deliveries)

    def verdict(due: Due) -> Verdict:
        table = tables.get(due.subject_id)
        if table is None:
            return Cancel(CancelReason.SUBJECT_DELETED)
        if table.withdrawn_at is not None:
            return Cancel(CancelReason.PUBLICATION_WITHDRAWN)
        if table.replaced:
            return Cancel(CancelReason.PUBLICATION_REPLACED)
        if due.address.id not in groups[table.classroom_id] and due.id not in held_to:
            return Cancel(CancelReason.ADDRESS_CHANGED)
        url = settings.document_url(table.document_id)
        return Send(table_message(table.month, table.classroom, due.id in updated, url, due.language))

    return {due.id: verdict(due) for due in deliveries}


def _perhaps_accepted(deliveries: Sequence[Due]) -> set[int]:
    """Those that LINE may have accepted under their present key.

    Whatever group was chosen since, the old one may have it: the same request goes out once more under the same key,
    which brings no second copy and finds out.
    """
    rows = select(Delivery.id).where(Delivery.id.in_([due.id for due in deliveries]), Delivery.key_ambiguous)
    return set(db.session.scalars(rows))


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
