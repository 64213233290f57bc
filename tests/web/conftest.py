"""An app for pages, and the people who look at them."""

from collections.abc import Iterator

import pytest
from flask import Flask

from app import create_app
from app.extensions import db
from app.sources.classroom.models import Classroom
from tests.factories import change, make_account, make_classroom, make_guest, make_tutor
from tests.fakes.inbox_kind import Greeting, greeting
from tests.fakes.kind import Probe, registered
from tests.fixtures.settings import settings_for
from tests.web.classroom import give_group, next_month, shift_on
from tests.web.visitor import Visitor


@pytest.fixture
def pages_app(sqlite_url: str) -> Iterator[Flask]:
    """The app on SQLite without a queue. Not in an app context: each request gets its own, as in real life."""
    app = create_app(settings_for(sqlite_url))
    with registered(Probe()):
        yield app
    with app.app_context():
        db.engine.dispose()


@pytest.fixture
def stranger(pages_app: Flask) -> Visitor:
    return Visitor(pages_app)


@pytest.fixture
def admin(pages_app: Flask) -> Visitor:
    return _signed_in(pages_app, "admin")


@pytest.fixture
def staff(pages_app: Flask) -> Visitor:
    return _signed_in(pages_app, "staff")


@pytest.fixture
def member(pages_app: Flask) -> Visitor:
    return _signed_in(pages_app, "member")


@pytest.fixture
def guest(pages_app: Flask) -> Visitor:
    with pages_app.app_context():
        account_id, secret = make_guest("en")
    visitor = Visitor(pages_app)
    visitor.account_id = account_id
    visitor.client.set_cookie("guest", secret)
    return visitor


@pytest.fixture
def greetings(pages_app: Flask) -> Iterator[Greeting]:
    """A kind to fill inboxes with."""
    with greeting() as kind:
        yield kind


@pytest.fixture
def room(pages_app: Flask) -> int:
    """A classroom with a group, and a confirmed shift next month."""
    with pages_app.app_context():
        made = make_classroom()
        change(Classroom, made, name="渋谷教室")
        give_group(made)
        shift_on(next_month(), make_tutor(name="髙橋 花子"), classroom_id=made)
        return made


def _signed_in(app: Flask, role: str) -> Visitor:
    with app.app_context():
        return Visitor(app, make_account(role, name=f"{role} Aoki", language="en"))
