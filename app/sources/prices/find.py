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

    @property
    def place(self) -> tuple[str, int]:
        """The address, as deliveries name it."""
        return self.address_type, self.address_id


@dataclass(frozen=True, slots=True)
class _Owed:
    """What has not ended: watches of which nobody was told it, and where the others (watch, address) wait."""

    untold: set[int]
    at: set[tuple[int, str, int]]


def find(tx: Transaction, news: Sequence[News]) -> int:
    """Owe them to wherever each account wants to be told; how many deliveries that made. Twice a day makes none, and
    while one of yesterday still waits, as over quiet hours, it is that one that tells: everywhere as long as nobody was
    told of it, and then where it waits, as for a push service that is away.

    For whoever can be told nowhere nothing is found: it is news still once they can.
    """
    at = now()
    day, expires_at = local_day(at), at + INBOX_KINDS[KIND].lifetime
    owed = _still_owed(tx, [one.watch_id for one in news])
    open_to = [one for one in news if one.watch_id not in owed.untold]
    addresses = _addresses(tx, {one.account_id for one in open_to})
    free = {
        one.watch_id: [to for to in addresses.get(one.account_id, ()) if (one.watch_id, *to.place) not in owed.at]
        for one in open_to
    }
    new = _findings(tx, [one for one in open_to if free[one.watch_id]], day)
    found = [(one, new[one.watch_id]) for one in open_to if one.watch_id in new]
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
        for one, finding_id in found for to in free[one.watch_id]
    ]))  # fmt: skip


def _still_owed(tx: Transaction, watch_ids: Sequence[int]) -> _Owed:
    """Of what was found of these watches earlier."""
    owed = _Owed(set(), set())
    about = (Delivery.subject_type == SUBJECT) & (Delivery.subject_id == Finding.id)
    columns = (Finding.watch_id, Finding.told_at, Delivery.address_type, Delivery.address_id)
    rows = select(*columns).join(Delivery, about).where(unindexed(Delivery.finished_at.is_(None)))
    if not watch_ids:
        return owed
    for watch_id, told_at, address_type, address_id in tx.session.execute(rows.where(Finding.watch_id.in_(watch_ids))):
        if told_at is None:
            owed.untold.add(watch_id)
        owed.at.add((watch_id, address_type, address_id))
    return owed


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
