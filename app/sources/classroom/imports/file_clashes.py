"""Where a file would put one tutor in two places at a time: pointed out before it is imported, never forbidden."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime

from app.sources.classroom.imports.import_shifts import Change, Prepared
from app.sources.classroom.imports.matching import Wanted
from app.sources.classroom.shifts.clashes import LONGEST, busy_between
from app.sources.classroom.shifts.overlaps import Busy, overlaps
from app.sources.classroom.shifts.standing import account_names


@dataclass(frozen=True, slots=True)
class Occupied:
    """One shift of two at a time. `shift_id` is None for one that the file would add."""

    shift_id: int | None
    classroom: str
    starts_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class FileClash:
    """Two shifts of one tutor at a time, one of which the file would add or move."""

    tutor_id: int
    tutor: str
    one: Occupied
    other: Occupied


def clashes_of(prepared: Prepared) -> list[FileClash]:
    """One clash of each shift that the file would add or move into another, drafts included; the earliest first."""
    moved = {change.known.id: change.wanted for change in prepared.changed if _is_moved(change)}
    # What has no id yet goes by a number below zero.
    fresh = {**moved, **{-number: one for number, one in enumerate(prepared.added, start=1)}}
    if not fresh:
        return []
    found = overlaps([*(_busy(key, one) for key, one in fresh.items()), *_the_others(fresh.values(), moved.keys())])
    pairs = _pairs([(_busy(key, one), found[key][0]) for key, one in fresh.items() if key in found])
    names = account_names({one.tutor_id for one, _other in pairs})
    return [FileClash(one.tutor_id, names[one.tutor_id], _occupied(one), _occupied(other)) for one, other in pairs]


def _is_moved(change: Change) -> bool:
    known, wanted = change.known, change.wanted
    was = known.tutor_id, known.starts_at, known.ends_at, known.deleted_at
    return was != (wanted.tutor_id, wanted.starts_at, wanted.ends_at, None)


def _the_others(fresh: Collection[Wanted], moved: Collection[int]) -> Iterator[Busy]:
    """What the tutors have at about that time and keep as it is."""
    tutors = {one.tutor_id for one in fresh}
    start, before = min(one.starts_at for one in fresh), max(one.ends_at for one in fresh)
    for one in busy_between(start - LONGEST, before):
        if one.tutor_id in tutors and one.key not in moved:
            yield one


def _pairs(found: Collection[tuple[Busy, Busy]]) -> list[tuple[Busy, Busy]]:
    """Each pair once, the earlier shift first."""
    in_order = {frozenset((one.key, other.key)): sorted((one, other), key=_when) for one, other in found}
    return sorted(((one, other) for one, other in in_order.values()), key=lambda pair: _when(pair[0]))


def _when(one: Busy) -> tuple[datetime, datetime, int]:
    return one.starts_at, one.ends_at, one.key


def _busy(key: int, one: Wanted) -> Busy:
    return Busy(key, one.tutor_id, one.classroom, one.starts_at, one.ends_at)


def _occupied(one: Busy) -> Occupied:
    return Occupied(one.key if one.key > 0 else None, one.classroom, one.starts_at, one.ends_at)
