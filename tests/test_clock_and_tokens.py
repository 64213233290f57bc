"""The one source of time, and the one of chance."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
import time_machine

from app import clock, tokens

QUARTER = timedelta(minutes=15)


def test_now_is_aware_and_in_utc() -> None:
    with time_machine.travel(datetime(2026, 11, 30, 9, tzinfo=UTC), tick=False):
        assert clock.now() == datetime(2026, 11, 30, 9, tzinfo=UTC)
        assert clock.now().tzinfo is UTC


@pytest.mark.parametrize(
    ("minute", "second", "slot"), [(0, 0, 0), (0, 1, 0), (14, 59, 0), (15, 0, 15), (29, 59, 15), (59, 59, 45)]
)
def test_a_slot_is_the_last_multiple_that_is_not_after_an_instant(minute: int, second: int, slot: int) -> None:
    instant = datetime(2026, 11, 30, 9, minute, second, tzinfo=UTC)
    assert clock.slot_of(instant, QUARTER) == datetime(2026, 11, 30, 9, slot, tzinfo=UTC)


def test_every_instant_of_a_slot_agrees_on_it() -> None:
    slot = datetime(2026, 11, 30, 9, 15, tzinfo=UTC)
    last = slot + QUARTER - timedelta(microseconds=1)
    assert clock.slot_of(slot, QUARTER) == clock.slot_of(last, QUARTER) == slot


def test_a_retry_key_has_the_form_that_line_takes() -> None:
    key = tokens.retry_key()
    assert str(UUID(key)) == key
    assert UUID(key).version == 4


def test_no_two_tokens_are_alike() -> None:
    for make in (tokens.retry_key, tokens.lease_token, tokens.signing_key):
        assert len({make() for _ in range(100)}) == 100
    assert len(tokens.lease_token()) == 32


def test_a_derived_secret_is_the_same_each_time_and_another_for_each_key_purpose_and_salt() -> None:
    salt = tokens.salt()
    assert tokens.derived("key", "invitation", salt) == tokens.derived("key", "invitation", salt)
    others = [("other", "invitation", salt), ("key", "other", salt), ("key", "invitation", tokens.salt())]
    assert len({tokens.derived(*one) for one in [("key", "invitation", salt), *others]}) == 4
    assert len(tokens.derived("key", "invitation", salt)) == 43
