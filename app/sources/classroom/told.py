"""What was told to whom about each shift, and when."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from app.extensions import db
from app.sources.classroom.models import ShiftTold


@dataclass(frozen=True, slots=True)
class ToldLine:
    """What one message said of a shift."""

    classroom: str
    starts_at: datetime
    ends_at: datetime
    at: datetime


Key = tuple[int, int, str, int]
"""Shift, account, kind and version: what a message was about."""


def told_about(shift_ids: Collection[int]) -> dict[Key, ToldLine]:
    """Everything that was told about these shifts; one query."""
    rows = db.session.scalars(select(ShiftTold).where(ShiftTold.shift_id.in_(shift_ids)))
    return {
        (one.shift_id, one.account_id, one.kind, one.version): ToldLine(
            one.classroom, one.starts_at, one.ends_at, one.at
        )
        for one in rows
    }  # fmt: skip
