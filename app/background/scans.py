"""Running a scan: for its slot, because something woke it, or because a person asked."""

from datetime import datetime, timedelta

from app import pulse
from app.clock import now, slot_of
from app.engine.handover import hand_over_due
from app.extensions import broker
from app.kinds import Scan
from app.transaction import writing

LEASE = timedelta(minutes=2)
"""How long a scan whose process died keeps others out."""
SKEW = timedelta(seconds=10)
"""How far the clocks of two machines may differ."""


def run_slot(scan: Scan, slot: datetime) -> bool:
    """Run a scan for its slot. False, having done nothing, if the slot was done or another run holds the scan.

    A queue that was flushed, a second clock and a late job thus change nothing, and what was missed is caught up once:
    a slot that is not the present one is over, or is nobody's yet. A slot of its own, as a wake makes it, is not kept
    out by a run under way, which may have looked already at what the wake is about.
    """
    if not now() - scan.every < slot <= now() + SKEW:
        return False
    woken = slot != slot_of(slot, scan.every)
    with writing() as tx:
        taken = pulse.take(tx, scan.name, scan.every, slot, LEASE, overlapping=woken)
    if taken:
        _run(scan)
    return taken


def run_now(scan: Scan) -> dict[str, int]:
    """Run a scan at once, whoever else may be running it, hand over what is due then, and return its figures."""
    with writing() as tx:
        pulse.start(tx, scan.name, scan.every, LEASE)
    figures = _run(scan)
    if broker.answers():
        hand_over_due()
    return figures


def due_slot(scan: Scan, last_slot: datetime | None) -> datetime:
    """The slot to run next: the present one if it was missed, else the one after it. Slots missed before are one."""
    present = slot_of(now(), scan.every)
    done = last_slot is not None and present <= last_slot <= now() + scan.every
    return present + scan.every if done else present


def _run(scan: Scan) -> dict[str, int]:
    try:
        figures = scan.run()
    except Exception as error:
        with writing() as tx:
            pulse.finish(tx, scan.name, None, type(error).__name__)
        raise
    with writing() as tx:
        pulse.finish(tx, scan.name, figures, None)
    return figures
