"""Storing what looks gave: observation, item, findings and deliveries of a small batch in one transaction.

Level, not edge: a watch is told because what it waits for holds and was not told yet, not because something changed
just now. So whatever is killed between two transactions is found again by the next look.

Locks are taken in the order items, accounts, watches; see `_hold_accounts`.
"""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.exc import StatementError

from app.accounts.models import Account
from app.clock import now
from app.extensions import DATABASE_FAULTS
from app.inbox.notify import Event, notify
from app.sources.prices.audience import ITEM, UNREADABLE
from app.sources.prices.find import News, find
from app.sources.prices.looking import Look
from app.sources.prices.models import Item, Observation, Trigger, Watch
from app.sources.prices.triggers import Wish, holds, is_news
from app.transaction import ROWS_PER_TRANSACTION, Transaction, writing

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Kept:
    """How many deliveries it made, and after which watch to go on: None when all were looked through."""

    owed: int
    after: int | None


def keep(looks: Sequence[Look]) -> int:
    """Store them; how many deliveries that made. What the database refuses of one is left out, and looked at again."""
    try:
        return _keep(looks)
    except StatementError as error:
        if isinstance(error, DATABASE_FAULTS):
            raise
        if len(looks) > 1:
            return sum(keep([one]) for one in looks)
        log.error("a look at item %d could not be stored: %s", looks[0].item.id, type(error).__name__)
        return 0


def _keep(looks: Sequence[Look]) -> int:
    """More than a thousand watches go on in further transactions."""
    with writing() as tx:
        _keep_items(tx, looks)
        kept = _compare(tx, looks, 0)
    owed = kept.owed
    while kept.after is not None:
        with writing() as tx:
            kept = _compare(tx, looks, kept.after)
        owed += kept.owed
    return owed


_ITEM = Item.__table__
_KEPT = update(Item).where(_ITEM.c.id == bindparam("item_id")).values(
    {name: bindparam(f"new_{name}", type_=_ITEM.c[name].type) for name in (
        "title", "currency", "last_price", "in_stock", "read_at", "observed_at", "failures", "unreadable_since",
        "unreadable_why", "next_look_at",
    )}
)  # fmt: skip


def _keep_items(tx: Transaction, looks: Sequence[Look]) -> None:
    """In the order of their ids, for two who look at the same ones."""
    ordered = sorted(looks, key=lambda look: look.item.id)
    watched = _watched(tx, [look.item.id for look in ordered])
    rows = []
    for look in ordered:
        values = look.values()
        if look.item.id not in watched:
            values["next_look_at"] = None
        rows.append({"item_id": look.item.id} | {f"new_{name}": value for name, value in values.items()})
    tx.execute(_KEPT, rows)
    if observations := [seen for look in ordered if (seen := look.observation()) is not None]:
        tx.execute(insert(Observation), observations)
    for look in ordered:
        if look.became_unreadable:
            since = look.at.isoformat(timespec="seconds")
            event = Event(UNREADABLE, f"{UNREADABLE}:{look.item.id}:{since}", ITEM, look.item.id)
            notify(tx, event, _watchers(tx, look.item.id))


def _watched(tx: Transaction, item_ids: Collection[int]) -> set[int]:
    live = select(Watch.item_id).where(Watch.item_id.in_(item_ids), *_LIVE).distinct()
    return set(tx.session.scalars(live))


def _watchers(tx: Transaction, item_id: int) -> Sequence[int]:
    return tx.session.scalars(select(Watch.account_id).where(Watch.item_id == item_id, *_LIVE).distinct()).all()


_LIVE = (Watch.removed_at.is_(None), Watch.paused_at.is_(None))


@dataclass(frozen=True, slots=True)
class Waiting:
    """A watch that is compared."""

    id: int
    account_id: int
    item_id: int
    wish: Wish


def _compare(tx: Transaction, looks: Sequence[Look], after: int) -> Kept:
    """Compare what the shops said with what people wait for, from just after one watch."""
    offers = {look.item.id: look.offer for look in looks if look.offer is not None}
    waiting = _waiting(tx, offers, after)
    news, over, new_baselines = [], [], []
    for one in waiting:
        offer = offers[one.item_id]
        if holds(one.wish, offer):
            if is_news(one.wish, offer):
                news.append(News(one.id, one.account_id, one.wish.trigger, offer.price))
        elif one.wish.false_since is None:
            over.append(one.id)
        if one.wish.baseline is None and one.wish.trigger is Trigger.PERCENT_DROP and offer.price is not None:
            new_baselines.append((one.id, offer.price))
    if news or over:
        _hold_accounts(tx, {one.account_id for one in waiting})
    _note_over(tx, over)
    _note_baselines(tx, new_baselines)
    more = len(waiting) == ROWS_PER_TRANSACTION
    return Kept(find(tx, news), waiting[-1].id if more else None)


def _waiting(tx: Transaction, item_ids: Collection[int], after: int) -> list[Waiting]:
    columns = (Watch.id, Watch.account_id, Watch.item_id, Watch.trigger, Watch.target, Watch.percent, Watch.baseline,
               Watch.last_notified_price, Watch.last_notified_at, Watch.false_since)  # fmt: skip
    rows = select(*columns).where(Watch.item_id.in_(item_ids), Watch.id > after, *_LIVE).order_by(Watch.id)
    found: Sequence[Sequence[Any]] = tx.execute(rows.limit(ROWS_PER_TRANSACTION)).all()
    return [Waiting(row[0], row[1], row[2], Wish(Trigger(row[3]), *row[4:])) for row in found]


def _hold_accounts(tx: Transaction, account_ids: Collection[int]) -> None:
    """Before their watches: who deletes an account holds it, and then takes its watches."""
    held = select(Account.id).where(Account.id.in_(account_ids)).order_by(Account.id)
    tx.execute(held.with_for_update(read=True, key_share=True))


def _note_over(tx: Transaction, watch_ids: Sequence[int]) -> None:
    if watch_ids:
        still_unset = (Watch.id.in_(watch_ids), Watch.false_since.is_(None))
        tx.execute(update(Watch).where(*still_unset).values(false_since=now()))


def _note_baselines(tx: Transaction, found: Sequence[tuple[int, Decimal]]) -> None:
    for watch_id, price in found:
        tx.execute(update(Watch).where(Watch.id == watch_id, Watch.baseline.is_(None)).values(baseline=price))
