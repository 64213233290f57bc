"""A person's devices, as their own pages show them."""

from dataclasses import dataclass

from flask_login import current_user

from app.codes import FAILURES, FailureCode, Words
from app.reach.own_devices import OwnDevice, own_devices
from app.web.this_device import browser_hash, vapid_key


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """One device. `failure` says what went wrong last, if that was after the last success."""

    device: OwnDevice
    failure: Words | None


def device_rows() -> list[DeviceRow]:
    """The devices of whoever is signed in: this one first, then the newest."""
    devices = own_devices(current_user.id, browser_hash(), vapid_key())
    return [DeviceRow(one, _failure(one)) for one in devices]


def _failure(device: OwnDevice) -> Words | None:
    if device.last_failure_at is None or device.last_failure_code not in tuple(FailureCode):
        return None
    if device.last_success_at is not None and device.last_success_at > device.last_failure_at:
        return None
    return FAILURES[FailureCode(device.last_failure_code)]
