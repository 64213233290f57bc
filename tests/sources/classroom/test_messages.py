"""What a tutor reads."""

import json
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from flask import Flask

from app.channels import CHANNELS
from app.channels.line.flex import FlexMessage
from app.channels.line.limits import ALT_TEXT, utf16_length
from app.sources.classroom.telling.messages import Facts, reminder
from tests.factories import line_user
from tests.sources.classroom.zones import move_to

START = datetime(2026, 11, 30, 8, tzinfo=UTC)
FACTS = Facts("髙橋 花子", "渋谷教室", START, START + timedelta(hours=4))


def _told(facts: Facts, language: str, before: timedelta = timedelta(hours=2)) -> FlexMessage:
    with time_machine.travel(facts.starts_at - before, tick=False):
        return reminder(facts, language)


def _words(message: FlexMessage) -> str:
    return json.dumps(message.contents, ensure_ascii=False)


def test_japanese_names_the_tutor_the_classroom_the_day_and_both_times(sqlite_app: Flask) -> None:
    message = _told(FACTS, "ja")
    assert message.alt_text == "2時間後にシフトが始まります：11月30日(月) 17:00–21:00 渋谷教室（髙橋 花子さん）"
    for word in ("2時間後にシフトが始まります", "11月30日(月)", "17:00–21:00", "渋谷教室", "髙橋 花子"):
        assert word in _words(message)


def test_english_names_the_tutor_the_classroom_the_day_and_both_times(sqlite_app: Flask) -> None:
    message = _told(FACTS, "en")
    assert message.alt_text == "Your shift starts in 2 hours: Mon 30 Nov, 17:00–21:00, 渋谷教室 (髙橋 花子)"
    for word in ("Your shift starts in 2 hours", "Mon 30 Nov", "17:00–21:00", "渋谷教室", "髙橋 花子"):
        assert word in _words(message)


@pytest.mark.parametrize(
    ("minutes", "said"), [(136, False), (135, True), (120, True), (105, True), (104, False), (1, False)]
)
def test_in_2_hours_is_said_only_when_it_is_so(sqlite_app: Flask, minutes: int, said: bool) -> None:
    before = timedelta(minutes=minutes)
    assert ("2時間後" in _told(FACTS, "ja", before).alt_text) is said
    assert ("in 2 hours" in _told(FACTS, "en", before).alt_text) is said
    assert ("2 hours" in _words(_told(FACTS, "en", before))) is said


def test_an_end_on_the_next_day_says_so(sqlite_app: Flask) -> None:
    late = Facts("佐藤", "新宿", START + timedelta(hours=5), START + timedelta(hours=9))
    assert "11月30日(月) 22:00–翌02:00" in _told(late, "ja").alt_text
    assert "Mon 30 Nov, 22:00–02:00 (next day)" in _told(late, "en").alt_text


def test_a_shift_of_next_year_names_its_year(sqlite_app: Flask) -> None:
    new_year = Facts("佐藤", "新宿", datetime(2026, 12, 31, 15, tzinfo=UTC), datetime(2026, 12, 31, 18, tzinfo=UTC))
    assert "2027年1月1日(金) 00:00–03:00" in _told(new_year, "ja").alt_text
    assert "Fri 1 Jan 2027, 00:00–03:00" in _told(new_year, "en").alt_text


def test_times_are_those_of_the_installation(sqlite_app: Flask) -> None:
    move_to(sqlite_app, "Europe/Berlin")
    assert "09:00–13:00" in _told(FACTS, "en").alt_text


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("character", ["あ", "😀", "%", "\u202e"])
def test_the_longest_names_stay_within_the_limits_of_line(sqlite_app: Flask, character: str, language: str) -> None:
    message = _told(Facts(character * 100, character * 100, START, START + timedelta(hours=9)), language)
    assert utf16_length(message.alt_text) <= ALT_TEXT
    assert "17:00" in message.alt_text
    request = CHANNELS["line"].compose(line_user(1), message)
    assert json.loads(request)["messages"][0]["altText"] == message.alt_text


def test_the_same_shift_at_the_same_time_gives_the_same_bytes(sqlite_app: Flask) -> None:
    first, second = (CHANNELS["line"].compose(line_user(1), _told(FACTS, "ja")) for _ in range(2))
    assert first == second
