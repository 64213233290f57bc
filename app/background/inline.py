"""While Redis or the workers are away: urgent scans and sends, by the clock. No reminder is lost for want of them."""

import logging

from flask import Flask

from app import pulse
from app.background.scans import due_slot, run_slot
from app.background.stop import stopping
from app.background.timetable import timetable
from app.clock import now
from app.engine.deliver import deliver
from app.extensions import db
from app.kinds import QueueName, kinds_in
from app.outbox import queries

ROWS = 50

log = logging.getLogger(__name__)


def run(app: Flask) -> None:
    """One round: the urgent scans whose slot has come, then at most 50 urgent deliveries, by the same claim."""
    with app.app_context():
        try:
            _scan()
            _send()
        except Exception as error:
            # The thread ends here either way; the clock starts the next round.
            log.warning("sending without workers broke off: %s", type(error).__name__)


def _scan() -> None:
    slots = {name: record.last_slot for name, record in pulse.scans().items()}
    db.session.close()
    for name, scan in timetable().items():
        slot = due_slot(scan, slots.get(name))
        if scan.queue is QueueName.URGENT and slot <= now():
            run_slot(scan, slot)


def _send() -> None:
    rows = queries.claimable(kinds_in(QueueName.URGENT), ROWS)
    db.session.close()
    for kind, ids in queries.batches(rows, ROWS):
        deliver(kind, ids, stopping)
