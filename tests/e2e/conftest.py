"""A site for a real browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from app import create_app
from app.extensions import db
from tests.e2e.site import PATIENCE, Looking, Site, make_admin, serving
from tests.fakes.kind import Probe, registered
from tests.fixtures.settings import settings_for

expect.set_options(timeout=PATIENCE)


@pytest.fixture
def site(sqlite_url: str) -> Iterator[Site]:
    app = create_app(settings_for(sqlite_url))
    with app.app_context():
        admin, email = make_admin()
    with registered(Probe()), serving(app) as url:
        yield Site(app, url, admin, email)
    with app.app_context():
        db.engine.dispose()


@pytest.fixture
def looking(browser: Browser, site: Site) -> Iterator[Looking]:
    windows = Looking(browser, site)
    yield windows
    windows.close()
