"""The processes of a run under honcho, and their common end."""

import os
import shlex
import signal
from collections.abc import Callable, Iterable
from pathlib import Path

from honcho.manager import Manager

from app.start.bound import Bound

SIGNALS_TO_STOP = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Processes(Manager):  # type: ignore[misc]  # honcho has no types
    """honcho's manager: one process ending, or a signal, ends all of them within about six seconds."""

    def __init__(self, root: Path, lock: int, on_started: Callable[[], None]) -> None:
        super().__init__()
        self._root = root
        self._lock = lock
        self._on_started = on_started
        self._process_ctor = Bound
        self._stop_asked = False
        self._ended_by_itself: str | None = None
        self._needed_to_the_end: str | None = None

    def add(self, name: str, command: list[str], needed_to_the_end: bool = False) -> None:
        """A process to run, from the root; one may be needed by the others until they have ended."""
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        process = self.add_process(name, f"exec {shlex.join(command)}", env=environment, cwd=str(self._root))
        process.lock = self._lock
        if needed_to_the_end:
            self._needed_to_the_end = name

    def loop(self) -> None:
        """Runs everything until a signal comes or a process ends."""
        try:
            super().loop()
        except OSError:
            # Whoever read our output is gone. An orderly exit would wait for processes that nobody ends any more;
            # after this one they end by themselves.
            os._exit(1)

    def how_it_ended(self) -> str | None:
        """One sentence about the process that ended by itself and took the others along; None after a signal."""
        if self._ended_by_itself is None:
            return None
        code = self._processes[self._ended_by_itself]["returncode"]
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
        return f"The process {self._ended_by_itself} {how}, so everything was stopped; its last words are above."

    # What follows is called by honcho's loop, in this order.

    def _start(self) -> None:
        # honcho's own handlers fail when the signal comes before it has heard every process id.
        for number in SIGNALS_TO_STOP:
            signal.signal(number, self._ask_to_stop)
        super()._start()
        self._on_started()

    def _ask_to_stop(self, *_: object) -> None:
        self._stop_asked = True

    def _any_stopped(self) -> bool:
        # From here honcho ends everything, and kills after 5 s what has not ended.
        return self._stop_asked or bool(super()._any_stopped())

    def terminate(self) -> None:
        """Asks everything to end but what the others need for it."""
        ended = [name for name in self._processes if name not in self._running()]
        if ended and not self._stop_asked:
            self._ended_by_itself = ended[0]
        self._terminating = True
        self._ask(name for name in self._running() if name != self._needed_to_the_end)

    def _all_stopped(self) -> bool:
        # Asked in each turn of the loop.
        running = self._running()
        if self._terminating and running == [self._needed_to_the_end]:
            self._ask(running)
            self._needed_to_the_end = None
        return not running

    def _running(self) -> list[str]:
        return [name for name, process in self._processes.items() if process.get("returncode") is None]

    def _ask(self, names: Iterable[str]) -> None:
        for name in names:
            self._procmgr.terminate(self._processes[name]["pid"])
