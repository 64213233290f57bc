"""The reminder scan: what is about to start becomes owed, once for each shift, version and tutor."""

from collections.abc import Sequence
from time import sleep

from app.clock import now
from app.outbox.enqueue import NewDelivery, enqueue
from app.reach.resolve import LINE_LINK
from app.sources.classroom.audience import Upcoming, upcoming
from app.sources.classroom.kinds import ShiftReminder
from app.transaction import writing

ROWS_PER_COMMIT = 1000
PAUSE = 0.02
"""Seconds between two commits, in which a person's click gets its turn."""


def remind() -> dict[str, int]:
    """Owe a reminder of every shift that is about to start; how many shifts that are, and how many are newly owed.

    It reads before it writes: what changes in between is found by the recheck, and owed anew by the next scan.
    """
    shifts = upcoming(now())
    enqueued = 0
    for first in range(0, len(shifts), ROWS_PER_COMMIT):
        if first:
            sleep(PAUSE)
        enqueued += _owe(shifts[first : first + ROWS_PER_COMMIT])
    return {"shifts": len(shifts), "enqueued": enqueued}


def _owe(shifts: Sequence[Upcoming]) -> int:
    with writing() as tx:
        return len(enqueue(tx, [_reminder(shift) for shift in shifts]))


def _reminder(shift: Upcoming) -> NewDelivery:
    return NewDelivery(
        kind=ShiftReminder.name,
        channel="line",
        dedup_key=f"{ShiftReminder.name}:{shift.shift_id}:{shift.version}:{shift.tutor_id}",
        subject_type="shift",
        subject_id=shift.shift_id,
        subject_version=shift.version,
        account_id=shift.tutor_id,
        address_type=LINE_LINK,
        address_id=shift.link_id,
        address_label=shift.tutor,
        scope=f"classroom:{shift.classroom_id}",
        gate_key="line",
        expires_at=shift.starts_at,
    )
