"""Whether this process was asked to end."""

import os
import signal
from multiprocessing import parent_process
from multiprocessing.process import BaseProcess
from threading import Event, Thread

_asked = Event()


def stopping() -> bool:
    """True from the first SIGTERM or SIGINT on."""
    return _asked.is_set()


def ask() -> None:
    """Ask this process to end as soon as what it began is answered."""
    _asked.set()


def wait(seconds: float) -> bool:
    """Sleep, but wake at once when asked to end; True if so."""
    return _asked.wait(seconds)


def on_signals() -> None:
    """Take SIGTERM and SIGINT for the question, and the death of the process that started this one."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ask())
    parent = parent_process()
    if parent is not None:
        Thread(target=_outlive_nobody, args=(parent,), name="parent", daemon=True).start()


def _outlive_nobody(parent: BaseProcess) -> None:
    parent.join()
    # By signal: it also wakes a worker that waits for Redis.
    os.kill(os.getpid(), signal.SIGTERM)
