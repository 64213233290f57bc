"""What is said of a finding: only in the currency it is watched in, and the same after it was noted."""

import json
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from app.codes import FailureCode
from app.kinds import TryLater
from app.sources.prices.models import Adapter, Trigger
from app.sources.prices.recheck import Found, judged
from app.sources.prices.saying import Saying, saying_of
from app.sources.prices.shops.offer import Price, ShopItem
from app.sources.prices.triggers import Wish

AT = datetime(2027, 2, 1, 3, 5, 0, 123456, tzinfo=UTC)
CHEAP = Wish(Trigger.BELOW_TARGET, target=Decimal(1500))


def found(currency: str | None) -> Found:
    """Something that is cheap, of an item in this currency."""
    page = ShopItem("https://a.example/", Adapter.PAGE, currency=currency)
    return Found(1, 2, "kettle", CHEAP, told=False, item=page)


@pytest.mark.parametrize("currency", ["JPY", None])
def test_what_is_cheap_is_said(currency: str | None) -> None:
    said = judged(found(currency), Price(Decimal(1400), "JPY", "", AT))
    assert said == Saying(1, 2, "kettle", CHEAP, Decimal(1400), "JPY", AT)


def test_what_was_asked_before_its_currency_was_known_is_not_compared() -> None:
    assert judged(found("JPY"), Price(Decimal(12), "USD", "", AT)) == TryLater(FailureCode.REFETCH_UNREADABLE)


@pytest.mark.parametrize(
    "wish",
    [CHEAP, Wish(Trigger.PERCENT_DROP, percent=20, baseline=Decimal("1980.50")), Wish(Trigger.BACK_IN_STOCK)],
)
def test_what_is_noted_is_what_was_said(wish: Wish) -> None:
    said = Saying(1, 2, "ケトル", wish, Decimal("14.9000"), "EUR", AT)
    assert saying_of(json.loads(json.dumps(said.noted()))) == said
