"""Python programs that stand for a run, and waiting for what they do."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from threading import Timer

ROOT = Path(__file__).resolve().parents[2]
WAIT_SECONDS = 180


@contextmanager
def python(script: str, *arguments: object) -> Iterator[Popen[str]]:
    """Runs the script, with its output and errors in one pipe; kills it if the test does not end it in time."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    process = Popen(command, cwd=ROOT, stdin=PIPE, stdout=PIPE, stderr=subprocess.STDOUT, text=True)
    with process, killed_in_the_end(process):
        yield process


@contextmanager
def killed_in_the_end(process: Popen[str]) -> Iterator[None]:
    """Kills the process at the end, and after a minute in any case: a test that reads on must not hang."""
    too_late = Timer(WAIT_SECONDS, process.kill)
    too_late.start()
    try:
        yield
    finally:
        too_late.cancel()
        process.kill()


def line_with(process: Popen[str], words: str) -> str:
    """Reads on until a line holds these words, and returns it."""
    assert process.stdout is not None
    seen = []
    for line in process.stdout:
        seen.append(line)
        if words in line:
            return line.rstrip("\n")
    raise AssertionError(f"{words!r} was never said, but:\n{''.join(seen)}")


def rest(process: Popen[str]) -> str:
    """What it says until all who hold its output have ended."""
    assert process.stdout is not None
    return process.stdout.read()


def until(condition: Callable[[], bool], what: str) -> None:
    """Waits for the condition, and fails with these words when it does not come."""
    deadline = time.monotonic() + WAIT_SECONDS
    while not condition():
        assert time.monotonic() < deadline, f"after {WAIT_SECONDS} s still not: {what}"
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    """Whether the process does anything: one that ended counts as gone although nobody asked for its exit code."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout
    return bool(state) and not state.startswith("Z")
