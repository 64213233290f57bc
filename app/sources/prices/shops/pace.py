"""At most one page a second of each host for this process, and none while the host wishes, or seems to need, to be left
alone.

Whoever would wait long is not kept waiting but told when to come again: each a second later than the one before, so
that of a thousand who come for one host each comes back in turn, and meanwhile the others have theirs.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Lock
from urllib.parse import urlsplit

from app.clock import now, pause

EVERY = timedelta(seconds=1)
PATIENCE = timedelta(seconds=1)
"""Who is longer than this from their turn comes again."""
REST = timedelta(seconds=20)
"""For which a host is left alone that gave no answer: it would cost everybody its time-out."""
LONGEST_REST = timedelta(hours=1)
_HOSTS_KEPT = 5000


@dataclass(slots=True)
class _Turns:
    """`free_at`: the next request may be made; `told_until`: the last time that somebody was told to come again."""

    free_at: datetime
    told_until: datetime


def host_of(url: str) -> str:
    """The host by which a pace is kept, with its port if it is an unusual one."""
    return urlsplit(url).netloc[:255]


class Pace:
    """One for a process; any thread may ask it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._hosts: dict[str, _Turns] = {}

    def wait_turn(self, host: str, time_left: timedelta = PATIENCE) -> datetime | None:
        """Wait for this host's next turn, and take it; or, when that is far, at once: when to come again."""
        with self._lock:
            at = now()
            turns = self._of(host, at)
            wait = turns.free_at - at
            if wait > min(PATIENCE, time_left):
                turns.told_until = max(turns.told_until, turns.free_at - EVERY) + EVERY
                return turns.told_until
            turns.free_at = max(turns.free_at, at) + EVERY
        if wait > timedelta(0):
            pause(wait.total_seconds())
        return None

    def rest(self, host: str, span: timedelta = REST) -> None:
        """Leave this host alone for so long."""
        with self._lock:
            at = now()
            turns = self._of(host, at)
            turns.free_at = max(turns.free_at, at + min(span, LONGEST_REST))

    def _of(self, host: str, at: datetime) -> _Turns:
        if len(self._hosts) >= _HOSTS_KEPT:
            self._hosts = {name: turns for name, turns in self._hosts.items()
                           if max(turns.free_at, turns.told_until) > at}  # fmt: skip
        turns = self._hosts.setdefault(host, _Turns(LONG_AGO, LONG_AGO))
        if turns.free_at - at > LONGEST_REST:  # the clock was put back
            turns.free_at = turns.told_until = at
        return turns


LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
PACE = Pace()
