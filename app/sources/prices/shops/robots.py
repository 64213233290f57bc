"""What a host lets robots read (RFC 9309): its robots.txt, kept for a day."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from threading import Lock
from urllib.parse import urlsplit

from protego import Protego

from app import http
from app.bounds import Reach
from app.clock import now
from app.sources.prices.shops.pace import LONGEST_REST

AGENT = "Todoke"
USER_AGENT = f"{AGENT}/1.0 (price watch; asks for one page at a time)"
LARGEST = 500 * 1024
"""Bytes, as much as RFC 9309 has a robot read at least."""
KEPT, KEPT_UNKNOWN = timedelta(days=1), timedelta(minutes=10)
_HOSTS_KEPT = 5000


class RobotsUnknownError(http.NoAnswer):
    """The host cannot say now what robots may read, so that nothing may be read (RFC 9309 2.3.1.4)."""


@dataclass(frozen=True, slots=True)
class _Rules:
    """Without `parsed` everything is allowed, or if `unknown`, nothing."""

    parsed: Protego | None
    unknown: bool
    until: datetime


class Robots:
    """One for a process; any thread may ask it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._of: dict[str, _Rules] = {}

    def allow(self, url: str, bound: timedelta, reach: Reach) -> bool:
        """Whether this page may be read. Asks the host, if it was not asked of late.

        Raises what `http.get` does, and RobotsUnknownError.
        """
        origin = _origin(url)
        with self._lock:
            rules = self._of.get(origin)
        if rules is None or rules.until <= now():
            rules = _read(origin, bound, reach)
            with self._lock:
                if len(self._of) >= _HOSTS_KEPT:
                    self._of.clear()
                self._of[origin] = rules
        if rules.unknown:
            raise RobotsUnknownError("robots.txt could not be read")
        return rules.parsed is None or rules.parsed.can_fetch(url, AGENT)

    def delay(self, url: str) -> timedelta:
        """How long the host wishes to be left alone between two pages (Crawl-delay), as far as that is known."""
        with self._lock:
            rules = self._of.get(_origin(url))
        wish = rules.parsed.crawl_delay(AGENT) if rules is not None and rules.parsed is not None else None
        return timedelta(seconds=min(wish or 0, LONGEST_REST.total_seconds()))


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _read(origin: str, bound: timedelta, reach: Reach) -> _Rules:
    try:
        answer = http.get(f"{origin}/robots.txt", {"User-Agent": USER_AGENT}, bound, reach, LARGEST, _anywhere)
    except http.RedirectRefused:
        return _Rules(None, False, now() + KEPT)
    if answer.status == 200:
        return _Rules(Protego.parse(answer.body.decode(errors="replace")), False, now() + KEPT)
    unknown = answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR or answer.status == HTTPStatus.TOO_MANY_REQUESTS
    return _Rules(None, unknown, now() + (KEPT_UNKNOWN if unknown else KEPT))


def _anywhere(_url: str) -> bool:
    return True


ROBOTS = Robots()
