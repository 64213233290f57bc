"""JSON endpoints with a configured path to price and stock."""

from decimal import Decimal

import pytest

from app.sources.prices.models import Adapter
from app.sources.prices.shops.json_endpoint import read_json
from app.sources.prices.shops.offer import FetchFailed, Price, ShopItem, Unavailable, Why

ITEM = ShopItem("https://shop.example/api/1", Adapter.JSON, "/data/0/price", "/data/0/stock", "JPY")


@pytest.mark.parametrize("stock", ["5", "true", '"in stock"', '"available"'])
def test_price_and_stock_stand_where_their_paths_say(stock: str) -> None:
    reading = read_json(f'{{"data": [{{"price": 1980, "stock": {stock}}}]}}'.encode(), ITEM)
    assert isinstance(reading, Price)
    assert (reading.amount, reading.currency) == (Decimal(1980), "JPY")


@pytest.mark.parametrize("stock", ["0", "false", '"sold out"'])
def test_none_left(stock: str) -> None:
    assert isinstance(read_json(f'{{"data": [{{"price": 1980, "stock": {stock}}}]}}'.encode(), ITEM), Unavailable)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"<html>", Why.NO_PRODUCT),
        (b'{"data": [{"stock": 1}]}', Why.NO_PRODUCT),
        (b'{"data": [{"stock": "perhaps", "price": 1}]}', Why.UNCLEAR_STOCK),
        (b'{"data": [{"price": 1}]}', Why.UNCLEAR_STOCK),
        (b'{"data": [{"stock": 1, "price": 19.8}]}', Why.UNCLEAR_PRICE),
        (b'{"data": [{"stock": 1, "price": true}]}', Why.UNCLEAR_PRICE),
        (b"[" * 100_000, Why.NO_PRODUCT),
        (b'{"data": [{"stock": 1, "price": 1E+999999999999999999999}]}', Why.NO_PRODUCT),
        (b'{"data": [{"stock": 1, "price": 1E-999999999}]}', Why.UNCLEAR_PRICE),
        (b'{"data": [{"stock": 1, "price": 0}]}', Why.UNCLEAR_PRICE),
        (b'{"data": [{"stock": 1, "price": "\\ud800"}]}', Why.UNCLEAR_PRICE),
        (b"\xff\xfe\x00\xd8", Why.NO_PRODUCT),
    ],
)
def test_anything_else_is_not_read(body: bytes, why: Why) -> None:
    reading = read_json(body, ITEM)
    assert isinstance(reading, FetchFailed)
    assert reading.why == why
