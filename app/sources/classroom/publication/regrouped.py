"""What became of a shift table whose group was changed before it was sent."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select

from app.codes import CancelReason
from app.extensions import db
from app.outbox.models import Delivery
from app.outbox.state import State
from app.sources.classroom.publication.publish import SUBJECT
from app.sources.classroom.publication.published import PublishedTable
from app.sources.classroom.publication.receivers import receivers


@dataclass(frozen=True, slots=True)
class Regrouped:
    """The groups that it was not sent to because they no longer get it, and those that get it now and have not."""

    left: Sequence[str]
    without: Sequence[str]


def regrouped(table: PublishedTable, default: str | None) -> Regrouped | None:
    """None where no group was changed before it was sent. `default` is LINE_GROUP_ID. Reads only."""
    about = (Delivery.subject_type == SUBJECT) & (Delivery.subject_id == table.id)
    deliveries = db.session.scalars(select(Delivery).where(about).order_by(Delivery.id)).all()
    left = [one.address_label for one in deliveries if one.cancel_reason == CancelReason.ADDRESS_CHANGED]
    if not left:
        return None
    there = {one.address_id for one in deliveries if one.state != State.CANCELED}
    now = receivers(table.classroom_id, default)
    return Regrouped(left, [group.name for group in now if group.id not in there])
