"""Sending a test push to a device of one's own: a delivery like any other, with its page."""

from datetime import timedelta

from sqlalchemy import select

from app.accounts.known import hold
from app.clock import now
from app.outbox.enqueue import NewDelivery, enqueue
from app.reach.addresses import devices
from app.reach.devices import NoSuchDeviceError
from app.tokens import request_id
from app.transaction import Transaction

KIND = "test_push"
CATEGORY = "trial"
SUBJECT = "device"
WORTH = timedelta(minutes=5)
"""Who pressed the button looks at the device now; what comes later only puzzles."""


def try_device(tx: Transaction, account_id: int, device_id: int) -> int:
    """Owe this device a test push; the delivery's id.

    Raises NoSuchDeviceError for one that is not this account's, NoSuchAccountError.
    """
    hold(tx, account_id)
    theirs = devices(lambda owner_id: owner_id == account_id, CATEGORY)
    this = select(theirs.label, theirs.gate_key).select_from(theirs.rows).where(theirs.address_id == device_id)
    found = tx.session.execute(this.where(theirs.wanted)).one_or_none()
    if found is None:
        raise NoSuchDeviceError(device_id)
    label, gate_key = found
    wanted = NewDelivery(
        kind=KIND,
        channel=theirs.channel,
        dedup_key=f"{KIND}:{device_id}:{request_id()}",  # each press is a test of its own
        subject_type=SUBJECT,
        subject_id=device_id,
        subject_version=None,
        account_id=account_id,
        address_type=theirs.address_type,
        address_id=device_id,
        address_label=label,
        scope=None,
        gate_key=gate_key,
        expires_at=now() + WORTH,
    )
    return enqueue(tx, [wanted])[0]
