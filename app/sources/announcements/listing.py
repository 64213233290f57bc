"""What pages show of announcements: plain values, of what the reader may see."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Select, literal, select, true, tuple_
from sqlalchemy.orm import InstrumentedAttribute

from app.accounts.models import Account
from app.columns import UtcDateTime
from app.extensions import db
from app.kinds import Reader
from app.names import called
from app.place import Place
from app.sources.announcements.audience import for_reader
from app.sources.announcements.fields import Fields
from app.sources.announcements.models import Announcement, Phase
from app.sources.announcements.texts import fields_of


@dataclass(frozen=True, slots=True)
class AnnouncementLine:
    """One announcement with everything that is written into it. `since`: when it came into its phase."""

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
    since: datetime


@dataclass(frozen=True, slots=True)
class Page:
    """Newest first. `next` is None on the last page."""

    lines: Sequence[AnnouncementLine]
    next: Place | None


def announcements(phase: Phase, after: Place | None, size: int) -> Page:
    """Those of this phase, by when they came into it: for authors, who see all of them."""
    return _page(Announcement.phase == phase, _SINCE[phase], after, size)


def announcements_for(reader: Reader, after: Place | None, size: int) -> Page:
    """Those that are published for readers such as this one."""
    return _page(for_reader(reader), _SINCE[Phase.PUBLISHED], after, size)


def get_announcement(announcement_id: int) -> AnnouncementLine | None:
    """One, whatever its phase: for authors."""
    return _first(Announcement.id == announcement_id)


def get_announcement_for(reader: Reader, announcement_id: int) -> AnnouncementLine | None:
    """One that is published for readers such as this one; else None."""
    return _first((Announcement.id == announcement_id) & for_reader(reader))


def _first(which: ColumnElement[bool]) -> AnnouncementLine | None:
    return next(iter(_lines(_written_by().where(which))), None)


_SINCE: dict[Phase, InstrumentedAttribute[Any]] = {
    Phase.DRAFT: Announcement.created_at,
    Phase.PUBLISHED: Announcement.published_at,
    Phase.ARCHIVED: Announcement.archived_at,
}


def _page(which: ColumnElement[bool], since: InstrumentedAttribute[Any], after: Place | None, size: int) -> Page:
    place = tuple_(since, Announcement.id)
    rows = _written_by().where(which, place < _at(after) if after is not None else true())
    found = _lines(rows.order_by(since.desc(), Announcement.id.desc()).limit(size + 1))
    last = found[size - 1] if len(found) > size else None
    return Page(found[:size], Place(last.since, last.id) if last is not None else None)


def _at(place: Place) -> ColumnElement[Any]:
    return tuple_(literal(place.at, UtcDateTime), literal(place.id, BigInteger))


def _written_by() -> Select[Announcement, str]:
    return select(Announcement, Account.name).join(Account, Account.id == Announcement.created_by)


def _lines(rows: Select[Announcement, str]) -> list[AnnouncementLine]:
    found = db.session.execute(rows).all()
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
        since=getattr(row, _SINCE[Phase(row.phase)].key),
    )
