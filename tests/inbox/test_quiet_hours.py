"""Quiet hours end when their last minute is over, also after midnight and in the zone of the house."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from app.reach.quiet_hours import quiet_until

TOKYO = ZoneInfo("Asia/Tokyo")
NIGHT = (22 * 60, 7 * 60)
NOON = (12 * 60, 13 * 60)


@pytest.mark.parametrize(
    ("hours", "at", "until"),
    [
        (NIGHT, "2026-11-30 21:59", None),
        (NIGHT, "2026-11-30 22:00", "2026-12-01 07:00"),
        (NIGHT, "2026-12-01 00:30", "2026-12-01 07:00"),
        (NIGHT, "2026-12-01 06:59", "2026-12-01 07:00"),
        (NIGHT, "2026-12-01 07:00", None),
        (NOON, "2026-11-30 11:59", None),
        (NOON, "2026-11-30 12:30", "2026-11-30 13:00"),
        (NOON, "2026-11-30 13:00", None),
    ],
)
def test_quiet_hours_hold_until_they_are_over(hours: tuple[int, int], at: str, until: str | None) -> None:
    instant = datetime.fromisoformat(at).replace(tzinfo=TOKYO).astimezone(UTC)
    expected = datetime.fromisoformat(until).replace(tzinfo=TOKYO) if until else None
    assert quiet_until(*hours, instant, TOKYO) == expected


def test_hours_that_end_in_the_hour_that_comes_twice_end_with_its_second_run() -> None:
    new_york, before = ZoneInfo("America/New_York"), datetime(2026, 11, 1, 4, tzinfo=UTC)
    first, second = datetime(2026, 11, 1, 5, 30, tzinfo=UTC), datetime(2026, 11, 1, 6, 30, tzinfo=UTC)
    assert quiet_until(22 * 60, 90, before, new_york) == first
    assert quiet_until(22 * 60, 90, datetime(2026, 11, 1, 6, 5, tzinfo=UTC), new_york) == second


@pytest.mark.parametrize("ends", [2 * 60, 2 * 60 + 30, 3 * 60])
def test_hours_that_end_in_the_hour_that_is_left_out_end_as_the_clocks_go_forward(ends: int) -> None:
    new_york, three = ZoneInfo("America/New_York"), datetime(2026, 3, 8, 7, tzinfo=UTC)
    assert quiet_until(22 * 60, ends, datetime(2026, 3, 8, 6, 59, tzinfo=UTC), new_york) == three
    assert quiet_until(22 * 60, ends, datetime(2026, 3, 8, 3, tzinfo=UTC), new_york) == three
    assert quiet_until(22 * 60, ends, three, new_york) is None
