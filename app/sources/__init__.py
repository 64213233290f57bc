"""WHY: the sources, one folder each."""

from app.kinds import KINDS, SCANS
from app.sources import classroom


def register() -> None:
    """Tell the contract which kinds and scans there are."""
    for kind in classroom.KINDS:
        KINDS[kind.name] = kind
    for scan in classroom.SCANS:
        SCANS[scan.name] = scan
