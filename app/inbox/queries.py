"""What an inbox shows: list, count, poll and search are one readable-now query with different ends."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import ColumnElement, and_, func, select, tuple_

from app.extensions import db
from app.inbox.models import Notification
from app.inbox.readable import matching, readable_by
from app.kinds import INBOX_KINDS, Description, Reader

BADGE_STOPS_AT = 99
"""More than this are "99+": to know their exact number is worth nobody's wait."""


class Box(StrEnum):
    """Which part of an inbox."""

    ALL = "all"
    UNREAD = "unread"
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True)
class Place:
    """A row of the list: the next page begins right after it, whatever came or vanished meanwhile."""

    created_at: datetime
    id: int


@dataclass(frozen=True, slots=True)
class Item:
    """One notification as its reader may see it now. `path` is the page of its subject."""

    id: int
    kind: str
    title: str
    body: str
    path: str | None
    created_at: datetime
    read: bool
    archived: bool


@dataclass(frozen=True, slots=True)
class Page:
    """Newest first. `next` is None on the last page."""

    items: Sequence[Item]
    next: Place | None


def page(reader: Reader, box: Box, words: str, after: Place | None, size: int, language: str) -> Page:
    """One page of what this reader may see; neither skips nor repeats, also when many share one instant."""
    rows = select(Notification).where(readable_by(reader.account_id), _in_box(box))
    if words:
        rows = rows.where(matching(words))
    if after is not None:
        rows = rows.where(tuple_(Notification.created_at, Notification.id) < tuple_(after.created_at, after.id))
    newest_first = rows.order_by(Notification.created_at.desc(), Notification.id.desc())
    found = list(db.session.scalars(newest_first.limit(size + 1)))
    shown = found[:size]
    following = Place(shown[-1].created_at, shown[-1].id) if len(found) > size else None
    return Page(_items(shown, reader, language), following)


def unread(reader: Reader) -> int:
    """How many wait to be read, but at most one more than the badge shows."""
    waiting = select(Notification.id).where(readable_by(reader.account_id), _in_box(Box.UNREAD))
    return db.session.scalar(select(func.count()).select_from(waiting.limit(BADGE_STOPS_AT + 1).subquery())) or 0


def find(reader: Reader, notification_id: int, language: str) -> Item | None:
    """One notification; None if there is none that this reader may see."""
    row = db.session.scalar(
        select(Notification).where(Notification.id == notification_id, readable_by(reader.account_id))
    )
    return next(iter(_items([row], reader, language)), None) if row is not None else None


def newer_than(reader: Reader, newest: Place | None) -> int:
    """How many arrived in the inbox since this one, but at most one more than the badge shows."""
    rows = select(Notification.id).where(readable_by(reader.account_id), _in_box(Box.ALL))
    if newest is not None:
        rows = rows.where(tuple_(Notification.created_at, Notification.id) > tuple_(newest.created_at, newest.id))
    return db.session.scalar(select(func.count()).select_from(rows.limit(BADGE_STOPS_AT + 1).subquery())) or 0


def _in_box(box: Box) -> ColumnElement[bool]:
    if box is Box.ARCHIVED:
        return Notification.archived_at.is_not(None)
    here = Notification.archived_at.is_(None)
    return and_(here, Notification.read_at.is_(None)) if box is Box.UNREAD else here


def _items(rows: Collection[Notification], reader: Reader, language: str) -> list[Item]:
    texts = _texts(rows, reader, language)
    return [_item(row, texts[row.kind][row.subject_id]) for row in rows if row.subject_id in texts[row.kind]]


def _texts(rows: Collection[Notification], reader: Reader, language: str) -> Mapping[str, Mapping[int, Description]]:
    subjects: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        subjects[row.kind].append(row.subject_id)
    return {name: INBOX_KINDS[name].describe(sorted(set(ids)), reader, language) for name, ids in subjects.items()}


def _item(row: Notification, said: Description) -> Item:
    return Item(
        id=row.id,
        kind=row.kind,
        title=said.title,
        body=said.body,
        path=said.link,
        created_at=row.created_at,
        read=row.read_at is not None,
        archived=row.archived_at is not None,
    )
