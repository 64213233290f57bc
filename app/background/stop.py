"""Whether this process was asked to end."""

import signal
from threading import Event

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
    """Take SIGTERM and SIGINT for the question."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ask())
