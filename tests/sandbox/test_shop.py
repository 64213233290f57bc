"""The sample shop: its pages are read as those of a real shop, and do what their switches say."""

import sqlite3
from contextlib import closing
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
import requests
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app.sandbox.store import Store
from app.sources.prices.models import Adapter
from app.sources.prices.shops.fetching import Document
from app.sources.prices.shops.offer import Price, Reading, ShopItem, Trouble, Unavailable, Why, unreadable
from app.sources.prices.shops.page import read_page
from app.sources.prices.shops.sandbox import SandboxShop
from tests.sandbox.conftest import Line


def read(page: FlaskClient, code: str = "kettle") -> Reading:
    """What a product page says."""
    answer = page.get(f"/shop/{code}")
    assert answer.status_code == 200
    return read_page(Document(answer.data, dict(answer.headers)), None)


def switch(page: FlaskClient, **changes: Any) -> TestResponse:
    """Press "Change" for the kettle."""
    return page.post("/shop/kettle", data={"price": "5980", "stock": "in", "conduct": "ordinary"} | changes)


def test_a_fresh_shop_sells_things_at_a_price_that_can_be_read(page: FlaskClient) -> None:
    reading = read(page)
    assert isinstance(reading, Price)
    assert (reading.amount, reading.currency, reading.title) == (Decimal(5980), "JPY", "電気ケトル 0.8L")
    assert isinstance(read(page, "headphones"), Unavailable)


def test_price_and_stock_are_what_was_set(page: FlaskClient) -> None:
    assert switch(page, price="4,480").status_code == 303
    reading = read(page)
    assert isinstance(reading, Price)
    assert reading.amount == 4480
    switch(page, stock="out")
    assert isinstance(read(page), Unavailable)


def test_its_switches_do_what_they_say(sandbox: Flask, page: FlaskClient) -> None:
    switch(page, conduct="rate_limit")
    limited = page.get("/shop/kettle")
    assert (limited.status_code, limited.headers["Retry-After"]) == (429, "30")
    switch(page, conduct="error")
    assert page.get("/shop/kettle").status_code == 500
    switch(page, conduct="new_form")
    assert read(page) == unreadable(Why.NO_PRODUCT)
    sandbox.config["SHOP_SLOWNESS"] = 0.1
    switch(page, conduct="slow")
    began = monotonic()
    assert isinstance(read(page), Price)
    assert monotonic() - began >= 0.1


@pytest.mark.parametrize("price", ["", "0", "-1", "12.5", "x", "99999999999"])
def test_a_price_that_is_none_changes_nothing_and_is_kept_in_its_field(page: FlaskClient, price: str) -> None:
    answer = switch(page, price=price)
    assert answer.status_code == 400
    assert b"Enter a price from 1" in answer.data
    reading = read(page)
    assert isinstance(reading, Price)
    assert reading.amount == 5980


def test_another_site_changes_nothing(page: FlaskClient) -> None:
    answer = page.post("/shop/kettle", data={"price": "1"}, headers={"Origin": "http://evil.example"})
    assert answer.status_code == 403


def test_a_file_of_before_gets_the_shop(file: Path, page: FlaskClient) -> None:
    with closing(sqlite3.connect(file)) as db:
        db.executescript("DROP TABLE product; PRAGMA user_version = 2")
    Store(file)
    assert isinstance(read(page), Price)


def test_todoke_reads_it_over_http_without_waiting_for_its_turn(line: Line) -> None:
    item = ShopItem(f"{line.base}/shop/kettle", Adapter.SANDBOX)
    for conduct, kind in (("ordinary", None), ("rate_limit", Trouble.RATE_LIMITED), ("error", Trouble.UNREACHABLE)):
        said = {"price": "5980", "stock": "in", "conduct": conduct}
        assert requests.post(item.url, data=said, timeout=5).status_code == 200
        reading = SandboxShop().fetch(item, timedelta(seconds=3))
        assert getattr(reading, "kind", None) == kind
