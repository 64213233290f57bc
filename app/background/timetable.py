"""Every scan there is: the one readable list of what happens by itself, and how often."""

from datetime import timedelta

from app.background.forgetting import forget_guests
from app.background.rolling import roll_up
from app.engine.recovery import recover
from app.kinds import SCANS, QueueName, Scan
from app.operations.bulk import SCAN
from app.operations.bulk_release import release_waiting

OF_NO_SOURCE = (
    Scan("recovery", timedelta(minutes=1), QueueName.URGENT, recover),
    Scan(SCAN, timedelta(minutes=1), QueueName.URGENT, release_waiting),
    Scan("roll_up", timedelta(minutes=5), QueueName.DEFAULT, roll_up),
    Scan("guests", timedelta(hours=1), QueueName.SLOW, forget_guests),
)


def register() -> None:
    """Tell the contract of the scans that belong to no source, so that whatever writes can wake them."""
    for scan in OF_NO_SOURCE:
        SCANS[scan.name] = scan


def timetable() -> dict[str, Scan]:
    """The scans of the sources, and those that belong to no source."""
    return dict(SCANS)
