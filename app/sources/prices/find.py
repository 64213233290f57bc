"""Owing what was found: one finding for each watch, trigger and local day, and a delivery of it to each address."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import select

from app import i18n
from app.accounts.models import Account
from app.clock import now
from app.columns import unindexed
from app.kinds import INBOX_KINDS
from app.outbox.enqueue import NewDelivery, enqueue
from app.outbox.models import Delivery
from app.reach.addresses import devices, line_links
from app.sources.prices.audience import CATEGORY, KIND, SUBJECT
from app.sources.prices.models import Finding, Trigger
from app.transaction import Transaction


@dataclass(frozen=True, slots=True)
class News:
    """What a watch waits for is so, and was not told."""

    watch_id: int
    account_id: int
    trigger: Trigger


@dataclass(frozen=True, slots=True)
class _To:
    channel: str
    address_type: str
    address_id: int
    label: str
    gate_key: str


def find(tx: Transaction, news: Sequence[News]) -> int:
    """Owe them to wherever each account wants to be told; how many deliveries that made. Twice a day makes none, and
    while one of yesterday still waits, as over quiet hours, it is that one that tells.

    For whoever can be told nowhere nothing is found: it is news still once they can.
    """
    at = now()
    day, expires_at = local_day(at), at + INBOX_KINDS[KIND].lifetime
    waiting = _still_owed(tx, [one.watch_id for one in news])
    addresses = _addresses(tx, {one.account_id for one in news if one.watch_id not in waiting})
    new = _findings(tx, [one for one in news if one.watch_id not in waiting and one.account_id in addresses], day)
    found = [(one, new[one.watch_id]) for one in news if one.watch_id in new]
    return len(enqueue(tx, [
        NewDelivery(
            kind=KIND,
            channel=to.channel,
            dedup_key=f"price:{one.watch_id}:{one.trigger}:{day}:{to.address_type}:{to.address_id}",
            subject_type=SUBJECT,
            subject_id=finding_id,
            subject_version=None,
            account_id=one.account_id,
            address_type=to.address_type,
            address_id=to.address_id,
            address_label=to.label,
            scope=None,
            gate_key=to.gate_key,
            expires_at=expires_at,
        )
        for one, finding_id in found for to in addresses[one.account_id]
    ]))  # fmt: skip


def _still_owed(tx: Transaction, watch_ids: Sequence[int]) -> set[int]:
    """The watches of which something found earlier has not ended."""
    about = (Delivery.subject_type == SUBJECT) & (Delivery.subject_id == Finding.id)
    owed = select(Finding.watch_id).join(Delivery, about).where(unindexed(Delivery.finished_at.is_(None)))
    return set(tx.session.scalars(owed.where(Finding.watch_id.in_(watch_ids)))) if watch_ids else set()


def _findings(tx: Transaction, news: Sequence[News], day: date) -> dict[int, int]:
    """The ids of the new ones, by watch."""
    if not news:
        return {}
    rows = [
        {"watch_id": one.watch_id, "trigger": one.trigger, "local_day": day}
        for one in sorted(news, key=lambda one: one.watch_id)
    ]
    once = tx.insert(Finding).values(rows).on_conflict_do_nothing(index_elements=["watch_id", "trigger", "local_day"])
    return {row.watch_id: row.id for row in tx.execute(once.returning(Finding.id, Finding.watch_id))}


def _addresses(tx: Transaction, account_ids: Collection[int]) -> dict[int, list[_To]]:
    found: dict[int, list[_To]] = {}
    if not account_ids:
        return found
    for channel in (devices, line_links):
        to = channel(lambda account_id: account_id.in_(account_ids), CATEGORY)
        rows = select(Account.id, to.address_id, to.label, to.gate_key).select_from(to.rows).where(to.wanted)
        found_here: Sequence[Sequence[Any]] = tx.execute(rows).all()
        for account_id, *address in found_here:
            found.setdefault(account_id, []).append(_To(to.channel, to.address_type, *address))
    return found


def local_day(at: datetime) -> date:
    """The day of TIMEZONE: 23:59 and 00:01 are two, 08:59 and 09:01 are one."""
    return at.astimezone(i18n.zone()).date()
