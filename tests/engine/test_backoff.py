"""When to try again: the table of DESIGN.md section 5, with up to 10 % jitter."""

from datetime import timedelta

import pytest

from app.engine.backoff import wait
from app.kinds import RetryPolicy

CLASSROOM = RetryPolicy(tries=6, first_wait=timedelta(minutes=2), longest_wait=timedelta(minutes=32))
PRICES = RetryPolicy(tries=9, first_wait=timedelta(seconds=30), longest_wait=timedelta(minutes=30))


@pytest.mark.parametrize(("tries_made", "minutes"), [(1, 2), (2, 4), (3, 8), (4, 16), (5, 32)])
def test_each_wait_is_twice_the_one_before(tries_made: int, minutes: int) -> None:
    _is_about(timedelta(minutes=minutes), CLASSROOM, tries_made, None)


@pytest.mark.parametrize(("tries_made", "seconds"), [(1, 30), (2, 60), (3, 120), (6, 960), (7, 1800), (8, 1800)])
def test_no_wait_is_longer_than_the_longest(tries_made: int, seconds: int) -> None:
    _is_about(timedelta(seconds=seconds), PRICES, tries_made, None)


@pytest.mark.parametrize(
    ("retry_after", "minutes"),
    [
        (timedelta(0), 2),
        (timedelta(seconds=-5), 2),
        (timedelta(seconds=90), 2),
        (timedelta(minutes=5), 5),
        (timedelta(hours=1), 60),
        (timedelta(days=30), 60),
    ],
)
def test_retry_after_lengthens_the_wait_to_an_hour_at_most_and_never_shortens_it(
    retry_after: timedelta, minutes: int
) -> None:
    _is_about(timedelta(minutes=minutes), CLASSROOM, 1, retry_after)


def test_what_failed_together_does_not_come_back_together() -> None:
    assert len({wait(CLASSROOM, 1, None) for _ in range(20)}) > 10


def _is_about(expected: timedelta, policy: RetryPolicy, tries_made: int, retry_after: timedelta | None) -> None:
    for _ in range(50):
        assert expected <= wait(policy, tries_made, retry_after) <= expected * 1.1
