"""Right before sending: what does the shop say now? is that still what the person waits for?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask import current_app
from sqlalchemy import select

from app.codes import CancelReason, FailureCode
from app.extensions import db
from app.kinds import REQUEST_BOUND, Ask, Cancel, Due, FinalVerdict, Hold, TryLater, Verdict
from app.sources.prices import messages
from app.sources.prices.models import Adapter, Finding, Item, Watch
from app.sources.prices.saying import Saying
from app.sources.prices.shops.offer import FetchFailed, Price, Reading, ShopItem, Trouble, Unavailable
from app.sources.prices.shops.registry import Shops, read, shops, waits_on
from app.sources.prices.shops.shared import READINGS
from app.sources.prices.triggers import Offer, Wish, holds, is_news, wish_of


@dataclass(frozen=True, slots=True)
class Found:
    """A finding with all that is needed to judge it. `told`: another delivery of it was sent already."""

    finding_id: int
    watch_id: int
    title: str
    wish: Wish
    told: bool
    item: ShopItem


def ask_shops(deliveries: Sequence[Due]) -> Mapping[int, Verdict]:
    """What to ask of whose shop about each of these findings; one query."""
    known = shops(current_app.config["SETTINGS"])
    found = _found([due.subject_id for due in deliveries])
    return {due.id: _question(known, found[due.subject_id]) for due in deliveries}


def judged(found: Found, reading: Reading) -> FinalVerdict | Saying:
    """Why it is not sent, or not now; or what is to be said."""
    match reading:
        case FetchFailed():
            return _later(reading)
        case Unavailable():
            return Cancel(CancelReason.OUT_OF_STOCK)
        case Price() if found.item.currency not in (None, reading.currency):
            return TryLater(FailureCode.REFETCH_UNREADABLE)  # it was asked before anybody knew in which
        case Price():
            offer = Offer(reading.amount, in_stock=True)
            if not holds(found.wish, offer) or not (found.told or is_news(found.wish, offer)):
                said = messages.instead(reading.amount, reading.currency, reading.read_at)
                return Cancel(CancelReason.CONDITION_LOST, said)
            return Saying(found.finding_id, found.watch_id, reading.title or found.title, found.wish,
                          reading.amount, reading.currency, reading.read_at)  # fmt: skip


def _found(finding_ids: Sequence[int]) -> dict[int, Found]:
    rows = (
        select(Finding, Watch, Item)
        .join(Watch, Watch.id == Finding.watch_id)
        .join(Item, Item.id == Watch.item_id)
        .where(Finding.id.in_(finding_ids))
    )
    return {
        finding.id: Found(
            finding.id, watch.id, item.title, wish_of(watch), finding.told_at is not None,
            ShopItem(item.url, Adapter(item.adapter), item.price_path, item.stock_path, item.currency),
        )
        for finding, watch, item in db.session.execute(rows)
    }  # fmt: skip


def _question(known: Shops, found: Found) -> Ask:
    return Ask(lambda: _reread(known, found.item), waits_on(found.item), found)


def _reread(known: Shops, item: ShopItem) -> Reading:
    """Runs in a thread of the engine."""
    return READINGS.read(item, lambda: read(known, item, REQUEST_BOUND))


def _later(failed: FetchFailed) -> FinalVerdict:
    match failed.kind:
        case Trouble.NOT_ASKED:
            return Hold(failed.at + failed.after) if failed.after else TryLater(FailureCode.REFETCH_UNREACHABLE)
        case Trouble.RATE_LIMITED:
            return TryLater(FailureCode.REFETCH_RATE_LIMITED, failed.after)
        case Trouble.UNREADABLE:
            return TryLater(FailureCode.REFETCH_UNREADABLE)
        case Trouble.UNREACHABLE:
            return TryLater(FailureCode.REFETCH_UNREACHABLE, failed.after)
