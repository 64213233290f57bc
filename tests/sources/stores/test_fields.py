"""What may be written into stores and reports: any text that is one, and nothing else."""

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.accounts.known import who
from app.extensions import db
from app.faults import InvalidInput
from app.inbox.models import Notification
from app.sources.stores.fields import ReportFields, StoreFields, check_store, report_faults
from app.sources.stores.models import Report
from app.sources.stores.reports import make_report
from app.transaction import writing
from tests.inbox.inboxes import titles
from tests.sources.stores.town import make_store, people, report_at

LONG = "葛󠄀城🧑‍🚀" * 12


def faults(fields: ReportFields | StoreFields) -> list[str]:
    if isinstance(fields, ReportFields):
        return [fault.field for fault in report_faults(fields)]
    try:
        check_store(fields)
    except InvalidInput as error:
        return [fault.field for fault in error.faults]
    return []


@pytest.mark.parametrize("bad", ["\ud83d", "a\x00", "\x1b[31m", "\x7f", "x\ufffd", "\u200b\u2060", "\u3164"], ids=ascii)
def test_what_is_no_text_is_refused_at_its_field(sqlite_app: Flask, bad: str) -> None:
    assert faults(ReportFields(bad, bad)) == ["title", "description"]
    assert faults(StoreFields("店", bad, bad, bad)) == ["address", "phone", "hours"]


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        (ReportFields("", ""), ["title", "description"]),
        (ReportFields("a\nb", "a\nb"), ["title"]),
        (ReportFields("😀" * 100, "あ" * 2000), []),
        (ReportFields("😀" * 101, "あ" * 2001), ["title", "description"]),
        (StoreFields("店", "", "", ""), []),
        (StoreFields("", "住" * 201, "0" * 41, "時" * 501), ["name", "address", "phone", "hours"]),
        (StoreFields("店", "住" * 200, "0" * 40, "10:00\n20:00"), []),
    ],
)
def test_length_is_counted_in_characters_and_every_fault_is_told(
    sqlite_app: Flask, fields: ReportFields | StoreFields, refused: list[str]
) -> None:
    assert faults(fields) == refused


def test_emoji_and_long_japanese_survive(app: Flask) -> None:
    owner, reporter = people(2)
    report = report_at(make_store(owner), reporter, title=LONG[:100])
    assert db.session.get_one(Report, report).title == LONG[:100]
    assert titles(owner) == [f"New report: {LONG[:100]}"]


def test_a_refused_report_leaves_nothing_half_stored(app: Flask) -> None:
    owner, reporter = people(2)
    store = make_store(owner)
    with pytest.raises(InvalidInput), writing() as tx:
        make_report(tx, who(reporter), store, ReportFields("題", "\udc00"), "form")
    for table in (Report, Notification):
        assert db.session.scalar(select(func.count()).select_from(table)) == 0
