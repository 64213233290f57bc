"""Where somebody wants to be told what also waits in their inbox: their devices, and LINE if they chose it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import ColumnElement, FromClause, SQLColumnExpression, and_, func, join, literal, select

from app.accounts.models import Account
from app.reach.models import Device, LineLink, Preference
from app.reach.preferences import DEFAULTS, LINE, WEB_PUSH
from app.reach.reachable import is_reachable
from app.reach.resolve import DEVICE, LINE_LINK

LABEL = 200
"""Characters that a delivery keeps of where it went."""

Category = str | SQLColumnExpression[str]
Within = Callable[[SQLColumnExpression[int]], ColumnElement[bool]]
"""Which accounts, as a condition on whatever column holds their ids: said of each table, it finds them by an index."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """SQL: the addresses of accounts on one channel, wherever they want to be told.

    `rows` joins `account` with them, `wanted` is the condition; the rest are columns. In `language` is read there.
    """

    channel: str
    address_type: str
    rows: FromClause
    wanted: ColumnElement[bool]
    address_id: SQLColumnExpression[int]
    label: SQLColumnExpression[str]
    gate_key: SQLColumnExpression[str]
    language: SQLColumnExpression[str]


def devices(within: Within, category: Category) -> Addresses:
    """The devices of these accounts, where they want to be told of this category."""
    return Addresses(
        channel=WEB_PUSH,
        address_type=DEVICE,
        rows=join(Account, Device, Device.account_id == Account.id),
        wanted=and_(within(Account.id), within(Device.account_id), Account.active, _wants(category, WEB_PUSH)),
        address_id=Device.id,
        label=func.substr(Account.name + " · " + Device.name, 1, LABEL),
        gate_key=Device.gate_key,
        language=Device.language,
    )


def line_links(within: Within, category: Category) -> Addresses:
    """The LINE links of these accounts, likewise."""
    return Addresses(
        channel=LINE,
        address_type=LINE_LINK,
        rows=join(Account, LineLink, LineLink.account_id == Account.id),
        wanted=and_(within(Account.id), within(LineLink.account_id), is_reachable(), _wants(category, LINE)),
        address_id=LineLink.id,
        label=Account.name,
        gate_key=literal(LINE),
        language=Account.language,
    )


def push_gate(endpoint: str) -> str:
    """The gate of the push service that this endpoint belongs to."""
    return f"{WEB_PUSH}:{urlsplit(endpoint).hostname}"


def _wants(category: Category, channel: str) -> ColumnElement[Any]:
    """SQL on `account`: its own choice, and where it made none, the channel's default."""
    this = (Preference.account_id == Account.id) & (Preference.category == category) & (Preference.channel == channel)
    return func.coalesce(select(Preference.enabled).where(this).scalar_subquery(), literal(DEFAULTS[channel]))
