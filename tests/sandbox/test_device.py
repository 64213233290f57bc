"""A device of the sandbox: the demo shows a push without the internet and without a browser that takes any."""

from collections.abc import Iterator

import pytest
from flask import Flask

from app import create_app
from app.engine.deliver import deliver
from app.extensions import db
from app.outbox.state import State
from tests.factories import make_account, only_delivery
from tests.fixtures.settings import settings_for
from tests.sandbox.conftest import Line
from tests.sandbox.test_push_service import seen
from tests.web.visitor import Visitor, text_of

PAGE = "/settings/notifications"


@pytest.fixture
def site(sqlite_url: str, line: Line) -> Iterator[Flask]:
    app = create_app(settings_for(sqlite_url, line_url=line.base))
    yield app
    with app.app_context():
        db.engine.dispose()


@pytest.fixture
def reader(site: Flask) -> Visitor:
    with site.app_context():
        return Visitor(site, make_account(language="en"))


def test_a_test_notification_is_seen_in_the_sandbox(site: Flask, reader: Visitor, line: Line) -> None:
    assert "Add a device of the sandbox" in text_of(reader.get(PAGE))
    assert reader.post(f"{PAGE}/sandbox-device").status_code == 303
    page = reader.get(PAGE)
    assert "The sandbox has a device of yours now." in text_of(page)
    assert "Sandbox" in text_of(page)
    reader.post(f"{PAGE}/devices/1/test")
    with site.app_context():
        owed = only_delivery()
        deliver(owed.kind, [owed.id], lambda: False)
        assert only_delivery().state == State.SENT
    assert "Delivered pushes: 1" in seen(line)


def test_a_sandbox_that_does_not_answer_is_told_and_leaves_nothing(sqlite_url: str) -> None:
    app = create_app(settings_for(sqlite_url))
    with app.app_context():
        reader = Visitor(app, make_account(language="en"))
    reader.post(f"{PAGE}/sandbox-device")
    page = text_of(reader.get(PAGE))
    assert "The sandbox gave no device." in page
    assert "None yet." in page
    with app.app_context():
        db.engine.dispose()


def test_with_the_real_line_there_is_none(sqlite_url: str) -> None:
    settings = settings_for(sqlite_url, line_url="https://api.line.me")
    app = create_app(settings)
    with app.app_context():
        reader = Visitor(app, make_account(language="en"))
    assert reader.post(f"{PAGE}/sandbox-device").status_code == 404
    assert "device of the sandbox" not in text_of(reader.get(PAGE))
    with app.app_context():
        db.engine.dispose()
