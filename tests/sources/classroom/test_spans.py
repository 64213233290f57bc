"""A day and two times of day, made into instants."""

from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask

from app.faults import InvalidInput
from app.sources.classroom.shifts.spans import span
from tests.sources.classroom.zones import move_to


def _utc(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=UTC)


def _fields(day: str, start: str, end: str) -> list[str]:
    with pytest.raises(InvalidInput) as refused:
        span(day, start, end)
    return [fault.field for fault in refused.value.faults]


@pytest.mark.parametrize(
    ("start", "end", "starts_at", "ends_at"),
    [
        ("17:00", "21:30", _utc(30, 8), _utc(30, 12, 30)),
        ("9:00", "10:00", _utc(30, 0), _utc(30, 1)),
        ("22:00", "26:00", _utc(30, 13), _utc(30, 17)),
        ("22:00", "02:00", _utc(30, 13), _utc(30, 17)),
        ("22:00", "24:00", _utc(30, 13), _utc(30, 15)),
        ("25:30", "27:00", _utc(30, 16, 30), _utc(30, 18)),
        ("25:30", "02:00", _utc(30, 16, 30), _utc(30, 17)),
        ("22:00", "10:00", _utc(30, 13), _utc(30, 13) + timedelta(hours=12)),
        ("22:00", "46:00", _utc(30, 13), _utc(30, 13) + timedelta(hours=24)),
        ("47:00", "47:59", _utc(30, 14) + timedelta(days=1), _utc(30, 14, 59) + timedelta(days=1)),
    ],
)
def test_times_up_to_47_59_and_nights_are_understood(
    sqlite_app: Flask, start: str, end: str, starts_at: datetime, ends_at: datetime
) -> None:
    assert span("2026-11-30", start, end) == (starts_at, ends_at)


@pytest.mark.parametrize(
    ("start", "end"),
    [("17:00", "17:00"), ("17:00", "16:00"), ("22:00", "10:01"), ("22:00", "46:01"), ("25:30", "01:30"),
     ("25:30", "25:00")],
)  # fmt: skip
def test_an_end_that_is_not_after_the_start_is_refused(sqlite_app: Flask, start: str, end: str) -> None:
    assert _fields("2026-11-30", start, end) == ["end"]


@pytest.mark.parametrize(
    "time", ["", "17", "17:5", "17:60", "48:00", "-1:00", "17.00", "17:00:30", "五時", "17時60分", "0.708"]
)
def test_what_is_no_time_is_refused(sqlite_app: Flask, time: str) -> None:
    assert _fields("2026-11-30", time, "47:59") == ["start"]
    assert _fields("2026-11-30", "00:00", time) == ["end"]


@pytest.mark.parametrize(
    "day", ["", "2026-02-29", "2026-13-01", "30.11.2026", "2026/11-30", "20261130", "2026-W48-1", "0001-01-01",
            "9999-12-31", "30/11/2026", "13/1", "0/1", "2026年11月", "46356", "11-30"],
)  # fmt: skip
def test_what_is_no_date_is_refused(sqlite_app: Flask, day: str) -> None:
    assert _fields(day, "17:00", "18:00") == ["date"]


@pytest.mark.parametrize(
    "day", ["2026-11-30", "2026/11/30", "2026年11月30日", "2026年 11月 30日", "11/30", "11月30日"]
)  # fmt: skip
@pytest.mark.parametrize("start", ["9:05", "09:05", "9:05:00", "9時5分", "09時05分"])
@pytest.mark.parametrize("end", ["17:00", "17時"])
def test_days_and_times_are_read_as_people_write_them(sqlite_app: Flask, day: str, start: str, end: str) -> None:
    assert span(day, start, end, near=_utc(1, 0)) == (_utc(30, 0, 5), _utc(30, 8))


@pytest.mark.parametrize(
    ("day", "today", "year"),
    [("4/1", "2026-03-20", 2026), ("1/5", "2026-12-28", 2027), ("12/28", "2026-01-05", 2025),
     ("12/31", "2028-06-30", 2027), ("12/31", "2028-07-01", 2028),
     ("2/29", "2027-06-01", 2028), ("2月29日", "2025-01-01", 2024)],
)  # fmt: skip
def test_a_day_without_a_year_is_the_one_nearest_to_today(sqlite_app: Flask, day: str, today: str, year: int) -> None:
    near = datetime.fromisoformat(f"{today}T03:00:00+00:00")
    assert span(day, "9:00", "10:00", near)[0].year == year


def test_a_29th_of_february_that_is_years_away_wants_its_year(sqlite_app: Flask) -> None:
    with pytest.raises(InvalidInput):
        span("2/29", "9:00", "10:00", datetime(2026, 6, 1, tzinfo=UTC))


def test_today_is_the_local_day(sqlite_app: Flask) -> None:
    near = datetime(2026, 7, 1, 23, tzinfo=UTC)  # 182 days after one 31st of December, and in Tokyo 182 before another
    assert span("12/31", "9:00", "10:00", near)[0].year == 2026
    move_to(sqlite_app, "America/New_York")
    assert span("12/31", "9:00", "10:00", near)[0].year == 2025


def test_a_number_as_spreadsheets_count_days_and_times_is_not_guessed(sqlite_app: Flask) -> None:
    assert _fields("46356", "0.708333", "46356.75") == ["date", "start", "end"]


def test_every_part_that_is_wrong_is_named_at_once(sqlite_app: Flask) -> None:
    assert _fields("tomorrow", "noon", "late") == ["date", "start", "end"]


def test_the_hour_that_summer_time_skips_is_refused(sqlite_app: Flask) -> None:
    move_to(sqlite_app, "Europe/Berlin")
    assert _fields("2026-03-29", "02:30", "04:00") == ["start"]
    assert _fields("2026-03-28", "22:00", "26:30") == ["end"]
    assert span("2026-03-28", "22:00", "27:00")[1] == datetime(2026, 3, 29, 1, tzinfo=UTC)


def test_the_hour_that_winter_time_repeats_is_read_as_its_first_run(sqlite_app: Flask) -> None:
    move_to(sqlite_app, "Europe/Berlin")
    first_run = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert span("2026-10-25", "02:30", "04:00") == (first_run, datetime(2026, 10, 25, 3, tzinfo=UTC))
    assert span("2026-10-24", "23:30", "26:30")[1] == first_run
