"""Where somebody wants to be told what also waits in their inbox: their devices, and LINE if they chose it."""

from urllib.parse import urlsplit

from sqlalchemy import ColumnElement, Select, Subquery, func, literal, select, union_all

from app.accounts.models import Account
from app.reach.models import Device, LineLink, Preference
from app.reach.preferences import DEFAULTS, LINE, WEB_PUSH
from app.reach.reachable import is_reachable
from app.reach.resolve import DEVICE, LINE_LINK

LABEL = 200
"""Characters that a delivery keeps of where it went."""


def addresses(which: ColumnElement[bool], category: str) -> Subquery:
    """SQL: every address that accounts want told of this category; `which` of them is a condition on `account`.

    Its columns are called as those of `delivery` that they fill (`account_id`, `channel`, `address_type`, `address_id`,
    `address_label`, `gate_key`), and `language` is the one in which is read there.
    """
    return union_all(_devices(which, category), _links(which, category)).subquery("address")


def push_gate(endpoint: str) -> str:
    """The gate of the push service that this endpoint belongs to."""
    return f"{WEB_PUSH}:{urlsplit(endpoint).hostname}"


def _devices(which: ColumnElement[bool], category: str) -> Select[*tuple[object, ...]]:
    label = func.substr(Account.name + " · " + Device.name, 1, LABEL)
    return (
        select(
            Account.id.label("account_id"),
            literal(WEB_PUSH).label("channel"),
            literal(DEVICE).label("address_type"),
            Device.id.label("address_id"),
            label.label("address_label"),
            Device.gate_key,
            Device.language,
        )
        .join(Device, Device.account_id == Account.id)
        .where(which, Account.active, _wants(category, WEB_PUSH))
    )


def _links(which: ColumnElement[bool], category: str) -> Select[*tuple[object, ...]]:
    return (
        select(
            Account.id.label("account_id"),
            literal(LINE).label("channel"),
            literal(LINE_LINK).label("address_type"),
            LineLink.id.label("address_id"),
            Account.name.label("address_label"),
            literal(LINE).label("gate_key"),
            Account.language,
        )
        .join(LineLink, LineLink.account_id == Account.id)
        .where(which, is_reachable(), _wants(category, LINE))
    )


def _wants(category: str, channel: str) -> ColumnElement[bool]:
    """SQL on `account`: its own choice, and where it made none, the channel's default."""
    this = (Preference.account_id == Account.id) & (Preference.category == category) & (Preference.channel == channel)
    return func.coalesce(select(Preference.enabled).where(this).scalar_subquery(), literal(DEFAULTS[channel]))
