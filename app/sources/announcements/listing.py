"""What pages show of announcements: plain values, of what the reader may see."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, select, true

from app.accounts.models import Account
from app.extensions import db
from app.kinds import Reader
from app.names import called
from app.sources.announcements.audience import for_reader
from app.sources.announcements.fields import Fields
from app.sources.announcements.models import Announcement, Phase
from app.sources.announcements.texts import fields_of


@dataclass(frozen=True, slots=True)
class AnnouncementLine:
    """One announcement with everything that is written into it."""

    id: int
    phase: Phase
    fields: Fields
    revision: int
    edition: int
    author: str
    created_at: datetime
    publish_at: datetime | None
    published_at: datetime | None
    edited_at: datetime | None
    archived_at: datetime | None


def announcements(phase: Phase, before: int | None, size: int) -> list[AnnouncementLine]:
    """The newest of this phase, from just before this id: for authors, who see all of them."""
    return _lines(Announcement.phase == phase, before, size)


def announcements_for(reader: Reader, before: int | None, size: int) -> list[AnnouncementLine]:
    """The newest that are published for readers such as this one, from just before this id."""
    return _lines(for_reader(reader), before, size)


def get_announcement(announcement_id: int) -> AnnouncementLine | None:
    """One, whatever its phase: for authors."""
    return _first(Announcement.id == announcement_id)


def get_announcement_for(reader: Reader, announcement_id: int) -> AnnouncementLine | None:
    """One that is published for readers such as this one; else None."""
    return _first((Announcement.id == announcement_id) & for_reader(reader))


def _first(which: ColumnElement[bool]) -> AnnouncementLine | None:
    return next(iter(_lines(which, None, 1)), None)


def _lines(which: ColumnElement[bool], before: int | None, size: int) -> list[AnnouncementLine]:
    earlier = Announcement.id < before if before is not None else true()
    found = db.session.execute(
        select(Announcement, Account.name)
        .join(Account, Account.id == Announcement.created_by)
        .where(which, earlier)
        .order_by(Announcement.id.desc())
        .limit(size)
    ).all()
    written = fields_of([row.id for row, _ in found])
    return [_line(row, called(author), written) for row, author in found]


def _line(row: Announcement, author: str, written: dict[int, Fields]) -> AnnouncementLine:
    return AnnouncementLine(
        id=row.id,
        phase=Phase(row.phase),
        fields=written[row.id],
        revision=row.revision,
        edition=row.edition,
        author=author,
        created_at=row.created_at,
        publish_at=row.publish_at,
        published_at=row.published_at,
        edited_at=row.edited_at,
        archived_at=row.archived_at,
    )
