"""Ending what still waits of an announcement that was archived, or of an edition before the one that is told now.

Each delivery asks right before it is sent; but behind a closed gate, or for quiet hours, it may wait for days.
"""

from collections.abc import Iterator

from sqlalchemy import and_, or_, select, update

from app.clock import monotonic, now, pause
from app.codes import CancelReason
from app.extensions import db
from app.outbox import transitions
from app.outbox.queries import alive_about
from app.outbox.state import ALIVE, WAITING
from app.sources.announcements.kinds import SUBJECT
from app.sources.announcements.models import Announcement, FanOut, Phase
from app.transaction import PAUSE, ROWS_PER_TRANSACTION, writing


def end_outdated(until: float) -> int:
    """End what waits of it, until this monotonic second; how many deliveries that were."""
    return sum(_end(announcement_id, edition, reason, until) for announcement_id, edition, reason in list(_outdated()))


def _outdated() -> Iterator[tuple[int, int, CancelReason]]:
    archived, earlier = Announcement.phase == Phase.ARCHIVED, FanOut.edition < Announcement.edition
    rows = db.session.execute(
        select(FanOut.announcement_id, FanOut.edition, archived)
        .join(Announcement, Announcement.id == FanOut.announcement_id)
        .where(FanOut.stopped_at.is_(None), or_(archived, earlier))
    )
    for announcement_id, edition, is_archived in rows:
        reason = CancelReason.ANNOUNCEMENT_ARCHIVED if is_archived else CancelReason.ANNOUNCED_ANEW
        yield announcement_id, edition, reason


def _end(announcement_id: int, edition: int, reason: CancelReason, until: float) -> int:
    ended, last = 0, None
    while waiting := alive_about(SUBJECT, announcement_id, edition, WAITING, ROWS_PER_TRANSACTION, after=last):
        last = waiting[-1]
        with writing() as tx:
            ended += len(transitions.cancel(tx, [place.id for place in waiting], reason))
        if monotonic() >= until:
            return ended
        pause(PAUSE)
    # What a worker holds, or gave back meanwhile, the next run looks at.
    if not alive_about(SUBJECT, announcement_id, edition, ALIVE, 1):
        _note_stopped(announcement_id, edition)
    return ended


def _note_stopped(announcement_id: int, edition: int) -> None:
    this = and_(FanOut.announcement_id == announcement_id, FanOut.edition == edition)
    with writing() as tx:
        tx.execute(update(FanOut).where(this).values(stopped_at=now()))
