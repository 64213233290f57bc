"""Every scan there is: the one readable list of what happens by itself, and how often."""

from datetime import timedelta

from app.engine.recovery import recover
from app.kinds import SCANS, QueueName, Scan

RECOVERY = Scan("recovery", timedelta(minutes=1), QueueName.URGENT, recover)


def timetable() -> dict[str, Scan]:
    """The scans of the sources, and those that belong to no source."""
    return {scan.name: scan for scan in (*SCANS.values(), RECOVERY)}
