"""Sending a test push to a device of one's own: a delivery like any other, with its page."""

from datetime import timedelta

from sqlalchemy import select

from app.accounts.known import hold
from app.accounts.models import Account
from app.clock import now
from app.outbox.enqueue import NewDelivery, enqueue
from app.reach.addresses import label_of, push_gate
from app.reach.devices import NoSuchDeviceError
from app.reach.models import Device
from app.reach.preferences import WEB_PUSH
from app.reach.resolve import DEVICE
from app.tokens import request_id
from app.transaction import Transaction

KIND = "test_push"
SUBJECT = "device"
WORTH = timedelta(minutes=5)
"""Who pressed the button looks at the device now; what comes later only puzzles."""


def try_device(tx: Transaction, account_id: int, device_id: int) -> int:
    """Owe this device a test push; the delivery's id.

    Raises NoSuchDeviceError for one that is not this account's, NoSuchAccountError.
    """
    hold(tx, account_id)
    found = tx.session.execute(
        select(Device.name, Device.endpoint, Account.name.label("person"))
        .join(Account, Account.id == Device.account_id)
        .where(Device.id == device_id, Device.account_id == account_id)
    ).one_or_none()
    if found is None:
        raise NoSuchDeviceError(device_id)
    wanted = NewDelivery(
        kind=KIND,
        channel=WEB_PUSH,
        dedup_key=f"{KIND}:{device_id}:{request_id()}",  # each press is a test of its own
        subject_type=SUBJECT,
        subject_id=device_id,
        subject_version=None,
        account_id=account_id,
        address_type=DEVICE,
        address_id=device_id,
        address_label=label_of(found.person, found.name),
        scope=None,
        gate_key=push_gate(found.endpoint),
        expires_at=now() + WORTH,
    )
    return enqueue(tx, [wanted])[0]
