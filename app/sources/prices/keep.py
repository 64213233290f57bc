"""Storing what looks gave: observation, item, findings and deliveries of a small batch in one transaction.

Level, not edge: a watch is told because what it waits for holds and was not told yet, not because something changed
just now. So whatever is killed between two transactions is found again by the next look.

Locks are taken in the order items, accounts, watches; see `_hold_accounts`.
"""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import bindparam, select, update
from sqlalchemy.exc import StatementError

from app.accounts.models import Account
from app.clock import now, pause
from app.extensions import DATABASE_FAULTS
from app.sources.prices.find import News, find
from app.sources.prices.looking import KEPT, Look
from app.sources.prices.models import Item, Trigger, Watch
from app.sources.prices.observations import observe
from app.sources.prices.report import LIVE, report
from app.sources.prices.triggers import Wish, holds, is_news
from app.transaction import PAUSE, ROWS_PER_TRANSACTION, Transaction, writing

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
    """More than a thousand watches go on in further transactions, and so do those whose watchers are told of it."""
    with writing() as tx:
        fitting = _keep_items(tx, looks)
        kept = _compare(tx, fitting, 0)
    owed = kept.owed
    while kept.after is not None:
        pause(PAUSE)
        with writing() as tx:
            kept = _compare(tx, fitting, kept.after)
        owed += kept.owed
    for look in fitting:
        if look.is_to_be_reported:
            report(look)
    return owed


_ITEM = Item.__table__
_NEW = {name: bindparam(f"new_{name}", type_=_ITEM.c[name].type) for name in KEPT}
_KEPT = update(Item).where(_ITEM.c.id == bindparam("item_id")).values(_NEW)


def _keep_items(tx: Transaction, looks: Sequence[Look]) -> Sequence[Look]:
    """In the order of their ids, for two who look at the same ones. Those that still fit what is known of the item."""
    held = _hold_items(tx, [look.item.id for look in looks])
    fitting = [look for look in looks if look.item.id in held and look.fits(held[look.item.id].currency)]
    watched = _watched(tx, held)
    rows = []
    for look in fitting:
        now_there = held[look.item.id]
        values = look.values()
        values["currency"] = now_there.currency or values["currency"]
        # Whoever wants a look at once wrote that there meanwhile; and one nobody watches needs none.
        if now_there.next_look_at != look.item.next_look_at:
            values["next_look_at"] = now_there.next_look_at
        elif look.item.id not in watched:
            values["next_look_at"] = None
        rows.append({"item_id": look.item.id} | {f"new_{name}": value for name, value in values.items()})
    if rows:
        tx.execute(_KEPT, rows)
    observe(tx, fitting)
    return fitting


@dataclass(frozen=True, slots=True)
class Held:
    """What may have changed of an item since the look at it began."""

    id: int
    next_look_at: datetime | None
    currency: str | None


def _hold_items(tx: Transaction, item_ids: Collection[int]) -> dict[int, Held]:
    rows = select(Item.id, Item.next_look_at, Item.currency).where(Item.id.in_(item_ids)).order_by(Item.id)
    return {row.id: Held(*row) for row in tx.session.execute(rows.with_for_update())}


def _watched(tx: Transaction, item_ids: Collection[int]) -> set[int]:
    live = select(Watch.item_id).where(Watch.item_id.in_(item_ids), *LIVE).distinct()
    return set(tx.session.scalars(live))


@dataclass(frozen=True, slots=True)
class Compared:
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
                news.append(News(one.id, one.account_id, one.wish.trigger))
        elif one.wish.false_since is None:
            over.append(one.id)
        if one.wish.baseline is None and one.wish.trigger is Trigger.PERCENT_DROP and offer.price is not None:
            new_baselines.append((one.id, offer.price))
    if news or over:
        _hold_accounts(tx, {one.account_id for one in waiting})
    _hold_watches(tx, [*over, *(watch_id for watch_id, _price in new_baselines)])
    _note_over(tx, over)
    _note_baselines(tx, new_baselines)
    more = len(waiting) == ROWS_PER_TRANSACTION
    return Kept(find(tx, news), waiting[-1].id if more else None)


def _waiting(tx: Transaction, item_ids: Collection[int], after: int) -> list[Compared]:
    columns = (Watch.id, Watch.account_id, Watch.item_id, Watch.trigger, Watch.target, Watch.percent, Watch.baseline,
               Watch.last_notified_price, Watch.last_notified_at, Watch.false_since)  # fmt: skip
    rows = select(*columns).where(Watch.item_id.in_(item_ids), Watch.id > after, *LIVE).order_by(Watch.id)
    found: Sequence[Sequence[Any]] = tx.execute(rows.limit(ROWS_PER_TRANSACTION)).all()
    return [Compared(row[0], row[1], row[2], Wish(Trigger(row[3]), *row[4:])) for row in found]


def _hold_accounts(tx: Transaction, account_ids: Collection[int]) -> None:
    """Before their watches: who deletes an account holds it, and then takes its watches."""
    held = select(Account.id).where(Account.id.in_(account_ids)).order_by(Account.id)
    tx.execute(held.with_for_update(read=True, key_share=True))


def _hold_watches(tx: Transaction, watch_ids: Collection[int]) -> None:
    """In the order of their ids, as whoever notes what was told takes them."""
    if watch_ids:
        rows = select(Watch.id).where(Watch.id.in_(watch_ids)).order_by(Watch.id)
        tx.execute(rows.with_for_update(key_share=True))


def _note_over(tx: Transaction, watch_ids: Sequence[int]) -> None:
    if watch_ids:
        still_unset = (Watch.id.in_(watch_ids), Watch.false_since.is_(None))
        tx.execute(update(Watch).where(*still_unset).values(false_since=now()))


_WATCH = Watch.__table__
_BASELINE = update(Watch).where(_WATCH.c.id == bindparam("watch_id"), _WATCH.c.baseline.is_(None)).values(
    {"baseline": bindparam("price", type_=_WATCH.c.baseline.type)}
)  # fmt: skip


def _note_baselines(tx: Transaction, found: Sequence[tuple[int, Decimal]]) -> None:
    if found:
        tx.execute(_BASELINE, [{"watch_id": watch_id, "price": price} for watch_id, price in found])
