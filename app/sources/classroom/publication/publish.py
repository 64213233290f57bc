"""Publishing a month's shift table to LINE groups, and withdrawing it."""

from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from sqlalchemy import func, select, update

from app.audit import Actor
from app.clock import now
from app.codes import CancelReason
from app.extensions import db
from app.outbox import transitions
from app.outbox.enqueue import NewDelivery, enqueue
from app.outbox.models import Delivery
from app.reach.groups import group_of_settings
from app.reach.models import LineGroup
from app.reach.resolve import LINE_GROUP
from app.sources.classroom.models import Publication, PublicationImage
from app.sources.classroom.publication.receivers import goes_to_default, own_groups
from app.tokens import document_id
from app.transaction import Transaction

KIND = "shift_table"
SUBJECT = "publication"


class NoGroupError(Exception):
    """No LINE group is there to get the table."""


def receiving_groups(tx: Transaction, classroom_id: int | None, default: str | None) -> list[LineGroup]:
    """The LINE groups that get a table. `default` is LINE_GROUP_ID.

    A classroom's own group, else the default; a table of all classrooms goes to the default, else to every group
    that some classroom has.
    """
    own = own_groups(classroom_id)
    if default and goes_to_default(classroom_id, own, default):
        own = [group_of_settings(tx, default)]
    return list(tx.session.scalars(select(LineGroup).where(LineGroup.id.in_(own)).order_by(LineGroup.id)))


def publish(
    tx: Transaction,
    actor: Actor,
    *,
    month: date,
    classroom_id: int | None,
    png: bytes,
    request_id: str,
    default_group: str | None,
    zone: ZoneInfo,
) -> int:
    """Store a revision and owe it to its groups, once for each `request_id`; returns the publication's id.

    The picture was made or checked before the transaction. Raises NoGroupError when nobody would get it.
    """
    tx.lock(Publication)  # of two who publish at once, the second makes the next revision
    groups = receiving_groups(tx, classroom_id, default_group)
    if not groups:
        raise NoGroupError
    made: int | None = tx.session.scalar(
        tx.insert(Publication)
        .values(
            month=month, classroom_id=classroom_id, revision=next_revision(month, classroom_id), created_at=now(),
            document_id=document_id(), request_id=request_id, created_by=actor.name,
        )
        .on_conflict_do_nothing(index_elements=["request_id"])
        .returning(Publication.id)
    )  # fmt: skip
    if made is None:
        return _published_by(tx, request_id)
    tx.session.add(PublicationImage(publication_id=made, png=png))
    enqueue(tx, [_delivery(made, classroom_id, group, _end_of(month, zone)) for group in groups])
    return made


def withdraw(tx: Transaction, publication_id: int) -> bool:
    """Stop showing and owing a publication; False when it was withdrawn before."""
    shown = (Publication.id == publication_id) & Publication.withdrawn_at.is_(None)
    withdrawn = update(Publication).where(shown).values(withdrawn_at=now()).returning(Publication.id)
    if tx.session.scalar(withdrawn) is None:
        return False
    about = (Delivery.subject_type == SUBJECT) & (Delivery.subject_id == publication_id)
    owed = list(tx.session.scalars(select(Delivery.id).where(about)))
    transitions.cancel(tx, owed, CancelReason.PUBLICATION_WITHDRAWN)
    return True


def next_revision(month: date, classroom_id: int | None) -> int:
    """The number that the next revision of this table will have, as things stand."""
    same = (Publication.month == month) & Publication.classroom_id.is_not_distinct_from(classroom_id)
    return (db.session.scalar(select(func.max(Publication.revision)).where(same)) or 0) + 1


def is_published(request_id: str) -> bool:
    """Whether the form with this id has made its publication."""
    return db.session.scalar(select(Publication.id).where(Publication.request_id == request_id)) is not None


def _published_by(tx: Transaction, request_id: str) -> int:
    return tx.session.scalars(select(Publication.id).where(Publication.request_id == request_id)).one()


def _delivery(publication_id: int, classroom_id: int | None, group: LineGroup, expires_at: datetime) -> NewDelivery:
    return NewDelivery(
        kind=KIND,
        channel="line",
        dedup_key=f"{KIND}:{publication_id}:{group.id}",
        subject_type=SUBJECT,
        subject_id=publication_id,
        subject_version=None,
        account_id=None,
        address_type=LINE_GROUP,
        address_id=group.id,
        address_label=group.name,
        scope=f"classroom:{classroom_id}" if classroom_id else None,
        gate_key="line",
        expires_at=expires_at,
    )


def _end_of(month: date, zone: ZoneInfo) -> datetime:
    """The first instant after the month: from then on its table is of no use to anybody."""
    return datetime.combine(following(month), time(), zone)


def following(month: date) -> date:
    """The first day of the month after."""
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)
