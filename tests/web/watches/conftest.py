"""The app with its pages on each database: what these pages ask is asked in SQL of its own. And a scripted shop."""

from collections.abc import Iterator

import pytest
from flask import Flask

from app import create_app
from app.extensions import db
from tests.fixtures.settings import settings_for


@pytest.fixture
def pages_app(database_url: str) -> Iterator[Flask]:
    """Not in an app context, and without a queue, as everywhere among the pages."""
    app = create_app(settings_for(database_url))
    yield app
    with app.app_context():
        db.session.remove()
        db.engine.dispose()
