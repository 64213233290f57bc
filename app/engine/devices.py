"""What an answer means for the device that was pushed to: noted in the transaction that records the answer."""

from app.codes import CancelReason
from app.kinds import Due
from app.outbox import queries, transitions
from app.outbox.attempts import AttemptResult
from app.outbox.state import AttemptOutcome
from app.reach import devices
from app.reach.resolve import DEVICE
from app.transaction import Transaction


def note_answer(tx: Transaction, due: Due, result: AttemptResult | None) -> None:
    """Note it on the device; one that is gone is removed, and what waits for it ends.

    Called before the delivery itself is recorded, also when the answer comes too late for that: rows of devices are
    locked before those of deliveries, everywhere.
    """
    if due.address.type != DEVICE or result is None:
        return
    device_id, target = due.address.id, due.address.target
    match result.outcome:
        case AttemptOutcome.ACCEPTED | AttemptOutcome.ALREADY_ACCEPTED:
            devices.note_success(tx, device_id, due.account_id, target)
        case AttemptOutcome.GONE:
            if devices.forget_gone(tx, device_id, target):
                transitions.cancel(tx, queries.waiting_at(DEVICE, device_id), CancelReason.DEVICE_GONE)
        case _ if result.code is not None:
            devices.note_failure(tx, device_id, due.account_id, target, result.code)
