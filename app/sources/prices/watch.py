"""Watching: what a person does with their watches. Every verb takes the account that acts, and touches no other's."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from flask_babel import gettext as _
from sqlalchemy import ColumnElement, delete, func, select, update

from app.accounts.known import Known, hold
from app.accounts.models import Role
from app.clock import now
from app.faults import Fault, InvalidInput
from app.sources.prices.looking import LONGEST_TITLE
from app.sources.prices.models import Finding, Item, Said, Trigger, Watch
from app.sources.prices.shops.offer import FetchFailed, Price, Reading, ShopItem, Unavailable
from app.sources.prices.shops.pace import host_of
from app.sources.prices.wishes import Wished
from app.transaction import Transaction

SCAN = "prices"
MOST_WATCHES, MOST_OF_A_GUEST = 100, 10


class NoSuchWatchError(LookupError):
    """This account has no such watch, or not any more."""


@dataclass(frozen=True, slots=True)
class Watched:
    """The new watch. `again`: it was there already."""

    id: int
    again: bool


def watch(tx: Transaction, account_id: int, item: ShopItem, reading: Reading, wished: Wished) -> Watched:
    """Watch an item that was just looked at; it may have given no answer, then the scan looks again soon.

    The same wish for the same item is one watch, which then waits for what was wished last. Raises InvalidInput when
    the account has too many, NoSuchAccountError.
    """
    account = hold(tx, account_id)
    item_id = _item(tx, replace(item, currency=item.currency or wished.currency), reading)
    price = reading.amount if isinstance(reading, Price) else None
    live = (Watch.account_id == account_id, Watch.item_id == item_id, Watch.trigger == wished.trigger,
            Watch.removed_at.is_(None))  # fmt: skip
    present = tx.session.scalar(select(Watch.id).where(*live))
    wish = {"target": wished.target, "percent": wished.percent, "baseline": price}
    # What is out of stock when the wait for it begins has been away: its return is news.
    is_away = wished.trigger is Trigger.BACK_IN_STOCK and isinstance(reading, Unavailable)
    away = now() if is_away else None
    if present is not None:
        since = func.coalesce(Watch.false_since, away)
        tx.session.execute(update(Watch).where(Watch.id == present).values(**wish, paused_at=None, false_since=since))
        return Watched(present, again=True)
    _demand_room(tx, account)
    made = Watch(account_id=account_id, item_id=item_id, trigger=wished.trigger, **wish, false_since=away,
                 created_at=now())  # fmt: skip
    tx.session.add(made)
    tx.session.flush()
    return Watched(made.id, again=False)


def pause(tx: Transaction, account_id: int, watch_id: int) -> bool:
    """Look no more, and send nothing of it, until it is resumed. False if it was paused already.

    Raises NoSuchWatchError.
    """
    found = _held(tx, account_id, watch_id)
    if found.paused_at is not None:
        return False
    found.paused_at = now()
    return True


def resume(tx: Transaction, account_id: int, watch_id: int) -> bool:
    """Look again, at once. False if it was not paused. Raises NoSuchWatchError."""
    item_id = _item_of(tx, account_id, watch_id)
    # Detection holds items before watches.
    tx.session.execute(select(Item.id).where(Item.id == item_id).with_for_update(key_share=True))
    found = _held(tx, account_id, watch_id)
    if found.paused_at is None:
        return False
    found.paused_at = None
    _look(tx, item_id)
    return True


def remove(tx: Transaction, account_id: int, watch_id: int) -> None:
    """Wait for it no more. What was sent stays in the list of deliveries. Raises NoSuchWatchError."""
    _held(tx, account_id, watch_id).removed_at = now()


def look_now(tx: Transaction, account_id: int, watch_id: int) -> None:
    """Let the scan look at its item at once, as far as the pace of its shop allows. Raises NoSuchWatchError."""
    _look(tx, _item_of(tx, account_id, watch_id))


def forget(tx: Transaction, account_id: int) -> None:
    """Whoever is deleted waits for nothing, and what was found for them goes."""
    theirs = select(Watch.id).where(Watch.account_id == account_id)
    found = select(Finding.id).where(Finding.watch_id.in_(theirs))
    unsynchronised = {"synchronize_session": False}
    for rows in (delete(Said).where(Said.finding_id.in_(found)), delete(Finding).where(Finding.watch_id.in_(theirs))):
        tx.session.execute(rows, execution_options=unsynchronised)
    hold_all(tx, account_id)
    tx.session.execute(delete(Watch).where(Watch.account_id == account_id), execution_options=unsynchronised)


def hold_all(tx: Transaction, *account_ids: int) -> None:
    """Everything that these accounts ever watched, in the order of the ids, as detection takes watches."""
    rows = select(Watch.id).where(Watch.account_id.in_(account_ids)).order_by(Watch.id)
    tx.execute(rows.with_for_update())


def _demand_room(tx: Transaction, account: Known) -> None:
    most = MOST_OF_A_GUEST if account.role is Role.GUEST else MOST_WATCHES
    live = select(func.count()).where(Watch.account_id == account.id, Watch.removed_at.is_(None))
    if (tx.session.scalar(live) or 0) >= most:
        full = _("You watch %(number)d things already. Remove one first.", number=most)
        raise InvalidInput(Fault("url", full))


def _item(tx: Transaction, item: ShopItem, reading: Reading) -> int:
    """The item's id; made if it is new, with what was read of it. The scan looks at it soon."""
    currency = reading.currency if isinstance(reading, Price) else item.currency
    address = {"url": item.url, "price_path": item.price_path, "stock_path": item.stock_path}
    read = _read(reading)
    item_id = _known(tx, address, currency, read, is_read=isinstance(reading, Price))
    if item_id is None:
        key = address | {"named_currency": currency or ""}
        new = tx.insert(Item).values(**key, adapter=item.adapter, title=_title(item, reading), currency=currency,
                                     failures=0, created_at=now(), **read)  # fmt: skip
        tx.session.execute(new.on_conflict_do_nothing(index_elements=list(key)))
        item_id = tx.session.execute(select(Item.id).filter_by(**key)).scalar_one()
    _look(tx, item_id)
    return item_id


