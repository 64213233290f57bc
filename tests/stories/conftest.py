"""What several stories ask for."""

import time
from collections.abc import Iterator

import pytest

ZONE = "America/New_York"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every zone on SQLite, one of them on PostgreSQL: the database has no say in what zone the machine is in."""
    items[:] = [item for item in items if not _says_the_same(item)]


def _says_the_same(item: pytest.Item) -> bool:
    asked = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    return asked.get("database_url") == "postgresql" and asked.get("everywhere", ZONE) != ZONE


@pytest.fixture(params=["UTC", "Asia/Tokyo", "America/New_York"])
def everywhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The machine's own zone has no say in when anybody is told what."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()
