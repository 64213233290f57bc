"""`flask demo load`."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
import time_machine
from flask import Flask
from pydantic import SecretStr
from sqlalchemy import select

from app.accounts.models import Account
from app.accounts.sign_in import recognise
from app.cli.demo import demo_sign_ins
from app.config import LINE_API
from app.extensions import db
from app.inbox.queries import Box, page
from app.kinds import Reader
from app.operations.groups import known_groups
from app.sources.announcements.listing import announcements
from app.sources.announcements.models import Phase
from app.sources.announcements.progress import progress_of
from app.sources.classroom.classroom_settings import classrooms
from app.sources.classroom.models import Shift
from app.sources.classroom.shifts.listing import classroom_names, shifts_between
from app.sources.prices.listing import watches_of
from app.sources.prices.watch import remove
from app.transaction import writing
from tests.cli.run import document, run
from tests.factories import all_deliveries
from tests.inbox.inboxes import titles

MORNING = datetime(2026, 11, 30, 0, 12, 34, tzinfo=UTC)


@pytest.fixture
def demo(sqlite_app: Flask) -> Iterator[Flask]:
    """An app without a LINE token, as `make run` starts it."""
    sqlite_app.config["SETTINGS"] = sqlite_app.config["SETTINGS"].model_copy(
        update={"line_channel_access_token": None}
    )  # fmt: skip
    with time_machine.travel(MORNING, tick=False):
        yield sqlite_app


def _shifts() -> list[tuple[int, int]]:
    db.session.rollback()
    return [(shift.id, shift.version) for shift in db.session.scalars(select(Shift).order_by(Shift.id))]


def _load(app: Flask) -> None:
    result = run(app, "demo", "load")
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("hour", range(0, 24, 3))
def test_at_any_hour_three_reminders_are_due_right_away(demo: Flask, hour: int) -> None:
    at = MORNING + timedelta(hours=hour)
    with time_machine.travel(at, tick=False):
        _load(demo)
        due = {line.tutor for line in shifts_between(at, at + timedelta(hours=2, seconds=1))}
        assert len(all_deliveries()) == len(due) == 3


def test_the_demo_shows_people_two_classrooms_and_a_draft(demo: Flask) -> None:
    _load(demo)
    lines = shifts_between(MORNING, MORNING + timedelta(days=3))
    assert len(classroom_names()) == 2
    assert {"draft", "confirmed"} == {line.status for line in lines}
    assert {"髙橋 花子", "山﨑 武"} < {line.tutor for line in lines}
    assert all(line.unreachable is None for line in lines)
    assert set(db.session.scalars(select(Account.language))) == {"ja", "en"}


def test_its_classrooms_have_a_group_so_that_a_table_can_be_sent(demo: Flask) -> None:
    _load(demo)
    _load(demo)
    assert len({one.group_id for one in classrooms()} - {None}) == 1
    assert [one.tail for one in known_groups(None)] == ["…0001"]
    assert document(run(demo, "publications", "send", "2026-12", "--json"))["groups"] == ["講師連絡グループ"]


def test_its_sign_ins_work(demo: Flask) -> None:
    _load(demo)
    assert [role for _, _, role in demo_sign_ins()] == ["admin", "staff", "member", "member"]
    for email, password, role in demo_sign_ins():
        who = recognise(email, password)
        assert who is not None
        assert db.session.get_one(Account, who.account_id).role == role


def test_its_inboxes_are_not_empty_and_loading_again_adds_nothing_to_them(demo: Flask) -> None:
    def inboxes() -> dict[str, int]:
        db.session.rollback()
        emails = select(Account.email, Account.id).where(Account.email.like("%@example.jp"))
        return {email: len(titles(account_id)) for email, account_id in db.session.execute(emails).all()}

    _load(demo)
    first = inboxes()
    assert {email: number for email, number in first.items() if number} == {
        "owner@example.jp": 6, "clerk@example.jp": 5, "member@example.jp": 4, "admin@example.jp": 3,
        "staff@example.jp": 2, "hanako@example.jp": 2, "takeshi@example.jp": 1, "emma@example.jp": 1,
    }  # fmt: skip
    _load(demo)
    assert inboxes() == first


def test_loaded_again_on_the_same_day_it_changes_nothing(demo: Flask) -> None:
    _load(demo)
    before = _shifts()
    with time_machine.travel(MORNING + timedelta(hours=5), tick=False):
        _load(demo)
    assert _shifts() == before


def test_loaded_on_another_day_it_is_alive_again(demo: Flask) -> None:
    _load(demo)
    before = _shifts()
    next_day = MORNING + timedelta(days=1)
    with time_machine.travel(next_day, tick=False):
        _load(demo)
        assert len(all_deliveries()) >= 6
    assert _shifts()[: len(before)] == before
    assert len(_shifts()) == 2 * len(before)


def test_with_a_line_token_it_refuses(demo: Flask) -> None:
    demo.config["SETTINGS"] = demo.config["SETTINGS"].model_copy(
        update={"line_channel_access_token": SecretStr("a real token"), "line_api_base": LINE_API}
    )  # fmt: skip
    result = run(demo, "demo", "load")
    assert result.exit_code == 1
    assert "LINE_CHANNEL_ACCESS_TOKEN" in result.stderr
    assert "a real token" not in result.output
    assert db.session.scalars(select(Account)).all() == []


def test_the_demo_is_refused_where_it_would_be_in_earnest(demo: Flask) -> None:
    assert run(demo, "demo", "absent").exit_code == 0
    _load(demo)
    refused = run(demo, "demo", "absent")
    assert refused.exit_code == 1
    assert "empty database" in refused.stderr


def test_somebody_asks_a_store_and_somebody_writes_to_the_planners_once(demo: Flask) -> None:
    _load(demo)
    with time_machine.travel(MORNING + timedelta(days=1), tick=False):
        _load(demo)
    told = [
        [item.kind for item in page(Reader(account, role), Box.ALL, "", None, 9, "ja").items]
        for account, role in db.session.execute(select(Account.id, Account.role).order_by(Account.id).limit(2))
    ]
    assert told == [
        ["announcement", "conversation_message", "inquiry_message"],
        ["announcement", "conversation_message"],
    ]


def test_its_customer_watches_one_thing_and_what_was_removed_stays_so(demo: Flask) -> None:
    _load(demo)
    customer = db.session.scalars(select(Account.id).where(Account.email == "member@example.jp")).one()
    (line,) = watches_of(customer)
    assert (line.url, line.currency, line.price) == ("http://127.0.0.1:8001/shop/backpack", "JPY", Decimal(12800))
    with writing() as tx:
        remove(tx, customer, line.id)
    _load(demo)
    assert watches_of(customer) == []


def test_everybody_is_told_of_one_announcement_in_their_language_and_it_is_finished(demo: Flask) -> None:
    for _ in range(2):
        _load(demo)
    accounts = db.session.execute(select(Account.id, Account.role, Account.language)).all()
    newest = [page(Reader(one, role), Box.ALL, "", None, 9, language).items[0] for one, role, language in accounts]
    assert {item.title for item in newest} == {"年末年始の営業について", "Closed around New Year"}
    (line,) = announcements(Phase.PUBLISHED, None, 9).lines
    progress = progress_of(line.id)
    assert progress is not None
    assert (progress.notified, progress.finished) == (len(accounts), True)
