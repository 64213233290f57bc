"""What machines ask."""

from collections.abc import Iterator

import pytest
from flask import Flask

from app import create_app
from app.extensions import db
from tests.fixtures.settings import settings_for
from tests.web.visitor import Visitor


@pytest.fixture
def without_database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """The app with a database that cannot be opened."""
    app = create_app(settings_for(f"sqlite:///{tmp_path_factory.mktemp('gone')}/no/such/folder/todoke.db"))
    yield app
    with app.app_context():
        db.engine.dispose()


def test_a_ready_app_says_so_and_tells_that_redis_is_away(stranger: Visitor) -> None:
    answer = stranger.get("/readyz")
    assert answer.status_code == 200
    assert answer.json == {
        "ready": True, "database": "ok", "redis": "away", "background": {"worker": 0, "clock": 0}
    }  # fmt: skip


def test_without_a_database_it_is_alive_but_not_ready(without_database: Flask) -> None:
    visitor = Visitor(without_database)
    assert visitor.get("/healthz").text == "ok\n"
    answer = visitor.get("/readyz")
    assert answer.status_code == 503
    assert answer.json is not None
    assert answer.json["database"] == "away"


def test_an_empty_database_is_not_ready(tmp_path_factory: pytest.TempPathFactory) -> None:
    app = create_app(settings_for(f"sqlite:///{tmp_path_factory.mktemp('empty')}/todoke.db"))
    answer = Visitor(app).get("/readyz")
    with app.app_context():
        db.engine.dispose()
    assert answer.status_code == 503
    assert answer.json is not None
    assert answer.json["database"] == "not migrated"


def test_a_page_without_a_database_is_an_apology_not_a_second_fault(without_database: Flask) -> None:
    visitor = Visitor(without_database, language="ja")
    with visitor.client.session_transaction() as session:
        session["_user_id"] = "the secret of somebody who is signed in"
    answer = visitor.get("/overview")
    assert answer.status_code == 500
    assert "Todokeの内部でエラーが起きました" in answer.text
