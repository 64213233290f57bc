"""The only source of time."""

import time
from datetime import UTC, datetime, timedelta


def now() -> datetime:
    """The present instant, an aware datetime in UTC."""
    return datetime.now(UTC)


def monotonic() -> float:
    """Seconds that only ever grow: for measuring how long something took, never for saying when it was."""
    return time.monotonic()


def pause(seconds: float) -> None:
    """Wait, so that others get their turn."""
    time.sleep(seconds)


def slot_of(instant: datetime, every: timedelta) -> datetime:
    """The last multiple of `every`, counted from the epoch, that is not after `instant`."""
    return datetime.fromtimestamp(instant.timestamp() // every.total_seconds() * every.total_seconds(), UTC)
