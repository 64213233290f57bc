"""Where somebody wants to be told what also waits in their inbox: their devices, and LINE if they chose it."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Row, and_, bindparam, select

from app.accounts.models import Account
from app.reach.models import Device, LineLink, Preference
from app.reach.preferences import DEFAULTS, LINE, WEB_PUSH
from app.reach.reachable import is_reachable
from app.reach.resolve import DEVICE, LINE_LINK
from app.transaction import Transaction

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


def reaching(tx: Transaction, account_ids: Collection[int], category: str) -> list[Reaching]:
    """Every address that these accounts want told of this category. One query."""
    rows = tx.execute(_REACHING, {"account_ids": list(account_ids), "category": category}).all()
    chosen = {(row.account_id, row.channel): row.enabled for row in rows}
    # Who has two devices comes twice, and who chose for two channels comes twice as often.
    found = dict.fromkeys(address for row in rows for address in _addresses(row))
    return [one for one in found if chosen.get((one.account_id, one.channel), DEFAULTS[one.channel])]


def label_of(person: str, device: str) -> str:
    """What a delivery to a device is labelled with."""
    return f"{person} · {device}"[:LABEL]


def push_gate(endpoint: str) -> str:
    """The gate of the push service that this endpoint belongs to."""
    return f"{WEB_PUSH}:{urlsplit(endpoint).hostname}"


def _addresses(row: Row[*tuple[Any, ...]]) -> Iterator[Reaching]:
    if row.device_id is not None:
        label, gate = label_of(row.person, row.device), push_gate(row.endpoint)
        yield Reaching(row.account_id, WEB_PUSH, DEVICE, row.device_id, label, gate)
    if row.link_id is not None:
        yield Reaching(row.account_id, LINE, LINE_LINK, row.link_id, row.person, LINE)


_OF_CATEGORY = and_(Preference.account_id == Account.id, Preference.category == bindparam("category"))
# Built once: building it takes longer than asking.
_REACHING = (
    select(Account.id.label("account_id"), Account.name.label("person"), LineLink.id.label("link_id"))
    .add_columns(Device.id.label("device_id"), Device.name.label("device"), Device.endpoint)
    .add_columns(Preference.channel, Preference.enabled)
    .outerjoin(Device, Device.account_id == Account.id)
    .outerjoin(LineLink, and_(LineLink.account_id == Account.id, is_reachable()))
    .outerjoin(Preference, _OF_CATEGORY)
    .where(Account.id.in_(bindparam("account_ids", expanding=True)), Account.active)
)
