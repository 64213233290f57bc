"""What an inbox shows: list, count, poll and search are one readable-now query with different ends."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any

from flask_babel import force_locale
from sqlalchemy import BigInteger, ColumnElement, Select, and_, bindparam, func, literal, select, tuple_

from app.columns import UtcDateTime
from app.extensions import db
from app.inbox.models import Notification
from app.inbox.readable import matching, readable_by, readable_to
from app.kinds import INBOX_KINDS, Description, InboxKind, Reader
from app.place import Place

_place = tuple_(Notification.created_at, Notification.id)
_newest_first = (Notification.created_at.desc(), Notification.id.desc())

BADGE_STOPS_AT = 99
"""More than this are "99+": to know their exact number is worth nobody's wait."""


class Box(StrEnum):
    """Which part of an inbox."""

    ALL = "all"
    UNREAD = "unread"
    ARCHIVED = "archived"


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


def page(
    reader: Reader,
    box: Box,
    words: str,
    after: Place | None,
    size: int,
    language: str,
    newest: Place | None = None,
    through: Place | None = None,
) -> Page:
    """What this reader may see of a box; neither skips nor repeats, also when many share one instant.

    Begins right after `after`; shows nothing newer than `newest`, and with `through` everything down to that place,
    but never more than `size`.
    """
    rows = select(Notification).where(_shown_in(reader, box, words))
    if after is not None:
        rows = rows.where(_place < _at(after))
    if newest is not None:
        rows = rows.where(_place <= _at(newest))
    if through is not None:
        rows = rows.where(_place >= _at(through))
    found = list(db.session.scalars(rows.order_by(*_newest_first).limit(size + 1)))
    shown = found[:size]
    following = Place(shown[-1].created_at, shown[-1].id) if len(found) > size else through
    return Page(_items(shown, language), following)


def unread(reader: Reader) -> int:
    """How many wait to be read, but at most one more than the badge shows."""
    kinds = _kinds_unread(reader)
    return db.session.scalar(_unread(kinds), {"reader": reader.account_id}) or 0 if kinds else 0


def _kinds_unread(reader: Reader) -> tuple[InboxKind, ...]:
    """What may wait for this reader: on PostgreSQL, planning for the rights of every kind takes ten times as long as
    the answer, and most readers have few kinds or none."""
    newest = list(db.session.scalars(_NEWEST_UNREAD, {"reader": reader.account_id}))
    seen_all = len(newest) <= BADGE_STOPS_AT
    return tuple(kind for name, kind in sorted(INBOX_KINDS.items()) if name in newest or not seen_all)


@lru_cache(maxsize=256)
def _unread(kinds: tuple[InboxKind, ...]) -> Select[int]:
    """Built once: every page asks, and building it takes longer than its answer."""
    readable = readable_to(bindparam("reader", type_=BigInteger), kinds)
    return _number_of(select(Notification.id).where(readable, _in_box(Box.UNREAD)))


def newer_than(reader: Reader, box: Box, words: str, newest: Place) -> int:
    """How many came into this box since this one, but at most one more than the badge shows."""
    return _counted(select(Notification.id).where(_shown_in(reader, box, words), _place > _at(newest)))


def find(reader: Reader, notification_id: int, language: str) -> Item | None:
    """One notification; None if there is none that this reader may see."""
    row = db.session.scalar(
        select(Notification).where(Notification.id == notification_id, readable_by(reader.account_id))
    )
    return next(iter(_items([row], language)), None) if row is not None else None


def _counted(rows: Select[int]) -> int:
    return db.session.scalar(_number_of(rows)) or 0


def _number_of(rows: Select[int]) -> Select[int]:
    # In the order of the page, though a number needs none: else PostgreSQL takes the limit for a reason to go through
    # the table from its beginning, and somebody's newest stand at its end.
    rows = rows.order_by(*_newest_first)
    return select(func.count()).select_from(rows.limit(BADGE_STOPS_AT + 1).subquery())


def _at(place: Place) -> ColumnElement[Any]:
    return tuple_(literal(place.at, UtcDateTime), literal(place.id, BigInteger))


def _shown_in(reader: Reader, box: Box, words: str) -> ColumnElement[bool]:
    shown = and_(readable_by(reader.account_id), _in_box(box))
    return and_(shown, matching(words)) if words else shown


def _in_box(box: Box) -> ColumnElement[bool]:
    if box is Box.ARCHIVED:
        return Notification.archived_at.is_not(None)
    here = Notification.archived_at.is_(None)
    return and_(here, Notification.read_at.is_(None)) if box is Box.UNREAD else here


def _newest_unread() -> Select[str]:
    whose = Notification.account_id == bindparam("reader", type_=BigInteger)
    rows = select(Notification.kind).where(whose, _in_box(Box.UNREAD)).order_by(*_newest_first)
    return rows.limit(BADGE_STOPS_AT + 1)


_NEWEST_UNREAD = _newest_unread()


def _items(rows: Collection[Notification], language: str) -> list[Item]:
    texts = _texts(rows, language)
    return [_item(row, texts[row.kind][row.subject_id]) for row in rows if row.subject_id in texts[row.kind]]


def _texts(rows: Collection[Notification], language: str) -> Mapping[str, Mapping[int, Description]]:
    """By kind and subject. The rows were found by the reader's rights, so each says its own text."""
    subjects: dict[str, set[int]] = defaultdict(set)
    for row in rows:
        subjects[row.kind].add(row.subject_id)
    with force_locale(language):
        return {name: INBOX_KINDS[name].texts(ids) for name, ids in subjects.items()}


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
