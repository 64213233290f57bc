"""How instants and spans stand on a page."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from flask import Flask

from app import i18n
from app.web import times

AT = datetime(2026, 11, 30, 8, 5, 7, 999_999, tzinfo=UTC)
SPANS = {
    timedelta(0): ("in 0 seconds", "0秒後"),
    timedelta(milliseconds=1): ("in 1 second", "1秒後"),
    -timedelta(milliseconds=1): ("1 second ago", "1秒前"),
    -timedelta(seconds=89): ("1 minute ago", "1分前"),
    -timedelta(seconds=91): ("2 minutes ago", "2分前"),
    timedelta(hours=2, minutes=29): ("in 2 hours", "2時間後"),
    -timedelta(days=6, hours=20): ("1 week ago", "1週間前"),
    -timedelta(days=10): ("1 week ago", "1週間前"),
    timedelta(days=800): ("in 2 years", "2年後"),
}


@pytest.mark.parametrize("span", SPANS, ids=str)
def test_how_far_off_something_is(span: timedelta) -> None:
    with time_machine.travel(AT, tick=False):
        assert tuple(i18n.relative(AT + span, language) for language in ("en", "ja")) == SPANS[span]


@pytest.mark.parametrize(
    ("span", "lasts", "not_exceeded"),
    [
        (timedelta(0), ("0 seconds", "0秒"), ("1 second", "1秒")),
        (timedelta(seconds=89.5), ("1 minute", "1分"), ("90 seconds", "90秒")),
        (timedelta(minutes=61), ("1 hour", "1時間"), ("61 minutes", "61分")),
        (timedelta(hours=3), ("3 hours", "3時間"), ("3 hours", "3時間")),
        (timedelta(days=13, hours=1), ("13 days", "13日"), ("14 days", "14日")),
    ],
)
def test_a_span_is_never_said_to_be_longer_and_a_bound_never_shorter(
    span: timedelta, lasts: tuple[str, str], not_exceeded: tuple[str, str]
) -> None:
    assert tuple(i18n.duration(span, language) for language in ("en", "ja")) == lasts
    assert tuple(i18n.within(span, language) for language in ("en", "ja")) == not_exceeded


@pytest.mark.parametrize(
    ("language", "relative", "moment", "exact"),
    [
        ("en", "2 hours ago", "Mon 30 Nov, 17:05", "Mon 30 Nov, 17:05:07 JST"),
        ("ja", "2時間前", "11月30日(月) 17:05", "11月30日(月) 17:05:07 JST"),
    ],
)
def test_an_element_says_the_instant_to_readers_and_to_programs(
    app: Flask, language: str, relative: str, moment: str, exact: str
) -> None:
    with app.test_request_context(headers={"Accept-Language": language}), time_machine.travel(AT, tick=False):
        two_hours_ago = AT - timedelta(hours=2)
        assert times.relative_time(two_hours_ago) == (
            f'<time datetime="2026-11-30T06:05:07Z" title="{exact.replace("17", "15")}" data-relative>{relative}</time>'
        )
        assert times.moment_time(AT) == f'<time datetime="2026-11-30T08:05:07Z" title="{exact}">{moment}</time>'
        assert times.exact_time(AT) == f'<time datetime="2026-11-30T08:05:07Z">{exact}</time>'
