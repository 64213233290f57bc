"""The scan of announcements: publish what is due, end what is outdated, and tell the rest chunk by chunk."""

import logging
from collections import Counter

from sqlalchemy.exc import DataError, IntegrityError

from app.clock import monotonic, pause
from app.sources.announcements.outdated import end_outdated
from app.sources.announcements.publish import publish_due
from app.sources.announcements.turns import SCAN, Chunk, Turn, end_turn, skip_one, take_turn, tell_chunk
from app.transaction import writing

BUDGET = 3.0
"""Seconds for one run, less than honcho grants a worker that is to end; the scan then wakes itself."""
FIRST, MOST = 500, 5000
"""Accounts in a chunk."""
HELD, REST = 0.02, 0.01
"""Seconds for which a chunk should keep others from writing to SQLite, and between chunks. A person's click that came
every 30 ms waited 4 ms in the middle, 19 at the 95th percentile; with 25 and 20 ms it waited longer, for SQLite has who
waits look again ever more seldom: short turns serve them better than long rests."""
SHARED = 0.2
"""Seconds for a chunk on PostgreSQL, where others write meanwhile: so long that what goes with every chunk, its
statements and its commit, is little beside it on a slow machine, too."""

log = logging.getLogger(__name__)


def announce() -> dict[str, int]:
    """One run: how many announcements were published, accounts told and left out, deliveries owed and canceled."""
    until = monotonic() + BUDGET
    figures = Counter(published=publish_due(), notified=0, owed=0, skipped=0, canceled=end_outdated(until))
    while (turn := _take_turn()) is not None:
        figures.update(_tell(turn, until))
        if monotonic() >= until:
            _go_on_soon()
            break
    return dict(figures)


def _go_on_soon() -> None:
    with writing() as tx:
        tx.wake(SCAN)


def _take_turn() -> Turn | None:
    with writing() as tx:
        return take_turn(tx)


def _tell(turn: Turn, until: float) -> Counter[str]:
    """Tell as many as there is time for."""
    figures: Counter[str] = Counter()
    size = FIRST
    while True:
        chunk, size = _next_chunk(turn, size)
        figures.update(notified=chunk.notified, owed=chunk.owed, skipped=chunk.skipped)
        if chunk.over:
            return figures
        if monotonic() >= until:
            with writing() as tx:
                end_turn(tx, turn)
            return figures
        pause(REST)


def _next_chunk(turn: Turn, size: int) -> tuple[Chunk, int]:
    """Tell so many accounts; and how many the chunk after it should have.

    Where the database refuses the rows of one of them, halve until it is alone.
    """
    try:
        with writing() as tx:
            begun = monotonic()  # having waited for others
            chunk = tell_chunk(tx, turn, size)
            took, may_take = monotonic() - begun, HELD if tx.alone else SHARED
        return chunk, _fitting(size, may_take / max(took, 0.001))
    except (IntegrityError, DataError) as error:
        pause(REST)
        if size > 1:
            return _next_chunk(turn, size // 2)
        log.error("an account was not told of announcement %d: %s", turn.announcement_id, type(error).__name__)
        with writing() as tx:
            return skip_one(tx, turn), FIRST


def _fitting(size: int, room: float) -> int:
    """How many accounts the next chunk should have, after one of so many that would have fitted `room` times."""
    return max(1, min(int(size * room), size * 2, MOST))
