"""Who did what to the ledger, newest first: acts on deliveries, gates and whatever else an operator works with."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Select, and_, select, true, tuple_, union_all

from app.audit import AuditEntry
from app.columns import unindexed
from app.extensions import db
from app.place import Place


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which acts: on subjects of these types; None means any. `who` is an account, `subject` a type and an id."""

    types: Collection[str]
    act: str | None = None
    who: int | None = None
    subject: tuple[str, int] | None = None
    since: datetime | None = None
    before: datetime | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Newest first. `next` is None on the last page."""

    entries: Sequence[AuditEntry]
    next: Place | None


def page(wanted: Wanted, after: Place | None, size: int) -> Page:
    """One page; neither skips nor repeats, also when many acts share one timestamp. Two queries, and each reads as many
    entries as it shows, however many there are."""
    conditions = and_(*_limits(wanted, after))
    parts = [
        select(_newest(where, conditions, size + 1).subquery())
        for where in ([_driving(wanted)] if wanted.who or wanted.subject else _by_type(wanted))
    ]
    found = union_all(*parts).subquery()
    newest = select(found.c.id).order_by(found.c.at.desc(), found.c.id.desc()).limit(size + 1)
    ids = list(db.session.scalars(newest))
    entries = select(AuditEntry).where(AuditEntry.id.in_(ids[:size]))
    shown = list(db.session.scalars(entries.order_by(AuditEntry.at.desc(), AuditEntry.id.desc())))
    return Page(shown, Place(shown[-1].at, shown[-1].id) if len(ids) > size else None)


def _newest(where: ColumnElement[bool], conditions: ColumnElement[bool], limit: int) -> Select[int, datetime]:
    rows = select(AuditEntry.id, AuditEntry.at).where(where, conditions)
    return rows.order_by(AuditEntry.at.desc(), AuditEntry.id.desc()).limit(limit)


def _by_type(wanted: Wanted) -> list[ColumnElement[bool]]:
    """One type at a time: an index then gives its acts in order."""
    act = AuditEntry.act == wanted.act if wanted.act else true()
    return [and_(AuditEntry.subject_type == one, act) for one in wanted.types]


def _driving(wanted: Wanted) -> ColumnElement[bool]:
    """The condition that the rows are found by: the narrowest that there is."""
    of_types = AuditEntry.subject_type.in_(wanted.types)
    act = AuditEntry.act == wanted.act if wanted.act else true()
    if wanted.subject is None:
        return and_(AuditEntry.actor_id == wanted.who, unindexed(and_(of_types, act)))
    subject_type, subject_id = wanted.subject
    who = AuditEntry.actor_id == wanted.who if wanted.who else true()
    about = and_(AuditEntry.subject_type == subject_type, AuditEntry.subject_id == subject_id)
    return and_(about, unindexed(and_(of_types, act, who)))


def _limits(wanted: Wanted, after: Place | None) -> list[ColumnElement[bool]]:
    limits: list[ColumnElement[bool]] = [true()]
    if wanted.since:
        limits.append(AuditEntry.at >= wanted.since)
    if wanted.before:
        limits.append(AuditEntry.at < wanted.before)
    if after is not None:
        limits.append(tuple_(AuditEntry.at, AuditEntry.id) < tuple_(*after))
    return limits
