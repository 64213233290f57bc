"""Which of many shifts overlap, found in one pass over the shifts of each tutor."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

MOST_EACH = 10
"""Others that are named of one shift: a thousand at the same time would otherwise make a million pairs."""


@dataclass(frozen=True, slots=True)
class Busy:
    """When a tutor is busy, with what (any number of the caller's), and where."""

    key: int
    tutor_id: int
    classroom: str
    starts_at: datetime
    ends_at: datetime


def overlaps(busy: Iterable[Busy]) -> dict[int, list[Busy]]:
    """By key, what else the tutor has at that time: the earliest first, at most ten; what is alone is absent."""
    found: dict[int, list[Busy]] = {}
    under_way: list[Busy] = []
    for one in sorted(busy, key=lambda one: (one.tutor_id, one.starts_at, one.ends_at, one.key)):
        under_way = [other for other in under_way if other.tutor_id == one.tutor_id and other.ends_at > one.starts_at]
        # Those that end last: whatever begins later and overlaps any, overlaps them.
        under_way = sorted(under_way, key=lambda other: other.ends_at)[-MOST_EACH:]
        for other in under_way:
            _name(found, one, other)
            _name(found, other, one)
        under_way.append(one)
    return {key: sorted(others, key=lambda other: (other.starts_at, other.key)) for key, others in found.items()}


def _name(found: dict[int, list[Busy]], at: Busy, other: Busy) -> None:
    others = found.setdefault(at.key, [])
    if len(others) < MOST_EACH:
        others.append(other)
