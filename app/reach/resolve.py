"""What the addresses of deliveries resolve to now, and in which language their readers read."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, select

from app.accounts.models import Account
from app.codes import CancelReason
from app.extensions import db
from app.kinds import Address
from app.reach.models import Device, LineGroup, LineLink
from app.reach.reachable import why_not

LINE_LINK = "line_link"
LINE_GROUP = "line_group"
DEVICE = "device"


@dataclass(frozen=True, slots=True)
class Reached:
    """An address that may be used, and the language to use there."""

    address: Address
    language: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a delivery asks for: this address, if it is still this account's."""

    delivery_id: int
    address_type: str
    address_id: int
    account_id: int | None


def resolve(wanted: Collection[Wanted]) -> dict[int, Reached | CancelReason]:
    """For each delivery id: where it goes, or why it may not. One query for each type of address, however many.

    Asked in a fixed order: address this account's, present and on? account active?
    """
    types = {one.address_type for one in wanted}
    links = _links(_ids(wanted, LINE_LINK)) if LINE_LINK in types else {}
    groups = _groups(_ids(wanted, LINE_GROUP)) if LINE_GROUP in types else {}
    devices = _devices(_ids(wanted, DEVICE)) if DEVICE in types else {}

    def reached(one: Wanted) -> Reached | CancelReason:
        if one.address_type == LINE_GROUP:
            return _group(groups.get(one.address_id))
        if one.address_type == DEVICE:
            return _device(one, devices.get(one.address_id))
        return _line_link(one, *links.get(one.address_id, (None, None)))

    return {one.delivery_id: reached(one) for one in wanted}


def _ids(wanted: Collection[Wanted], address_type: str) -> set[int]:
    return {one.address_id for one in wanted if one.address_type == address_type}


def _links(ids: Collection[int]) -> dict[int, tuple[LineLink, Account]]:
    owned = select(LineLink, Account).join(Account, Account.id == LineLink.account_id).where(LineLink.id.in_(ids))
    return {link.id: (link, account) for link, account in db.session.execute(owned)}


def _groups(ids: Collection[int]) -> dict[int, LineGroup]:
    return {group.id: group for group in db.session.scalars(select(LineGroup).where(LineGroup.id.in_(ids)))}


def _devices(ids: Collection[int]) -> dict[int, Row[*tuple[Any, ...]]]:
    # Not as mapped objects: a worker asks about thousands, and each would take longer to make than to read.
    columns = (Device.id, Device.account_id, Device.endpoint, Device.p256dh, Device.auth, Device.language)
    owned = select(*columns, Account.active).join(Account, Account.id == Device.account_id).where(Device.id.in_(ids))
    return {row.id: row for row in db.session.execute(owned)}


def _group(group: LineGroup | None) -> Reached | CancelReason:
    if group is None:
        return CancelReason.LINE_DISABLED
    return Reached(Address(LINE_GROUP, group.id, group.line_group_id), group.language)


def _line_link(wanted: Wanted, link: LineLink | None, account: Account | None) -> Reached | CancelReason:
    if link is None or account is None:
        return CancelReason.LINE_DISABLED
    if link.account_id != wanted.account_id:
        return CancelReason.ADDRESS_CHANGED
    return why_not(account, link) or Reached(Address(LINE_LINK, link.id, link.line_user_id), account.language)


def _device(wanted: Wanted, device: Row[*tuple[Any, ...]] | None) -> Reached | CancelReason:
    if device is None:
        return CancelReason.DEVICE_REMOVED
    if device.account_id != wanted.account_id:
        return CancelReason.DEVICE_MOVED
    if not device.active:
        return CancelReason.RECIPIENT_DISABLED
    return Reached(Address(DEVICE, device.id, target_of(device)), device.language)


def target_of(device: Row[*tuple[Any, ...]]) -> str:
    """What the push channel needs to know of a device."""
    return json.dumps({"endpoint": device.endpoint, "p256dh": device.p256dh, "auth": device.auth})
