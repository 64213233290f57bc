"""Forgetting guests who will not come back, a few at a time."""

from app.clock import monotonic, pause
from app.operations.guests import forget_idle
from app.transaction import PAUSE, writing

BUDGET = 20.0
"""Seconds; the rest waits for the next run."""
TOGETHER = 20
"""Each takes some twenty statements, and all accounts are locked meanwhile."""


def forget_guests() -> dict[str, int]:
    """Forget all whose time has come. Returns figures."""
    until, forgotten = monotonic() + BUDGET, 0
    while more := _portion():
        forgotten += more
        if monotonic() >= until:
            break
        pause(PAUSE)
    return {"forgotten": forgotten}


def _portion() -> int:
    with writing() as tx:
        return forget_idle(tx, TOGETHER)
