"""Counting what ended in the hours that are over, a portion at a time."""

from app.clock import monotonic, pause
from app.outbox import hours
from app.transaction import PAUSE, writing

BUDGET = 25.0
"""Seconds. The first run may have years before it, and what it leaves is counted where it stands until the next."""


def roll_up() -> dict[str, int]:
    """Count whatever was not counted yet. Returns figures."""
    until, counted = monotonic() + BUDGET, 0
    while more := _portion():
        counted += more
        if monotonic() >= until:
            break
        pause(PAUSE)
    return {"counted": counted}


def _portion() -> int:
    with writing() as tx:
        return hours.roll_up(tx)
