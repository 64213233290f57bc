"""What answers mean for the devices that were pushed to: noted in the transaction that records the answers."""

from collections.abc import Sequence

from app.codes import CancelReason
from app.kinds import Due
from app.outbox import queries, transitions
from app.outbox.attempts import AttemptResult
from app.outbox.state import AttemptOutcome
from app.reach import devices
from app.reach.devices import PushedTo
from app.reach.models import Device
from app.reach.resolve import DEVICE
from app.transaction import Transaction

ACCEPTED = (AttemptOutcome.ACCEPTED, AttemptOutcome.ALREADY_ACCEPTED)


def note_answers(tx: Transaction, answers: Sequence[tuple[Due, AttemptResult | None]]) -> None:
    """Note them on the devices; one that is gone is removed, and what waits for it ends.

    Called before the deliveries themselves are recorded, also when an answer comes too late for that: rows of devices
    are locked before those of deliveries, everywhere. An answer to a subscription that is no more says nothing.
    """
    pushed = [
        (PushedTo(due.address.id, due.account_id, due.address.target), result)
        for due, result in answers
        if due.address.type == DEVICE and result is not None
    ]
    if not pushed:
        return
    tx.will_write(Device)  # whoever gives a device a browser locks all of them before any row
    owners = devices.hold(tx, [to for to, _ in pushed])
    _forget_gone(tx, {to.id for to, result in pushed if to in owners and result.outcome is AttemptOutcome.GONE})
    # What became of a push says something of the device only to whom it was for.
    theirs = [(to.id, result) for to, result in pushed if to.account_id is not None and owners.get(to) == to.account_id]
    if accepted := {device_id for device_id, result in theirs if result.outcome in ACCEPTED}:
        devices.note_success(tx, accepted)
    _note_failures(tx, theirs)


def _note_failures(tx: Transaction, results: Sequence[tuple[int, AttemptResult]]) -> None:
    failed = [(one, result.code) for one, result in results if result.outcome not in (*ACCEPTED, AttemptOutcome.GONE)]
    for code in {code for _, code in failed if code is not None}:
        devices.note_failure(tx, {device_id for device_id, its in failed if its == code}, code)


def _forget_gone(tx: Transaction, device_ids: set[int]) -> None:
    if gone := devices.remove(tx, Device.id.in_(device_ids)) if device_ids else ():
        transitions.cancel(tx, queries.waiting_at(DEVICE, gone), CancelReason.DEVICE_GONE)
