"""What people write is read in the inbox, and outside it nothing: no delivery, message, log or operators' page."""

import logging

import pytest
from flask import Flask

from app.kinds import KINDS, Reader
from app.outbox.models import Delivery
from app.sources.conversations import KINDS as OURS
from app.web.delivery_rows import rows
from tests.factories import all_deliveries, make_account, make_tutor
from tests.fixtures.background import Background
from tests.inbox.inboxes import chosen, make_device
from tests.sources.conversations.talk import SECRET, ask, make_store, notice, start, write

SUBJECT = "夫に知られたくない件"


def _everything_is_told(language: str) -> None:
    asker, clerk = make_tutor(name="花子", language=language), make_tutor(name="店員", language=language)
    for one in (asker, clerk):
        make_device(one, language=language)
        for category in ("inquiries", "conversations"):
            chosen(one, category, "line", True)
    write(clerk, ask(asker, make_store(clerk, name="秘密店"), subject=SUBJECT))
    start(asker, clerk)


def _betrays(text: str) -> bool:
    return any(word in text for word in (SECRET, "秘密", SUBJECT, "花子", "店員"))


@pytest.mark.parametrize(
    ("language", "generic"),
    [
        ("en", {"There is a new message in an inquiry", "A store has answered your inquiry", "You have a new message"}),
        ("ja", {"問い合わせに新しいメッセージがあります", "お問い合わせに店舗から回答がありました",
                "新しいメッセージがあります"}),
    ],
)  # fmt: skip
def test_push_and_line_say_only_that_there_is_something(app: Flask, language: str, generic: set[str]) -> None:
    _everything_is_told(language)
    owed = all_deliveries()
    assert {one.channel for one in owed} == {"line", "web_push"}
    said = [notice(one) for one in owed]
    assert {one.title for one in said} == generic
    assert {one.body for one in said} == {""}
    assert {one.language for one in said} == {language}
    assert {one.path for one in said} == {f"/notifications/{one.notification_id}" for one in owed}


def test_the_ledger_holds_nothing_of_it(app: Flask) -> None:
    _everything_is_told("ja")
    for one in all_deliveries():
        kept = [getattr(one, column.key) for column in Delivery.__table__.columns if column.key != "address_label"]
        assert not _betrays(str(kept))


def test_operators_read_what_sort_it_was_even_those_who_may_read_it_in_the_inbox(app: Flask) -> None:
    _everything_is_told("ja")
    admin = make_account("admin")
    ask(make_account(), make_store(name="秘密店"), admin, subject=SUBJECT)
    make_device(admin)
    ask(make_account(), make_store(name="秘密店"), admin, subject=SUBJECT)
    shown = rows(all_deliveries(), Reader(admin, "admin"), "ja")
    assert len(shown) == 7
    assert not [row for row in shown if _betrays(f"{row.headline} {row.dedup_key}")]
    assert {row.link for row in shown} == {None}


def test_no_log_quotes_it(app: Flask, background: Background, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        _everything_is_told("ja")
        background.run()
    assert not _betrays(caplog.text)


def test_all_three_kinds_are_private_and_known() -> None:
    assert {kind.name for kind in OURS} == {"inquiry_message", "inquiry_answer", "conversation_message"}
    assert all(kind.private for kind in OURS)


def test_nothing_is_asked_for_nothing(app: Flask) -> None:
    assert [dict(KINDS[kind.name].recheck([])) for kind in OURS] == [{}, {}, {}]
