"""A day and two times of day, made into instants."""

from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask

from app.faults import InvalidInput
from app.sources.classroom.spans import span
from tests.sources.zones import move_to


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
    "time", ["", "17", "17:5", "17:60", "48:00", "-1:00", "17.00", "１７:００", "17:00:00", "五時"]
)
def test_what_is_no_time_is_refused(sqlite_app: Flask, time: str) -> None:
    assert _fields("2026-11-30", time, "47:59") == ["start"]
    assert _fields("2026-11-30", "00:00", time) == ["end"]


@pytest.mark.parametrize(
    "day", ["", "2026-02-29", "2026-13-01", "30.11.2026", "2026/11/30", "20261130", "2026-W48-1", "0001-01-01",
            "9999-12-31", "２０２６-11-30"],
)  # fmt: skip
def test_what_is_no_date_is_refused(sqlite_app: Flask, day: str) -> None:
    assert _fields(day, "17:00", "18:00") == ["date"]


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
