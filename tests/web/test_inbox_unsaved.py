"""The database takes no write: the reader is told so where it happened, and may try again."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from flask import Flask
from sqlalchemy import event, make_url

from app import create_app
from app.extensions import db
from tests.factories import make_account
from tests.fakes.inbox_kind import greeting
from tests.fixtures.settings import settings_for
from tests.web.letters import letter, told
from tests.web.visitor import HTMX, Visitor, text_of

SHORT = 200
"""Milliseconds that a write waits for a lock here, instead of as long as in real life."""


@contextmanager
def _sqlite_locked(url: str, _notification_id: int) -> Iterator[None]:
    other = sqlite3.connect(str(make_url(url).database), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.close()


@contextmanager
def _row_locked(url: str, notification_id: int) -> Iterator[None]:
    parts = make_url(url)
    with psycopg.connect(host=str(parts.query["host"]), user=parts.username, dbname=parts.database) as other:
        other.execute("SELECT id FROM notification WHERE id = %s FOR UPDATE", (notification_id,))
        yield


def _wait_briefly(connection: object, _record: object) -> None:
    connection.execute(f"PRAGMA busy_timeout = {SHORT}")  # type: ignore[attr-defined]


@pytest.fixture
def impatient(database_url: str) -> Iterator[Flask]:
    """The app on each database, with short waits for locks."""
    if database_url.startswith("postgresql"):
        app = create_app(settings_for(f"{database_url}&options=-c%20lock_timeout%3D{SHORT}"))
    else:
        app = create_app(settings_for(database_url))
        with app.app_context():
            event.listen(db.engine, "connect", _wait_briefly)
    with greeting():
        yield app
    with app.app_context():
        db.engine.dispose()


@contextmanager
def locked(app: Flask, notification_id: int) -> Iterator[None]:
    """Somebody else writes to this notification, and does not come to an end."""
    url: str = app.config["SQLALCHEMY_DATABASE_URI"]
    lock = _sqlite_locked if url.startswith("sqlite") else _row_locked
    with lock(url, notification_id):
        yield


@pytest.fixture
def reader(impatient: Flask) -> Visitor:
    with impatient.app_context():
        return Visitor(impatient, make_account(language="en"))


def test_what_cannot_be_noted_as_read_is_not_opened_and_can_be_tried_again(impatient: Flask, reader: Visitor) -> None:
    one = told(impatient, reader)
    with locked(impatient, one):
        answer = reader.post(f"/notifications/{one}/open")
        assert answer.status_code == 503
        assert "It could not be saved that you read this, so it was not opened." in text_of(answer)
        assert f'<form class="notice problem" method="post" action="/notifications/{one}/open">' in answer.text
        inline = reader.post(f"/notifications/{one}/open", headers=HTMX)
        assert (inline.status_code, "HX-Redirect" in inline.headers) == (503, False)
        assert "<html" not in inline.text
        assert reader.get("/inbox").status_code == 200
    assert letter(impatient, one).read_at is None
    assert reader.post(f"/notifications/{one}/open").status_code == 303
    assert letter(impatient, one).read_at is not None


@pytest.mark.parametrize("act", ["read", "archive"])
def test_an_act_that_cannot_be_saved_says_so_and_keeps_its_ids(impatient: Flask, reader: Visitor, act: str) -> None:
    one = told(impatient, reader)
    with locked(impatient, one):
        answer = reader.post(f"/inbox/{act}?box=unread", ids=str(one))
    assert answer.status_code == 503
    assert f'action="/inbox/{act}?box=unread"' in answer.text
    assert f'name="ids" value="{one}"' in answer.text
    assert letter(impatient, one).read_at is letter(impatient, one).archived_at is None


def test_the_service_worker_hears_that_it_was_not_saved(impatient: Flask, reader: Visitor) -> None:
    one = told(impatient, reader)
    headers = {"X-Todoke": "service-worker", "Sec-Fetch-Site": "same-origin"}
    with locked(impatient, one):
        assert reader.client.post(f"/notifications/{one}/read", headers=headers).status_code == 503
