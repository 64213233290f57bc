"""What RQ may call: an id or a name in, one call. Workers run nothing that is not in this file."""

from datetime import datetime

from app.background import scans
from app.background.stop import stopping
from app.background.timetable import timetable
from app.engine import deliver as engine


def deliver(kind: str, ids: list[int]) -> None:
    """Send deliveries of one kind."""
    engine.deliver(kind, ids, stopping)


def scan(name: str, slot: str) -> None:
    """Run one scan for one slot (ISO 8601, UTC)."""
    scans.run_slot(timetable()[name], datetime.fromisoformat(slot))
