"""Promise: a push is for what its reader has not seen, at an hour at which they want it."""

import re
from collections.abc import Iterator
from datetime import datetime

import pytest
import time_machine
from flask import Flask

from app import create_app
from app.engine.deliver import deliver
from app.extensions import db
from app.i18n import zone
from app.reach.quiet_hours import set_quiet_hours
from app.transaction import writing
from tests.factories import delivery, make_account
from tests.fakes.inbox_kind import greeting
from tests.fakes.push import FakePush
from tests.fixtures.settings import settings_for
from tests.inbox.browsers import KEY, register, tell
from tests.inbox.inboxes import titles
from tests.web.visitor import Visitor


@pytest.fixture
def site(database_url: str) -> Iterator[Flask]:
    """The app with its pages on each database."""
    app = create_app(settings_for(database_url))
    with greeting(), app.app_context():
        yield app
        db.session.remove()
        db.engine.dispose()


def test_mark_all_spares_what_came_since_the_page_was_drawn_and_so_does_its_push(site: Flask, push: FakePush) -> None:
    reader, seen, newer = make_account(), make_account(name="seen"), make_account(name="newer")
    browser = push.subscribe(KEY)
    register(reader, browser)
    visitor = Visitor(site, reader)
    before = tell(seen, reader)
    page = visitor.get("/inbox").text
    after = tell(newer, reader)
    visitor.post("/inbox/read", ids=re.findall(r'name="ids" value="(\d+)" form="all"', page))

    deliver("greeting", [*before, *after], lambda: False)

    assert [(delivery(one).state, delivery(one).cancel_reason) for one in (*before, *after)] == [
        ("canceled", "already_read"), ("sent", None)
    ]  # fmt: skip
    assert [one["title"] for one in push.arrived(browser)] == ["newer"]


def test_what_comes_at_night_is_pushed_in_the_morning_after_midnight_has_passed(site: Flask, push: FakePush) -> None:
    reader, newcomer = make_account(), make_account(name="newcomer")
    browser = push.subscribe(KEY)
    register(reader, browser)
    with writing() as tx:
        set_quiet_hours(tx, reader, "22:00", "07:00")
    evening, morning = datetime(2026, 11, 30, 23, 30, tzinfo=zone()), datetime(2026, 12, 1, 7, tzinfo=zone())
    with time_machine.travel(evening):
        (owed,) = tell(newcomer, reader)
        deliver("greeting", [owed], lambda: False)
        held = delivery(owed)
        assert (held.state, held.attempts, held.next_attempt_at) == ("pending", 0, morning)
        assert titles(reader) == ["newcomer"], "it waits in the inbox all the same"
    with time_machine.travel(datetime(2026, 12, 1, 6, 59, tzinfo=zone())):
        deliver("greeting", [owed], lambda: False)
        assert push.arrived(browser) == []
    with time_machine.travel(morning):
        deliver("greeting", [owed], lambda: False)
    assert (delivery(owed).state, len(push.arrived(browser))) == ("sent", 1)
