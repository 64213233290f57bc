"""Ends the servers of a pytest process and removes their folders, whatever way that process ends.

Runs as a process of its own. It reads `+ PID FOLDER` and `- PID FOLDER` lines from pytest; the end of that pipe means
that pytest is gone, be it by SIGKILL, when no fixture could tidy up.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from functools import cache

STOP_SECONDS = 5


def keep(pid: int, folder: str) -> None:
    """From now on the server and its folder do not outlive this pytest process."""
    _tell(f"+ {pid} {folder}")


def let_go(pid: int, folder: str) -> None:
    """The server was ended in the ordinary way: its process id may soon be somebody else's."""
    _tell(f"- {pid} {folder}")


def _tell(line: str) -> None:
    pipe = _keeper().stdin
    assert pipe is not None
    pipe.write(f"{line}\n")
    pipe.flush()


@cache
def _keeper() -> subprocess.Popen[str]:
    # A session of its own, or Ctrl-C at the terminal would end the keeper before the servers.
    return subprocess.Popen(
        [sys.executable, "-I", "-S", __file__], stdin=subprocess.PIPE, text=True, start_new_session=True
    )


def main() -> None:
    kept: dict[int, str] = {}
    for line in sys.stdin:
        sign, pid, folder = line.rstrip("\n").split(" ", 2)
        if sign == "+":
            kept[int(pid)] = folder
        else:
            kept.pop(int(pid), None)
    for number, folder in kept.items():
        _end(number, folder)


def _end(pid: int, folder: str) -> None:
    # SIGINT, not SIGKILL: PostgreSQL then ends its own processes and gives its shared memory back.
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGINT)
    deadline = time.monotonic() + STOP_SECONDS
    while os.path.exists(folder) and time.monotonic() < deadline:
        shutil.rmtree(folder, ignore_errors=True)  # it may still write its last file
        time.sleep(0.05)


if __name__ == "__main__":
    main()
