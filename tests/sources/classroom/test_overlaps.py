"""Overlapping shifts are found in one pass, however many there are."""

from datetime import UTC, datetime, timedelta
from time import process_time

from hypothesis import given
from hypothesis import strategies as st

from app.sources.classroom.shifts.overlaps import MOST_EACH, Busy, overlaps

AT = datetime(2026, 11, 30, tzinfo=UTC)
WHILES = st.tuples(st.integers(1, 2), st.integers(0, 12), st.integers(1, 6))


def busy(key: int, tutor: int, start: int, hours: int) -> Busy:
    return Busy(key, tutor, "渋谷", AT + timedelta(hours=start), AT + timedelta(hours=start + hours))


def at_the_same_time(one: Busy, other: Busy) -> bool:
    together = one.starts_at < other.ends_at and other.starts_at < one.ends_at
    return one.key != other.key and one.tutor_id == other.tutor_id and together


@given(st.lists(WHILES, max_size=MOST_EACH))
def test_a_few_are_all_found_and_the_earliest_first(whiles: list[tuple[int, int, int]]) -> None:
    all_of_them = [busy(key, *one) for key, one in enumerate(whiles)]
    expected = {
        one.key: sorted((other for other in all_of_them if at_the_same_time(one, other)), key=_in_order)
        for one in all_of_them
    }
    assert overlaps(all_of_them) == {key: others for key, others in expected.items() if others}


@given(st.lists(WHILES, min_size=MOST_EACH, max_size=60))
def test_of_many_each_that_overlaps_is_found_with_some_that_do(whiles: list[tuple[int, int, int]]) -> None:
    all_of_them = [busy(key, *one) for key, one in enumerate(whiles)]
    found = overlaps(all_of_them)
    for one in all_of_them:
        others = found.get(one.key, [])
        assert bool(others) == any(at_the_same_time(one, other) for other in all_of_them)
        assert all(at_the_same_time(one, other) for other in others)
        assert len(others) <= MOST_EACH


def test_a_pile_of_20_000_at_one_time_takes_no_square_of_it() -> None:
    began = process_time()
    assert len(overlaps(busy(key, 1, 0, 3) for key in range(20_000))) == 20_000
    assert process_time() - began < 5


def _in_order(one: Busy) -> tuple[datetime, int]:
    return one.starts_at, one.key
