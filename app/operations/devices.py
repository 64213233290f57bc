"""The devices of a person, with what waits for them: moved, removed or left behind, it ends in the same transaction.

Accounts are held before devices, and devices before deliveries, as the engine takes them when it notes an answer.
Whoever gives a device a browser locks all of them: two people may come with one browser at the same moment, and each
would find it free. `session_id` is the session of the browser that asks, which is to know its device; None for a device
that is no browser.
"""

from collections.abc import Collection
from enum import StrEnum

from sqlalchemy import ColumnElement, true

from app import audit
from app.accounts import sessions
from app.accounts.known import SUBJECT, hold
from app.audit import Actor
from app.codes import CancelReason
from app.outbox import queries, transitions
from app.reach import devices
from app.reach.devices import Agreed, NoSuchDeviceError, Registered, at_endpoint
from app.reach.models import Device
from app.reach.resolve import DEVICE
from app.transaction import Transaction


class Whose(StrEnum):
    """Whose a subscription is, seen from whoever is signed in."""

    YOURS = "yours"
    NOBODYS = "nobodys"
    DROPPED = "dropped"
    """It was another account's until now."""


def register(tx: Transaction, actor: Actor, account_id: int, agreed: Agreed, session_id: int | None) -> int:
    """Send this account's pushes to this browser from now on, and nobody else's; the id of the device.

    Raises NoSuchAccountError and NoSuchSessionError: whoever deletes an account or signs a browser out at this moment
    must not leave a device behind.
    """
    _hold(tx, account_id)
    if session_id is not None:
        sessions.note_device(tx, account_id, session_id, agreed.browser_hash)
    done = _registered(tx, account_id, agreed)
    if done.is_new:  # refreshing it, which every page may do, is no act of anybody's
        _note(tx, actor, "register_device", account_id, done.device_id)
    return done.device_id


def renew(tx: Transaction, account_id: int, former_endpoint: str | None, agreed: Agreed, session_id: int) -> bool:
    """The browser itself replaced a subscription of this account's; False if this account has no device there.

    It is known by its former endpoint or, where the browser no longer knows that, by its cookie.
    Raises NoSuchAccountError, NoSuchSessionError.
    """
    _hold(tx, account_id)
    mine = Device.account_id == account_id
    known = Device.browser_hash == agreed.browser_hash
    if former_endpoint is not None:
        known |= at_endpoint(former_endpoint)
    if not devices.exists(tx, mine & known):
        return False
    sessions.note_device(tx, account_id, session_id, agreed.browser_hash)
    if former_endpoint is not None and devices.owner_of(tx, former_endpoint) == account_id:
        _know_again(tx, account_id, former_endpoint, agreed.browser_hash)
    _registered(tx, account_id, agreed)
    return True


def rename(tx: Transaction, account_id: int, device_id: int, name: str) -> None:
    """Call it what the person calls it. Raises InvalidInput, NoSuchDeviceError."""
    devices.rename(tx, account_id, device_id, name)


def remove(tx: Transaction, actor: Actor, account_id: int, device_id: int) -> None:
    """No more pushes there. Raises NoSuchDeviceError."""
    if not _remove_noted(tx, actor, account_id, Device.id == device_id):
        raise NoSuchDeviceError(device_id)


def remove_others(tx: Transaction, actor: Actor, account_id: int, browser_hash: str | None) -> int:
    """No more pushes anywhere but on this browser, if it is a device; how many were removed."""
    others = Device.browser_hash.is_distinct_from(browser_hash) if browser_hash is not None else true()
    return len(_remove_noted(tx, actor, account_id, others))


def sign_out(tx: Transaction, actor: Actor, account_id: int, browser_hash: str) -> None:
    """Whoever signs out there gets no more pushes there."""
    _remove_noted(tx, actor, account_id, Device.browser_hash == browser_hash)


def sign_in(tx: Transaction, account_id: int, browser_hash: str) -> bool:
    """Whoever signs in here finds nothing that somebody else left behind; True if there was something."""
    anothers = (Device.browser_hash == browser_hash) & (Device.account_id != account_id)
    return bool(_remove(tx, anothers, CancelReason.DEVICE_MOVED))


def recognise(tx: Transaction, account_id: int, endpoint: str, browser_hash: str, session_id: int) -> Whose:
    """Whose device the subscription is that this browser holds; another account's is dropped.

    Raises NoSuchAccountError, NoSuchSessionError.
    """
    _hold(tx, account_id)
    if devices.owner_of(tx, endpoint) == account_id:
        sessions.note_device(tx, account_id, session_id, browser_hash)
        _know_again(tx, account_id, endpoint, browser_hash)
        return Whose.YOURS
    dropped = _remove(tx, at_endpoint(endpoint), CancelReason.DEVICE_MOVED)
    return Whose.DROPPED if dropped else Whose.NOBODYS


def _hold(tx: Transaction, account_id: int) -> None:
    hold(tx, account_id)
    tx.lock(Device)


def _registered(tx: Transaction, account_id: int, agreed: Agreed) -> Registered:
    done = devices.register(tx, account_id, agreed)
    _cancel(tx, done.moved, CancelReason.DEVICE_MOVED)
    _cancel(tx, done.removed, CancelReason.DEVICE_REMOVED)
    return done


def _know_again(tx: Transaction, account_id: int, endpoint: str, browser_hash: str) -> None:
    """This browser holds this endpoint: it holds no other any more."""
    former, mine = (Device.browser_hash == browser_hash) & ~at_endpoint(endpoint), Device.account_id == account_id
    _remove(tx, former & mine, CancelReason.DEVICE_REMOVED)
    _remove(tx, former & ~mine, CancelReason.DEVICE_MOVED)
    devices.know_again(tx, endpoint, browser_hash)


def _remove(tx: Transaction, which: ColumnElement[bool], reason: CancelReason) -> list[int]:
    removed = devices.remove(tx, which)
    _cancel(tx, removed, reason)
    return removed


def _remove_noted(tx: Transaction, actor: Actor, account_id: int, which: ColumnElement[bool]) -> list[int]:
    """Of this account's own."""
    removed = _remove(tx, which & (Device.account_id == account_id), CancelReason.DEVICE_REMOVED)
    for device_id in removed:
        _note(tx, actor, "remove_device", account_id, device_id)
    return removed


def _cancel(tx: Transaction, device_ids: Collection[int], reason: CancelReason) -> None:
    if device_ids:
        transitions.cancel(tx, queries.waiting_at(DEVICE, device_ids), reason)


def _note(tx: Transaction, actor: Actor, act: str, account_id: int, device_id: int) -> None:
    audit.note(tx, actor, act, (SUBJECT, account_id), {"device": device_id})
