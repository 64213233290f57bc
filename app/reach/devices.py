"""The devices: one row for each browser that agreed to pushes. What waits for one is the business of `operations`."""

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, CursorResult, Delete, delete, func, select, update

from app.clock import now
from app.extensions import db
from app.faults import InvalidInput
from app.names import faults_of
from app.reach.addresses import push_gate
from app.reach.models import Device
from app.tokens import digest
from app.transaction import Transaction


class NoSuchDeviceError(LookupError):
    """This account has no such device."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """What a browser agreed to, checked already. `vapid_key`: the public key of ours that it subscribed with.

    `browser_hash` is the digest of its cookie. `name` is what it is called until the person names it.
    """

    endpoint: str = field(repr=False)
    p256dh: str = field(repr=False)
    auth: str = field(repr=False)
    vapid_key: str
    browser_hash: str = field(repr=False)
    name: str
    language: str


@dataclass(frozen=True, slots=True)
class Registered:
    """What a registration did. What waits for `moved` was for somebody else, what waits for `removed` goes nowhere."""

    device_id: int
    is_new: bool
    moved: Sequence[int]
    removed: Sequence[int]


def register(tx: Transaction, account_id: int, agreed: Agreed) -> Registered:
    """The device of this browser, belonging to this account from now on: one row, however often it registers.

    The same endpoint is refreshed, or moves here from another account. A browser that subscribed anew keeps its row.
    """
    known = tx.session.scalar(select(Device.id).where(at_endpoint(agreed.endpoint)).with_for_update())
    renewed = _renew(tx, account_id, agreed) if known is None else None
    device_id, owner = _enter(tx, account_id, agreed)
    others = (Device.browser_hash == agreed.browser_hash) & (Device.id != device_id)
    left = tx.session.execute(delete(Device).where(others).returning(Device.id, Device.account_id)).all()
    moves = owner != account_id
    tx.session.execute(update(Device).where(Device.id == device_id).values(**_owned(account_id, agreed, anew=moves)))
    moved = [one for one, former in left if former != account_id] + [device_id] * moves
    removed = [one for one, former in left if former == account_id]
    return Registered(device_id, moves or (known is None and renewed is None), moved, removed)


def rename(tx: Transaction, account_id: int, device_id: int, name: str) -> None:
    """Call it what the person calls it. Raises InvalidInput, NoSuchDeviceError."""
    name = name.strip()
    if faults := faults_of(name):
        raise InvalidInput(*faults)
    named = update(Device).where(Device.id == device_id, Device.account_id == account_id).values(name=name)
    if tx.session.scalar(named.returning(Device.id)) is None:
        raise NoSuchDeviceError(device_id)


def speak(tx: Transaction, account_id: int, language: str) -> None:
    """Change the language of this account's devices; never register any."""
    tx.session.execute(update(Device).where(Device.account_id == account_id).values(language=language))


def take_over(tx: Transaction, guest_id: int, account_id: int) -> None:
    """A guest's devices are the account's from now on."""
    tx.session.execute(update(Device).where(Device.account_id == guest_id).values(account_id=account_id))


def exists(tx: Transaction, which: ColumnElement[bool]) -> bool:
    """Whether there is such a device."""
    return tx.session.scalar(select(Device.id).where(which)) is not None


def count_devices(vapid_key: str) -> tuple[int, int]:
    """How many devices there are, and how many of them subscribed with another key than this."""
    outdated = func.count().filter(Device.vapid_key != vapid_key)
    known, others = db.session.execute(select(func.count(), outdated).select_from(Device)).one()
    return known, others


def owner_of(tx: Transaction, endpoint: str) -> int | None:
    """Which account registered this endpoint."""
    return tx.session.scalar(select(Device.account_id).where(at_endpoint(endpoint)).with_for_update())


def know_again(tx: Transaction, endpoint: str, browser_hash: str) -> None:
    """Let the device of this endpoint be known by this cookie, by which no other is."""
    tx.session.execute(update(Device).where(at_endpoint(endpoint)).values(browser_hash=browser_hash))


