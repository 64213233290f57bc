"""What a look makes of an item, without any database."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.sources.prices.looking import EVERY, LONGEST_WAIT, SILENT_FOR, Known, Look
from app.sources.prices.models import Adapter
from app.sources.prices.shops.offer import FetchFailed, Reading, Trouble, Unavailable, Why, unreadable

NOON = datetime(2027, 2, 1, 3, tzinfo=UTC)
KNOWN = Known(
    id=1, url="https://a.example/", adapter=Adapter.PAGE, price_path="", stock_path="", title="kettle", currency="JPY",
    last_price=None, in_stock=None, read_at=None, observed_at=None, failures=0, failing_since=None,
    unreadable_since=None, unreadable_why=None, reported_at=None, next_look_at=NOON,
)  # fmt: skip
CHANGED, SILENCE = unreadable(Why.NO_PRODUCT), FetchFailed(Trouble.UNREACHABLE)
BUSY = FetchFailed(Trouble.NOT_ASKED, timedelta(minutes=1))


@pytest.mark.parametrize(
    ("asked", "waits"),
    [
        (timedelta(minutes=1), EVERY),
        (timedelta(hours=1), timedelta(hours=1)),
        (timedelta(days=20_000), LONGEST_WAIT),
    ],
)
def test_a_shop_may_wish_for_a_longer_wait_but_not_for_decades(asked: timedelta, waits: timedelta) -> None:
    look = Look(KNOWN, FetchFailed(Trouble.RATE_LIMITED, asked), NOON)
    assert look.values()["next_look_at"] == NOON + waits


@pytest.mark.parametrize(
    ("known", "reading", "told"),
    [
        ({}, CHANGED, False),
        ({"unreadable_since": NOON, "failing_since": NOON}, CHANGED, True),
        ({"unreadable_since": NOON, "failing_since": NOON, "reported_at": NOON}, CHANGED, False),
        ({"failing_since": NOON}, CHANGED, False),
        ({"failing_since": NOON - SILENT_FOR + timedelta(seconds=1)}, SILENCE, False),
        ({"failing_since": NOON - SILENT_FOR}, SILENCE, True),
        ({"failing_since": NOON - SILENT_FOR}, BUSY, False),
        ({"failing_since": NOON - SILENT_FOR}, Unavailable("kettle"), False),
    ],
)
def test_one_bad_look_is_no_news(known: dict[str, Any], reading: Reading, told: bool) -> None:
    assert Look(replace(KNOWN, **known), reading, NOON).is_to_be_reported is told


def test_once_it_is_read_nothing_of_its_troubles_is_left() -> None:
    troubled = replace(KNOWN, failures=3, failing_since=NOON, unreadable_since=NOON, reported_at=NOON)
    values = Look(troubled, Unavailable("kettle"), NOON).values()
    assert [values[name] for name in ("failures", "failing_since", "unreadable_since", "reported_at")] == [
        0, None, None, None,
    ]  # fmt: skip
