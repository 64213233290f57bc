"""What watches wait for, as pure questions: asked by detection and again right before sending, in the same words."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from app.sources.prices.models import Trigger, Watch


@dataclass(frozen=True, slots=True)
class Wish:
    """What one watch waits for, and what was told of it last. `false_since`: it did not hold in between."""

    trigger: Trigger
    target: Decimal | None = None
    percent: int | None = None
    baseline: Decimal | None = None
    told_price: Decimal | None = None
    told_at: datetime | None = None
    false_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """What a shop says now. `price` is None where it says none, as for what it has no more."""

    price: Decimal | None
    in_stock: bool


def wish_of(watch: Watch) -> Wish:
    """The wish that this row holds."""
    return Wish(
        trigger=Trigger(watch.trigger),
        target=watch.target,
        percent=watch.percent,
        baseline=watch.baseline,
        told_price=watch.last_notified_price,
        told_at=watch.last_notified_at,
        false_since=watch.false_since,
    )


def holds(wish: Wish, offer: Offer) -> bool:
    """Whether what it waits for is so. What nobody can buy has no price."""
    if not offer.in_stock or offer.price is None:
        return False
    if wish.trigger is Trigger.BACK_IN_STOCK:
        return True
    most = limit(wish)
    return most is not None and offer.price <= most


def limit(wish: Wish) -> Decimal | None:
    """The most that it may cost; None where that is not known yet, or does not matter."""
    match wish.trigger:
        case Trigger.BELOW_TARGET:
            return wish.target
        case Trigger.PERCENT_DROP if wish.baseline is not None and wish.percent is not None:
            return wish.baseline * (100 - wish.percent) / 100
        case _:
            return None


def is_news(wish: Wish, offer: Offer) -> bool:
    """Whether it was not told yet: never, or it did not hold in between, or the price has fallen further.

    What is back in stock was away before; cheaper alone it is no news.
    """
    if wish.false_since is not None:
        return True
    if wish.trigger is Trigger.BACK_IN_STOCK:
        return False
    if wish.told_at is None:
        return True
    return offer.price is not None and wish.told_price is not None and offer.price < wish.told_price
