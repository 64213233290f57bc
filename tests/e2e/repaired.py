"""Bulk retries at every stage, for browsers to look at."""

from datetime import timedelta
from typing import Any

from app.clock import now
from app.codes import FailureCode
from app.outbox.models import Delivery
from app.outbox.state import State
from tests.factories import change
from tests.fixtures.background import later
from tests.operations.bulks import admin, all_failed, begin, picked, released, stopped
from tests.web.ledger import failed, pushed, standing_as


def repaired() -> list[str]:
    """Make them; the addresses of the pages that matter."""
    old: dict[str, Any] = {"retry_key_used_at": now() - timedelta(days=2), "key_ambiguous": True}
    finished, stopped_one, under_way = _some_failed(2), _some_failed(3), _some_failed(8)
    done, ended = begin(picked(*finished)), begin(picked(*stopped_one), why="間違えて選びました。")
    asked = {"code": "LINE_TIMEOUT", "from": "2026-11-30"}
    going_on = begin(all_failed(), admin("西 薫"), why="LINE is well again since 17:05.", asked=asked)
    change(Delivery, under_way[0], state=State.SENT)
    with later(seconds=5):
        released(done)
        released(going_on)
    stopped(ended)
    for one in (*finished, under_way[1]):
        change(Delivery, one, state=State.SENT)
    change(Delivery, under_way[2], state=State.FAILED)
    failed(FailureCode.LINE_TIMEOUT)
    failed(FailureCode.LINE_TIMEOUT, **old)
    pushed()
    sent = standing_as(state=State.SENT)
    return [
        "/bulk-retries/new", f"/bulk-retries/new?ids={sent}&ids={under_way[-1]}", "/bulk-retries/new?kind=x",
        f"/bulk-retries/new?ids={sent}", "/bulk-retries", f"/bulk-retries/{done}", f"/bulk-retries/{ended}",
        f"/bulk-retries/{going_on}", f"/bulk-retries/{going_on}?outcome=skipped",
    ]  # fmt: skip


def _some_failed(number: int) -> list[int]:
    return [failed(FailureCode.LINE_TIMEOUT) for _ in range(number)]
