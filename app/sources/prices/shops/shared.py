"""One reading for all who ask about the same item at the same moment: a thousand watchers are one request."""

from collections.abc import Callable
from concurrent.futures import Future
from datetime import timedelta
from threading import Lock

from app.clock import now
from app.sources.prices.shops.offer import FetchFailed, Reading, ShopItem, Trouble

FRESH = timedelta(seconds=10)
_KEPT = 1000


class Readings:
    """One for a process; any thread may ask it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._latest: dict[ShopItem, Future[Reading]] = {}

    def read(self, item: ShopItem, ask: Callable[[], Reading]) -> Reading:
        """What another read within the last seconds, or is reading now; else ask. Raises what `ask` raises."""
        with self._lock:
            latest = self._latest.get(item)
            ours = latest is None or not _serves(latest)
            if ours:
                latest = Future()
                self._keep(item, latest)
        assert latest is not None  # noqa: S101  # for the type checker
        if ours:
            try:
                latest.set_result(ask())
            except BaseException as fault:
                latest.set_exception(fault)
                raise
        return latest.result()

    def _keep(self, item: ShopItem, latest: "Future[Reading]") -> None:
        if len(self._latest) >= _KEPT:
            self._latest = {one: kept for one, kept in self._latest.items() if _serves(kept)}
        self._latest[item] = latest


def _serves(latest: "Future[Reading]") -> bool:
    """Whether it is still to come, or came just now. What failed may be well again; but whose turn has not come is told
    the same turn as whoever asked before, and they come back together."""
    if not latest.done():
        return True
    if latest.exception() is not None:
        return False
    reading = latest.result()
    if isinstance(reading, FetchFailed):
        waits = reading.kind is Trouble.NOT_ASKED and reading.after is not None
        return waits and timedelta(0) <= now() - reading.at < (reading.after or FRESH)
    return timedelta(0) <= now() - reading.read_at <= FRESH


READINGS = Readings()
