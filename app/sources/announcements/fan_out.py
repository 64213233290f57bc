"""The scan of announcements: publish what is due, tell it chunk by chunk, and end what waits of what was archived."""

import logging
from collections import Counter

from sqlalchemy import select, update
from sqlalchemy.exc import DataError, IntegrityError

from app.clock import monotonic, now, pause
from app.codes import CancelReason
from app.extensions import db
from app.outbox import transitions
from app.outbox.queries import waiting_about
from app.sources.announcements.kinds import SUBJECT
from app.sources.announcements.models import Announcement, Phase
from app.sources.announcements.publish import SCAN, publish_due
from app.sources.announcements.turns import Chunk, Turn, end_turn, skip_one, take_turn, tell_chunk
from app.transaction import PAUSE, ROWS_PER_TRANSACTION, Transaction, writing

BUDGET = 3.0
"""Seconds for one run, less than honcho grants a worker that is to end; the scan then wakes itself."""
FIRST, MOST = 500, 5000
"""Accounts in a chunk."""
HELD = 0.025
"""Seconds that a chunk should take: a person's click waits for no more than it and the next."""

log = logging.getLogger(__name__)


def announce() -> dict[str, int]:
    """One run: how many announcements were published, accounts told and left out, deliveries owed and canceled."""
    figures = Counter(published=publish_due(), notified=0, owed=0, skipped=0, canceled=_end_archived())
    until = monotonic() + BUDGET
    while monotonic() < until and (turn := _take_turn()) is not None:
        figures.update(_tell(turn, until))
    return dict(figures)


def _take_turn() -> Turn | None:
    with writing() as tx:
        return take_turn(tx)


def _tell(turn: Turn, until: float) -> Counter[str]:
    """Tell as many as there is time for."""
    figures: Counter[str] = Counter()
    size = FIRST
    while True:
        chunk, took = _next_chunk(turn, size)
        figures.update(notified=chunk.notified, owed=chunk.owed, skipped=chunk.skipped)
        if chunk.over:
            return figures
        if monotonic() >= until:
            _leave_the_rest(turn)
            return figures
        size = _fitting(size, took)
        pause(PAUSE)


def _next_chunk(turn: Turn, size: int) -> tuple[Chunk, float]:
    """Tell the next accounts, and how long nobody else could write (seconds).

    Where the database refuses the rows of one of them, halve until it is alone.
    """
    try:
        with writing() as tx:
            begun = monotonic()
            chunk = tell_chunk(tx, turn, size)
        return chunk, monotonic() - begun
    except (IntegrityError, DataError) as error:
        if size > 1:
            return _next_chunk(turn, size // 2)
        log.error("an account was not told of announcement %d: %s", turn.announcement_id, type(error).__name__)
        with writing() as tx:
            return skip_one(tx, turn), HELD


def _fitting(size: int, took: float) -> int:
    """How many accounts the next chunk should have, if so many took so long (seconds)."""
    return max(1, min(int(size * HELD / took), size * 2, MOST))


def _leave_the_rest(turn: Turn) -> None:
    with writing() as tx:
        end_turn(tx, turn)
        tx.wake(SCAN)


def _end_archived() -> int:
    """End what still waits of archived announcements; how many deliveries that were."""
    archived = select(Announcement.id).where(Announcement.phase == Phase.ARCHIVED, Announcement.stopped_at.is_(None))
    return sum(_end(announcement_id) for announcement_id in db.session.scalars(archived).all())


def _end(announcement_id: int) -> int:
    ended = 0
    while waiting := waiting_about(SUBJECT, announcement_id, ROWS_PER_TRANSACTION):
        with writing() as tx:
            ended += len(transitions.cancel(tx, waiting, CancelReason.ANNOUNCEMENT_ARCHIVED))
        pause(PAUSE)
    with writing() as tx:
        _note_stopped(tx, announcement_id)
    return ended


def _note_stopped(tx: Transaction, announcement_id: int) -> None:
    tx.session.execute(update(Announcement).where(Announcement.id == announcement_id).values(stopped_at=now()))