def remove(tx: Transaction, which: ColumnElement[bool]) -> list[int]:
    """Forget these devices; their ids."""
    return _removed(tx, delete(Device).where(which))


@dataclass(frozen=True, slots=True)
class PushedTo:
    """A device, whose it was and what it was when the push went there: the browser may have subscribed anew since."""

    id: int
    account_id: int | None
    target: str = field(repr=False)


def hold(tx: Transaction, pushed: Collection[PushedTo]) -> dict[PushedTo, int]:
    """Those that still are what was pushed to, and whose they are now. Nobody else changes them until the end of the
    transaction; taken in the order of their ids, so that two who hold several do not wait for each other."""
    found = select(Device.id, Device.endpoint_hash, Device.account_id).where(Device.id.in_({one.id for one in pushed}))
    rows = tx.execute(found.order_by(Device.id).with_for_update())
    owners = {(row.id, row.endpoint_hash): row.account_id for row in rows}
    marks = ((one, (one.id, _hash_of(one.target))) for one in pushed)
    return {one: owners[mark] for one, mark in marks if mark in owners}


def note_success(tx: Transaction, device_ids: Collection[int]) -> None:
    """Pushes were accepted."""
    tx.session.execute(update(Device).where(Device.id.in_(device_ids)).values(last_success_at=now()))


def note_failure(tx: Transaction, device_ids: Collection[int], code: str) -> None:
    """Pushes were not accepted."""
    failed = {"last_failure_at": now(), "last_failure_code": code}
    tx.session.execute(update(Device).where(Device.id.in_(device_ids)).values(**failed))


def _renew(tx: Transaction, account_id: int, agreed: Agreed) -> int | None:
    mine = (Device.browser_hash == agreed.browser_hash) & (Device.account_id == account_id)
    # Tested inside the UPDATE: of two tabs that come at once, the second finds it done.
    other = update(Device).where(mine, ~at_endpoint(agreed.endpoint))
    return tx.session.scalar(other.values(_located(agreed.endpoint)).returning(Device.id))


def _enter(tx: Transaction, account_id: int, agreed: Agreed) -> tuple[int, int]:
    """Its id, and whose it is until now."""
    values = _owned(account_id, agreed, anew=True) | _located(agreed.endpoint) | {"browser_hash": None}
    # One that is known keeps what it has; an UPDATE of nothing locks it, and makes it come back.
    known = (
        tx.insert(Device)
        .values(values)
        .on_conflict_do_update(index_elements=["endpoint_hash"], set_={"endpoint": agreed.endpoint})
    )
    device_id, owner = tx.session.execute(known.returning(Device.id, Device.account_id)).one()
    return device_id, owner


def _located(endpoint: str) -> dict[str, str]:
    """The columns that an endpoint decides."""
    return {"endpoint": endpoint, "endpoint_hash": digest(endpoint), "gate_key": push_gate(endpoint)}


def _owned(account_id: int, agreed: Agreed, *, anew: bool) -> dict[str, Any]:
    """The columns that a registration writes; `anew` also what the person, or a former owner, made of it."""
    wanted = {name: value for name, value in asdict(agreed).items() if name not in ("endpoint", "name")}
    values: dict[str, Any] = wanted | {"account_id": account_id}
    if anew:
        values |= {"name": agreed.name, "created_at": now()}
        values |= {"last_success_at": None, "last_failure_at": None, "last_failure_code": None}
    return values


def at_endpoint(endpoint: str) -> ColumnElement[bool]:
    """SQL: the device of this endpoint."""
    return Device.endpoint_hash == digest(endpoint)


def _hash_of(target: str) -> str:
    """Of the endpoint in what the channel was given (see `resolve.target_of`)."""
    return digest(json.loads(target)["endpoint"])


def _removed(tx: Transaction, statement: Delete) -> list[int]:
    gone: CursorResult[Any] | Any = tx.session.execute(statement.returning(Device.id))
    return [row[0] for row in gone]