def _known(
    tx: Transaction, address: Mapping[str, str], currency: str | None, read: Mapping[str, Any], *, is_read: bool
) -> int | None:
    """The item that is sold there in this currency. What nobody had read yet is, once it was read, the one of that.

    Whoever knows no currency watches what was read there, or is not read yet: not what somebody else only says it is.
    """
    known = select(Item).filter_by(**address).order_by(Item.currency.is_(None), Item.id).limit(1)
    if currency is None:
        known = known.where((Item.named_currency == "") | Item.read_at.is_not(None))
    elif is_read:
        known = known.where((Item.currency == currency) | Item.currency.is_(None))
    else:
        known = known.where(Item.currency == currency)
    found = tx.session.scalar(known.with_for_update(key_share=True))
    if found is None:
        return None
    found.currency = found.currency or currency
    for name, value in read.items() if _is_newer(read, found) else ():
        setattr(found, name, value)
    return found.id


def _is_newer(read: Mapping[str, Any], item: Item) -> bool:
    """Whether somebody just saw more of the item than the scan had read: what they saw is what they shall find."""
    return bool(read) and (item.read_at is None or item.read_at < read["read_at"])


def _read(reading: Reading) -> dict[str, Any]:
    match reading:
        case Price():
            return {"last_price": reading.amount, "in_stock": True, "read_at": reading.read_at}
        case Unavailable():
            return {"in_stock": False, "read_at": reading.read_at}
        case FetchFailed():
            return {}


def _look(tx: Transaction, item_id: int) -> None:
    tx.session.execute(update(Item).where(Item.id == item_id).values(next_look_at=now()))
    tx.wake(SCAN)


def _title(item: ShopItem, reading: Reading) -> str:
    said = getattr(reading, "title", "")
    return (said or host_of(item.url))[:LONGEST_TITLE]


def _item_of(tx: Transaction, account_id: int, watch_id: int) -> int:
    found = tx.session.scalar(select(Watch.item_id).where(*_live(account_id, watch_id)))
    if found is None:
        raise NoSuchWatchError(watch_id)
    return found


def _held(tx: Transaction, account_id: int, watch_id: int) -> Watch:
    found = tx.session.scalar(select(Watch).where(*_live(account_id, watch_id)).with_for_update())
    if found is None:
        raise NoSuchWatchError(watch_id)
    return found


def _live(account_id: int, watch_id: int) -> tuple[ColumnElement[bool], ...]:
    return Watch.id == watch_id, Watch.account_id == account_id, Watch.removed_at.is_(None)
