"""Where somebody wants to be told what also waits in their inbox: their devices, and LINE if they chose it."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from sqlalchemy import select

from app.accounts.models import Account
from app.extensions import db
from app.reach.models import Device, LineLink
from app.reach.preferences import LINE, WEB_PUSH, refused
from app.reach.reachable import is_reachable
from app.reach.resolve import DEVICE, LINE_LINK

LABEL = 200
"""Characters that a delivery keeps of where it went."""


@dataclass(frozen=True, slots=True)
class Reaching:
    """One address of an account. `gate_key` names the provider whose failures it shares."""

    account_id: int
    channel: str
    address_type: str
    address_id: int
    label: str
    gate_key: str


def reaching(account_ids: Collection[int], category: str) -> list[Reaching]:
    """Every address that these accounts want told of this category. Three queries."""
    unwanted = refused(account_ids, category)
    found = (*_devices(account_ids), *_links(account_ids))
    return [one for one in found if (one.account_id, one.channel) not in unwanted]


def label_of(person: str, device: str) -> str:
    """What a delivery to a device is labelled with."""
    return f"{person} · {device}"[:LABEL]


def push_gate(endpoint: str) -> str:
    """The gate of the push service that this endpoint belongs to."""
    return f"{WEB_PUSH}:{urlsplit(endpoint).hostname}"


def _devices(account_ids: Collection[int]) -> Iterator[Reaching]:
    rows = db.session.execute(
        select(Device.account_id, Device.id, Account.name, Device.name, Device.endpoint)
        .join(Account, Account.id == Device.account_id)
        .where(Device.account_id.in_(account_ids), Account.active)
    )
    for account_id, device_id, person, name, endpoint in rows:
        yield Reaching(account_id, WEB_PUSH, DEVICE, device_id, label_of(person, name), push_gate(endpoint))


def _links(account_ids: Collection[int]) -> Iterator[Reaching]:
    rows = db.session.execute(
        select(Account.id, LineLink.id, Account.name)
        .join(LineLink, LineLink.account_id == Account.id)
        .where(Account.id.in_(account_ids), is_reachable())
    )
    for account_id, link_id, name in rows:
        yield Reaching(account_id, LINE, LINE_LINK, link_id, name, LINE)
