"""The servers as pytest fixtures: each pytest process starts its own, when the first test asks for it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

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


@pytest.fixture(scope="session")
def browser(chromium_path: str) -> Iterator[Browser]:
    """The one browser of a pytest process: Playwright cannot be started twice in one."""
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=flags)
        yield browser
        browser.close()
