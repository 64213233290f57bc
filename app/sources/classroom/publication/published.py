"""Publications as pages show them: plain values."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import aliased

from app.extensions import db
from app.sources.classroom.models import Classroom, Publication, PublicationImage


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """One revision. `newest` is the document id of the newest revision of the same table that is not withdrawn."""

    id: int
    month: date
    classroom_id: int | None
    classroom: str | None
    revision: int
    document_id: str
    created_by: str
    created_at: datetime
    withdrawn_at: datetime | None
    newest: str | None

    @property
    def replaced(self) -> bool:
        """Whether a newer revision stands in its place."""
        return self.newest is not None and self.newest != self.document_id


def tables_of(publication_ids: Collection[int]) -> dict[int, PublishedTable]:
    """These publications by their ids; one query."""
    return {table.id: table for table in _tables(Publication.id.in_(publication_ids), None)}


def publications(before: int | None, size: int) -> list[PublishedTable]:
    """The publications made before the one with this id, or the newest ones, newest first."""
    return _tables(Publication.id < before if before else Publication.id > 0, size)


def get_publication(publication_id: int) -> PublishedTable | None:
    """One publication."""
    return next(iter(_tables(Publication.id == publication_id, 1)), None)


def by_document(document_id: str) -> PublishedTable | None:
    """The publication that a document id opens."""
    return next(iter(_tables(Publication.document_id == document_id, 1)), None)


def revisions_of(table: PublishedTable) -> list[PublishedTable]:
    """Every revision of the same table, newest first."""
    same = (Publication.month == table.month) & Publication.classroom_id.is_not_distinct_from(table.classroom_id)
    return _tables(same, None)


def image_of(publication_id: int) -> bytes | None:
    """The picture, a PNG."""
    return db.session.scalar(
        select(PublicationImage.png).where(PublicationImage.publication_id == publication_id)
    )  # fmt: skip


def _tables(which: ColumnElement[bool], size: int | None) -> list[PublishedTable]:
    newer = aliased(Publication)
    newest = (
        select(newer.document_id)
        .where(
            newer.month == Publication.month,
            newer.classroom_id.is_not_distinct_from(Publication.classroom_id),
            newer.withdrawn_at.is_(None),
            newer.revision >= Publication.revision,
        )
        .order_by(newer.revision.desc())
        .limit(1)
        .scalar_subquery()
    )
    rows = db.session.execute(
        select(Publication, Classroom.name, newest)
        .outerjoin(Classroom, Classroom.id == Publication.classroom_id)
        .where(which)
        .order_by(Publication.id.desc())
        .limit(size)
    )
    return [_table(one, classroom, document_id) for one, classroom, document_id in rows]


def _table(one: Publication, classroom: str | None, newest: str | None) -> PublishedTable:
    return PublishedTable(
        one.id, one.month, one.classroom_id, classroom, one.revision, one.document_id, one.created_by,
        one.created_at, one.withdrawn_at, newest,
    )  # fmt: skip
