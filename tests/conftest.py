"""What every test may ask for."""

from tests.servers.fixtures import chromium_path, postgres_server, valkey_server

__all__ = ["chromium_path", "postgres_server", "valkey_server"]
