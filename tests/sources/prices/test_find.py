"""Owing what was found."""

from datetime import datetime, timedelta
from decimal import Decimal

import pytest
from flask import Flask
from sqlalchemy import select

from app.extensions import db
from app.sources.prices import find as finding
from app.sources.prices.find import News, find
from app.sources.prices.models import Adapter, Finding, Trigger
from app.sources.prices.shops.offer import FetchFailed, ShopItem, Trouble
from app.sources.prices.watch import watch
from app.sources.prices.wishes import Wished
from app.transaction import writing
from tests.factories import only_delivery
from tests.sources.prices.town import shopper

MIDNIGHT = datetime.fromisoformat("2027-02-02T00:00:00+09:00")


def test_over_midnight_a_finding_and_its_delivery_are_of_the_same_day(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    account, at = shopper(), iter([MIDNIGHT - timedelta(seconds=1), *[MIDNIGHT] * 10])
    with writing() as tx:
        page, silence = ShopItem("https://a.example/", Adapter.PAGE), FetchFailed(Trouble.UNREACHABLE)
        mine = watch(tx, account, page, silence, Wished(Trigger.BELOW_TARGET, target=Decimal(1500))).id
    monkeypatch.setattr(finding, "now", lambda: next(at))
    with writing() as tx:
        assert find(tx, [News(mine, account, Trigger.BELOW_TARGET)]) == 1
    day = db.session.scalars(select(Finding.local_day)).one()
    assert f":{day}:" in only_delivery().dedup_key
