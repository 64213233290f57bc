"""The whole of `make run`, as a newcomer meets it: in a folder of its own, with the real processes and ports."""

import fcntl
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from app.config import SANDBOX_PORT, Settings
from app.start.__main__ import PORT
from app.start.checks import check_ports
from app.start.error import StartError
from app.start.lock import lock_holders
from tests.servers.missing import missing
from tests.start.scripts import ROOT, killed_in_the_end, line_with, rest, until

PARTS = ("app", "migrations", "static", "templates", "wsgi.py", "worker.py")
PORTS = {PORT: "the pages", SANDBOX_PORT: "the LINE sandbox"}


@pytest.fixture
def home(short_folder: Path) -> Iterator[Path]:
    """A copy of the product without data, while nobody else on this machine uses its ports."""
    for part in PARTS:
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, short_folder / part)
    with open("/tmp/todoke-ports.lock", "w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        try:
            check_ports(PORTS)
        except StartError as error:
            missing(f"The run was not tried: {error}")
        yield short_folder


@contextmanager
def run(home: Path) -> Iterator[subprocess.Popen[str]]:
    environment = {name: value for name, value in os.environ.items() if name.lower() not in Settings.model_fields}
    process = subprocess.Popen(
        [sys.executable, "-m", "app.start"],
        cwd=home, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
    )  # fmt: skip
    with process, killed_in_the_end(process):
        yield process


def test_one_command_delivers_a_message_a_kill_loses_nothing_and_ctrl_c_ends_everything(home: Path) -> None:
    with run(home) as first:
        line_with(first, "Todoke is running at  http://127.0.0.1:8000")
        line_with(first, "admin@example.jp")
        assert "<form" in _page("/login")
        until(lambda: _sent(home) > 0, "a message has reached the sandbox")

        with run(home) as second:
            assert f"already running in this folder (pid {first.pid})" in rest(second)
            assert second.wait() == 1

        sent, shifts = _sent(home), _shifts(home)
        first.kill()
        first.wait()

    with run(home) as again:
        line_with(again, "Ctrl-C stops everything")
        assert "<form" in _page("/login")
        assert _sent(home) >= sent
        assert _shifts(home) == shifts

        os.killpg(again.pid, signal.SIGINT)  # as the terminal does: it tells the whole group
        said = rest(again)
        assert again.wait() == 0
        assert "Traceback" not in said
    check_ports(PORTS)
    assert lock_holders(home / "instance" / "run.lock") == []


def _page(path: str) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT}{path}", timeout=10) as answer:
        return str(answer.read().decode())


def _sent(home: Path) -> int:
    return _count(home, "SELECT count(*) FROM delivery WHERE state = 'sent'")


def _shifts(home: Path) -> int:
    return _count(home, "SELECT count(*) FROM shift")


def _count(home: Path, query: str) -> int:
    with closing(sqlite3.connect(home / "instance" / "todoke.db")) as database:
        return int(database.execute(query).fetchone()[0])
