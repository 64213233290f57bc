"""One Todoke per folder: a lock that every process of a run holds open, so that it ends with the last of them.

No process id is trusted: an id can be somebody else's by now, the lock cannot.
"""

import contextlib
import fcntl
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import click

from app import clock
from app.start.error import StartError

STOP_SECONDS = 6
POLL_SECONDS = 0.1


@contextlib.contextmanager
def run_lock(path: Path, address: str) -> Iterator[int]:
    """Holds the lock and gives its descriptor, which the processes of this run are to inherit.

    Ends what an earlier run left behind when it was killed. Raises StartError when Todoke runs in this folder already.
    """
    path = path.resolve()
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not _take(descriptor):
            _refuse_a_second_start(path, descriptor, address)
            _end_what_was_left(path, descriptor)
        os.truncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        yield descriptor
    finally:
        os.close(descriptor)


def _take(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _refuse_a_second_start(path: Path, descriptor: int, address: str) -> None:
    time.sleep(POLL_SECONDS)  # whoever took it an instant ago has not written its process id yet
    written = os.pread(descriptor, 20, 0).decode(errors="replace").strip()
    holders = lock_holders(path)
    if holders is None or written in map(str, holders):
        raise StartError(
            f"Todoke is already running in this folder (pid {written or 'not known'}) at {address}; "
            f"end it there with Ctrl-C, or with: kill {written}"
        )


def _end_what_was_left(path: Path, descriptor: int) -> None:
    click.echo("An earlier run was killed and left processes behind: ending them first.", err=True)
    for number in (signal.SIGTERM, signal.SIGKILL):
        for pid in lock_holders(path) or []:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        deadline = clock.monotonic() + STOP_SECONDS
        while clock.monotonic() < deadline:
            if _take(descriptor):
                return
            time.sleep(POLL_SECONDS)
    pids = " ".join(map(str, lock_holders(path) or []))
    raise StartError(f"Processes of an earlier run are still there and could not be ended: {pids}")


def lock_holders(path: Path) -> list[int] | None:
    """The processes that inherited the lock; None where the system has no /proc to tell (macOS)."""
    if not Path("/proc/self/fdinfo").exists():
        return None
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit() and _holds(entry, path)]


def _holds(process: Path, path: Path) -> bool:
    # A program that merely reads the file, an editor say, has it open without FLOCK.
    try:
        return any(
            os.readlink(link) == str(path) and "FLOCK" in (process / "fdinfo" / link.name).read_text()
            for link in (process / "fd").iterdir()
        )
    except OSError:  # it ended meanwhile, or belongs to somebody else
        return False
