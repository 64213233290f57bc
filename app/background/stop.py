"""Whether this process was asked to end."""

import os
import select
import signal
from multiprocessing import parent_process
from multiprocessing.process import BaseProcess
from threading import Thread

# A pipe and not threading.Event: whoever sets an event takes its lock, and a signal that comes while the main thread
# holds it in wait() would have that thread wait for itself, deaf to every further signal.
_readable, _writable = os.pipe()
os.set_blocking(_writable, False)


def stopping() -> bool:
    """True from the first SIGTERM or SIGINT on."""
    return wait(0)


def ask() -> None:
    """Ask this process to end as soon as what it began is answered."""
    os.write(_writable, b".")


def wait(seconds: float) -> bool:
    """Sleep, but wake at once when asked to end; True if so."""
    return bool(select.select([_readable], [], [], seconds)[0])  # never read, so it stays readable for every thread


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
