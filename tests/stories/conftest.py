"""What several stories ask for."""

import time
from collections.abc import Iterator

import pytest


@pytest.fixture(params=["UTC", "Asia/Tokyo", "America/New_York"])
def everywhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The machine's own zone has no say in when anybody is told what."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()
