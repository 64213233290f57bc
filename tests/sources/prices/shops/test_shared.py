"""One reading for all who ask about the same item at the same moment."""

from datetime import datetime, timedelta
from decimal import Decimal

import pytest
import time_machine

from app.sources.prices.models import Adapter
from app.sources.prices.shops.offer import FetchFailed, Price, Reading, ShopItem, Trouble
from app.sources.prices.shops.shared import FRESH, Readings

ITEM = ShopItem("https://shop.example/1", Adapter.PAGE)
AT = datetime.fromisoformat("2027-02-01T12:00:00+09:00")


class Shop:
    """Counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.says: Reading | None = None

    def __call__(self) -> Reading:
        self.asked += 1
        return self.says or Price(Decimal(self.asked), "JPY", "kettle")


def test_what_was_read_just_now_serves_for_some_seconds_and_only_for_that_item() -> None:
    readings, shop = Readings(), Shop()
    with time_machine.travel(AT, tick=False) as traveller:
        first = readings.read(ITEM, shop)
        assert readings.read(ITEM, shop) is first
        readings.read(ShopItem("https://shop.example/2", Adapter.PAGE), shop)
        assert shop.asked == 2
        traveller.shift(FRESH + timedelta(seconds=1))
        assert readings.read(ITEM, shop) is not first


def test_what_failed_is_asked_again_at_once() -> None:
    readings, shop = Readings(), Shop()
    shop.says = FetchFailed(Trouble.UNREACHABLE)
    for _ in range(2):
        readings.read(ITEM, shop)
    assert shop.asked == 2


def test_all_who_wait_for_their_turn_come_back_together() -> None:
    readings, shop = Readings(), Shop()
    with time_machine.travel(AT, tick=False) as traveller:
        shop.says = FetchFailed(Trouble.NOT_ASKED, after=timedelta(seconds=30))
        for _ in range(3):
            readings.read(ITEM, shop)
        assert shop.asked == 1
        traveller.shift(timedelta(seconds=30))
        shop.says = None
        assert isinstance(readings.read(ITEM, shop), Price)


def test_what_broke_is_nobody_elses() -> None:
    readings, shop = Readings(), Shop()

    def broken() -> Reading:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        readings.read(ITEM, broken)
    assert isinstance(readings.read(ITEM, shop), Price)
