"""The servers as pytest fixtures: each pytest process starts its own, when the first test asks for it."""

from collections.abc import Iterator

import pytest

from tests.servers.browser import find_chromium
from tests.servers.postgres import PostgresServer
from tests.servers.valkey import ValkeyServer


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    server = PostgresServer()
    yield server
    server.remove()


@pytest.fixture(scope="session")
def valkey_server() -> Iterator[ValkeyServer]:
    server = ValkeyServer()
    yield server
    server.remove()


@pytest.fixture(scope="session")
def chromium_path() -> str:
    return find_chromium()
