"""A process of a run: it holds the lock, and does not outlive the run, however that ends."""

import contextlib
import os
import signal
import subprocess
import threading
import time
from typing import Any

from honcho.process import Popen, Process

from app import clock

STOP_SECONDS = 5
POLL_SECONDS = 0.5


class Bound(Process):  # type: ignore[misc]  # honcho has no types
    """honcho's process, with both of that added."""

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
    with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS says the latter of a dead group
        _end_group(child)
    if os.getppid() != run:
        os._exit(1)  # an orderly end would wait for the dead run to read the last lines


def _end_group(leader: subprocess.Popen[bytes]) -> None:
    """Raises ProcessLookupError as soon as nobody is left."""
    os.killpg(leader.pid, signal.SIGTERM)
    deadline = clock.monotonic() + STOP_SECONDS
    while clock.monotonic() < deadline:
        leader.poll()
        os.killpg(leader.pid, 0)
        time.sleep(POLL_SECONDS)
    os.killpg(leader.pid, signal.SIGKILL)
