"""The processes of a run under honcho, and their common end."""

import contextlib
import os
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from honcho.manager import Manager
from honcho.process import Popen, Process

STOP_SECONDS = 5
POLL_SECONDS = 0.5
SIGNALS_TO_STOP = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Processes(Manager):  # type: ignore[misc]  # honcho has no types
    """honcho's manager: one process ending, or a signal, ends all of them within about six seconds."""

    def __init__(self, root: Path, lock: int, on_started: Callable[[], None]) -> None:
        super().__init__()
        self._root = root
        self._lock = lock
        self._on_started = on_started
        self._process_ctor = Bound
        self.stop_asked = False
        self._ended_first: str | None = None

    def add(self, name: str, command: list[str]) -> None:
        """A process to run; `exec` spares the shell that honcho puts in between."""
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        process = self.add_process(name, f"exec {shlex.join(command)}", env=environment, cwd=str(self._root))
        process.lock = self._lock

    def _start(self) -> None:
        # honcho's own handlers fail when the signal comes before it has heard every process id.
        for number in SIGNALS_TO_STOP:
            signal.signal(number, self._ask_to_stop)
        super()._start()
        self._on_started()

    def _ask_to_stop(self, *_: object) -> None:
        self.stop_asked = True

    def _any_stopped(self) -> bool:
        # From here honcho ends everything, and kills after 5 s what has not ended.
        return self.stop_asked or bool(super()._any_stopped())

    def how_it_ended(self) -> str | None:
        """One sentence about the process that ended by itself and took the others along; None after a signal."""
        if self._ended_first is None:
            return None
        code = self._processes[self._ended_first]["returncode"]
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
        return f"The process {self._ended_first} {how}, so everything was stopped; its last words are above."

    def terminate(self) -> None:
        ended = [name for name, process in self._processes.items() if "returncode" in process]
        if ended and not self.stop_asked:
            self._ended_first = ended[0]
        super().terminate()


class Bound(Process):  # type: ignore[misc]  # honcho has no types
    """A process that holds the lock of the run and does not outlive it, however the run ends."""

    lock: int

    def run(self, *arguments: Any, **options: Any) -> None:
        self._child_ctor = self._start_child
        super().run(*arguments, **options)

    def _start_child(self, command: str, **options: Any) -> subprocess.Popen[bytes]:
        child: subprocess.Popen[bytes] = Popen(command, pass_fds=(self.lock,), **options)
        threading.Thread(target=_end_with_the_run, args=(child, os.getppid()), daemon=True).start()
        return child


def _end_with_the_run(child: subprocess.Popen[bytes], run: int) -> None:
    """Ends the child's whole group when the run was killed, or what the child left when it died itself."""
    while child.poll() is None and os.getppid() == run:
        time.sleep(POLL_SECONDS)
    with contextlib.suppress(ProcessLookupError):
        _end_group(child)
    if os.getppid() != run:
        os._exit(1)  # an orderly end would wait for the dead run to read the last lines


def _end_group(leader: subprocess.Popen[bytes]) -> None:
    """Raises ProcessLookupError as soon as nobody is left."""
    os.killpg(leader.pid, signal.SIGTERM)
    deadline = time.monotonic() + STOP_SECONDS
    while time.monotonic() < deadline:
        leader.poll()
        os.killpg(leader.pid, 0)
        time.sleep(POLL_SECONDS)
    os.killpg(leader.pid, signal.SIGKILL)
