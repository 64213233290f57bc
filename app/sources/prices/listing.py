"""What pages show of watches: plain values, of the account's own."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import ColumnElement, Select, func, select

from app.clock import now
from app.columns import there_is
from app.extensions import db
from app.outbox.models import Delivery
from app.outbox.state import State
from app.reach.addresses import devices, line_links
from app.sources.prices.audience import CATEGORY, SUBJECT
from app.sources.prices.find import local_day
from app.sources.prices.looking import SILENT_FOR
from app.sources.prices.models import Finding, Item, Observation, Said, Watch
from app.sources.prices.triggers import Wish, wish_of


@dataclass(frozen=True, slots=True)
class WatchLine:
    """One watch with its item. `price` and `in_stock` are what was read at `read_at`; None: not read yet.

    `silent_since`: its shop has given no answer for a day or longer; `unanswered`: for less. `found_today`: what may be
    told of it today was found already.
    """

    id: int
    item_id: int
    url: str
    title: str
    currency: str | None
    price: Decimal | None
    in_stock: bool | None
    read_at: datetime | None
    unreadable_since: datetime | None
    unreadable_why: str | None
    silent_since: datetime | None
    unanswered: bool
    found_today: bool
    wish: Wish
    paused_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Seen:
    """What was read at one moment; `why`: it could not be."""

    at: datetime
    price: Decimal | None
    in_stock: bool
    why: str | None


@dataclass(frozen=True, slots=True)
class Told:
    """One delivery of a watch: what became of it and, if it was sent, what it said."""

    delivery_id: int
    channel: str
    address_label: str
    state: str
    reason: str | None
    created_at: datetime
    finished_at: datetime | None
    next_attempt_at: datetime | None
    price: Decimal | None
    currency: str | None
    read_at: datetime | None
    detail: str | None


def watches_of(account_id: int) -> list[WatchLine]:
    """Everything that this account watches, newest first."""
    return _lines(Watch.account_id == account_id)


def watch_of(account_id: int, watch_id: int) -> WatchLine | None:
    """One of them; None if it is no watch of this account, or not any more."""
    return next(iter(_lines((Watch.account_id == account_id) & (Watch.id == watch_id))), None)


def was_watched(account_id: int, watch_id: int) -> bool:
    """Whether it is a watch of this account that was removed."""
    return _removed(account_id, watch_id) is not None


def in_place_of(account_id: int, watch_id: int) -> int | None:
    """The watch of the same item that this account has in place of one that was removed, as when it took over a
    guest's; None if there is none."""
    removed = _removed(account_id, watch_id)
    if removed is None:
        return None
    live = select(Watch.id).where(Watch.account_id == account_id, Watch.item_id == removed, Watch.removed_at.is_(None))
    return db.session.scalar(live.order_by(Watch.id).limit(1))


def _removed(account_id: int, watch_id: int) -> int | None:
    removed = (Watch.id == watch_id, Watch.account_id == account_id, Watch.removed_at.is_not(None))
    return db.session.scalar(select(Watch.item_id).where(*removed))


def histories_of(item_ids: Collection[int], size: int) -> dict[int, list[Seen]]:
    """What was last read of each of these items, oldest first: what changed, and one reading a day. One statement."""
    found: dict[int, list[Seen]] = {item_id: [] for item_id in item_ids}
    begins = _begins(item_ids, size).subquery()
    shown = (Observation.item_id == begins.c.item_id) & (Observation.at >= begins.c.at)
    columns = (Observation.at, Observation.price, Observation.in_stock, Observation.why)
    rows = select(Observation.item_id, *columns).join_from(begins, Observation, shown).order_by(Observation.at)
    for item_id, at, price, in_stock, why in db.session.execute(rows):
        found[item_id].append(Seen(at, price, in_stock, why))
    return found


def _begins(item_ids: Collection[int], size: int) -> Select[int, datetime]:
    """Since when each of these items is shown: from its reading of that number, or else from its first."""
    own = select(Observation.at).where(Observation.item_id == Item.id)
    last = own.order_by(Observation.at.desc()).offset(size - 1).limit(1).scalar_subquery()
    first = own.order_by(Observation.at).limit(1).scalar_subquery()
    return select(Item.id.label("item_id"), func.coalesce(last, first).label("at")).where(Item.id.in_(item_ids))


def story_of(watch_id: int, size: int) -> Sequence[Told]:
    """What was sent for a watch, and what was rightly not sent and why; newest first."""
    rows = (
        select(Delivery, Said.price, Said.currency, Said.read_at)
        .outerjoin(Said, Said.delivery_id == Delivery.id)
        .where(_about(watch_id))
        .order_by(Delivery.created_at.desc(), Delivery.id.desc())
        .limit(size)
    )
    return [
        Told(
            one.id,
            one.channel,
            one.address_label,
            one.state,
            one.reason,
            one.created_at,
            one.finished_at,
            one.next_attempt_at,
            price,
            currency,
            read_at,
            one.cancel_detail,
        )
        for one, price, currency, read_at in db.session.execute(rows)
    ]


def numbers_of(watch_id: int) -> dict[State, int]:
    """How many deliveries of a watch are in each state, of all there ever were."""
    rows = select(Delivery.state, func.count()).where(_about(watch_id)).group_by(Delivery.state)
    found = dict(db.session.execute(rows).all())
    return {state: found.get(state, 0) for state in State}


def _about(watch_id: int) -> ColumnElement[bool]:
    found = select(Finding.id).where(Finding.watch_id == watch_id)
    return (Delivery.subject_type == SUBJECT) & Delivery.subject_id.in_(found)


def is_reached(account_id: int) -> bool:
    """Whether there is anything where this account wants to be told of prices: if not, nothing is ever owed."""
    for channel in (devices, line_links):
        to = channel(lambda whose: whose == account_id, CATEGORY)
        if db.session.scalar(select(to.address_id).select_from(to.rows).where(to.wanted).limit(1)) is not None:
            return True
    return False


def _lines(which: ColumnElement[bool]) -> list[WatchLine]:
    about = (Finding.watch_id == Watch.id) & (Finding.trigger == Watch.trigger)
    found_today = there_is(Finding, where=about & (Finding.local_day == local_day(now())))
    live = select(Watch, Item, found_today).join(Item, Item.id == Watch.item_id)
    rows = db.session.execute(live.where(which, Watch.removed_at.is_(None)).order_by(Watch.id.desc()))
    return [_line(watch, item, bool(found)) for watch, item, found in rows]


def _silent_since(item: Item) -> datetime | None:
    is_silent = item.failing_since and not item.unreadable_since and now() - item.failing_since >= SILENT_FOR
    return item.failing_since if is_silent else None


def _line(watch: Watch, item: Item, found_today: bool) -> WatchLine:
    silent_since = _silent_since(item)
    return WatchLine(
        id=watch.id,
        item_id=item.id,
        url=item.url,
        title=item.title,
        currency=item.currency,
        price=item.last_price,
        in_stock=item.in_stock,
        read_at=item.read_at,
        unreadable_since=item.unreadable_since,
        unreadable_why=item.unreadable_why,
        silent_since=silent_since,
        unanswered=item.failing_since is not None and item.unreadable_since is None and silent_since is None,
        found_today=found_today,
        wish=wish_of(watch),
        paused_at=watch.paused_at,
        created_at=watch.created_at,
    )
