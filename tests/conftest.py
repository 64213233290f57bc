"""What every test may ask for."""

from tests.fixtures.apps import app, line, probe, push, redis, shop, sqlite_app, sqlite_site
from tests.fixtures.background import background
from tests.fixtures.databases import database_url, migrated_postgres, migrated_sqlite, postgres_url, sqlite_url
from tests.servers.fixtures import browser, chromium_path, postgres_server, valkey_server

__all__ = [
    "app",
    "background",
    "browser",
    "chromium_path",
    "database_url",
    "line",
    "migrated_postgres",
    "migrated_sqlite",
    "postgres_server",
    "postgres_url",
    "probe",
    "push",
    "redis",
    "shop",
    "sqlite_app",
    "sqlite_site",
    "sqlite_url",
    "valkey_server",
]
