"""`python -m app.sandbox`: it starts, stops at once when told, and says in a sentence why it cannot start."""

import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import requests

from app.config import ROOT
from tests.sandbox.conftest import Line

# The module as it is, on a port and a file that no running Todoke uses.
_ELSEWHERE = """
import runpy, sys
from pathlib import Path
import app.config as config
config.SANDBOX_PORT, config.INSTANCE = int(sys.argv[1]), Path(sys.argv[2])
runpy.run_module("app.sandbox", run_name="__main__")
"""


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def start(port: int, instance: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _ELSEWHERE, str(port), str(instance)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def process(port: int, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    with start(port, tmp_path / "instance") as running:
        assert running.stdout
        assert running.stdout.readline().startswith("LINE sandbox: http://")
        yield running
        running.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_at_once_even_while_a_caller_is_kept_waiting(
    process: subprocess.Popen[str], port: int, number: int
) -> None:
    line = Line(f"http://127.0.0.1:{port}")
    line.set_next("silence_after")
    assert [line.push().status_code, line.push().status_code] == [200, 429]
    waiting = threading.Thread(target=lambda: _ignore_cut(line))
    waiting.start()
    deadline = time.monotonic() + 30
    while line.used() < 2:
        assert time.monotonic() < deadline
    process.send_signal(number)
    assert process.wait(timeout=5) == 0, "honcho gives it five seconds"
    waiting.join(timeout=5)
    assert process.stderr
    assert process.stderr.read() == ""


def test_it_goes_on_with_the_same_data(process: subprocess.Popen[str], port: int, tmp_path: Path) -> None:
    line = Line(f"http://127.0.0.1:{port}")
    line.push()
    process.kill()
    process.wait(timeout=5)
    with start(port, tmp_path / "instance") as again:
        assert again.stdout
        assert again.stdout.readline()
        assert line.used() == 1
        assert line.push().status_code == 429
        again.terminate()


def test_a_taken_port_is_said_in_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as squatter:
        port = squatter.getsockname()[1]
        with start(port, tmp_path / "instance") as ended:
            out, error = ended.communicate(timeout=30)
    assert (ended.returncode, out) == (1, "")
    assert error.startswith(f"LINE sandbox: port {port} is taken ")
    assert error.count("\n") == 1


def test_a_broken_file_is_said_in_one_sentence(port: int, tmp_path: Path) -> None:
    (tmp_path / "sandbox.db").write_bytes(b"not a database" * 100)
    with start(port, tmp_path) as process:
        said = process.communicate(timeout=30)[1]
    assert process.returncode == 1
    assert said.startswith("LINE sandbox: its file ")
    assert said.count("\n") == 1


def _ignore_cut(line: Line) -> None:
    with suppress(requests.RequestException):
        line.push(timeout=10)
