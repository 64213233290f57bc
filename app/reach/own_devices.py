"""The devices of one account, as its own pages show them: plain values, without endpoint and keys."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from app.extensions import db
from app.reach.models import Device


@dataclass(frozen=True, slots=True)
class OwnDevice:
    """One device. `outdated`: it subscribed with a key of ours that is no longer in use, and has to do so again.

    `endpoint_hash` is what a browser compares its own endpoint with; nobody can push by it.
    """

    id: int
    name: str
    language: str
    created_at: datetime
    last_success_at: datetime | None
    last_failure_at: datetime | None
    last_failure_code: str | None
    endpoint_hash: str
    here: bool
    """Whether it is the browser that asks."""
    outdated: bool


def own_devices(account_id: int, browser_hash: str | None, vapid_key: str) -> list[OwnDevice]:
    """The account's devices: the one that asks first, then the newest."""
    rows = db.session.scalars(
        select(Device).where(Device.account_id == account_id).order_by(Device.created_at.desc(), Device.id.desc())
    )
    found = [_own(row, browser_hash, vapid_key) for row in rows]
    return sorted(found, key=lambda one: not one.here)


def device_here(account_id: int, browser_hash: str | None, vapid_key: str) -> OwnDevice | None:
    """The account's device that asks; None if it is none."""
    if browser_hash is None:
        return None
    mine = (Device.browser_hash == browser_hash) & (Device.account_id == account_id)
    row = db.session.scalar(select(Device).where(mine))
    return _own(row, browser_hash, vapid_key) if row is not None else None


def has_device(account_id: int) -> bool:
    """Whether the account gets pushes anywhere."""
    return db.session.scalar(select(Device.id).where(Device.account_id == account_id).limit(1)) is not None


def own_device(account_id: int, device_id: int) -> OwnDevice | None:
    """One device of this account."""
    row = db.session.scalar(select(Device).where(Device.id == device_id, Device.account_id == account_id))
    return _own(row, None, row.vapid_key) if row is not None else None


def _own(row: Device, browser_hash: str | None, vapid_key: str) -> OwnDevice:
    return OwnDevice(
        id=row.id,
        name=row.name,
        language=row.language,
        created_at=row.created_at,
        last_success_at=row.last_success_at,
        last_failure_at=row.last_failure_at,
        last_failure_code=row.last_failure_code,
        endpoint_hash=row.endpoint_hash,
        here=browser_hash is not None and row.browser_hash == browser_hash,
        outdated=row.vapid_key != vapid_key,
    )
