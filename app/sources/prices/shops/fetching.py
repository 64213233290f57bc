"""Getting one document of a shop: when its turn comes, as far as its robots.txt allows, and what the answer means."""

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus

from app import http
from app.bounds import Reach
from app.clock import monotonic, now
from app.retry_after import retry_after
from app.sources.prices.shops.offer import FetchFailed, Gone, Trouble, Why, unreadable
from app.sources.prices.shops.pace import PACE, REST, host_of
from app.sources.prices.shops.robots import ROBOTS, USER_AGENT

LARGEST = 2 * 1024 * 1024
"""Bytes of a page, before and after it is unpacked."""
_GZIP = 31
"""How zlib is told to expect gzip."""


@dataclass(frozen=True, slots=True)
class Document:
    """What came. Header names are found in any letter case."""

    body: bytes
    headers: Mapping[str, str]


def get(url: str, accept: str, bound: timedelta, reach: Reach) -> Document | Gone | FetchFailed:
    """One document by the rules of the web: robots.txt, a pace, and rest for a host that has trouble."""
    way = _Way(bound, reach)
    try:
        if not way.may_go_to(url):
            return unreadable(Why.NOT_ALLOWED)
        answer = _ask(url, accept, way.time_left, reach, way.may_go_to)
    except _NotItsTurnError as early:
        return FetchFailed(Trouble.NOT_ASKED, after=early.after)
    except http.NoAnswer as silence:
        return _silence(way.host, silence)
    return _meaning(way.host, answer)


def get_at_once(url: str, accept: str, bound: timedelta, reach: Reach) -> Document | Gone | FetchFailed:
    """The same without pace, rest and robots.txt: from a shop of our own."""
    try:
        return _meaning(None, _ask(url, accept, bound, reach, lambda _url: True))
    except http.NoAnswer as silence:
        return _silence(None, silence)


class _NotItsTurnError(http.NoAnswer):
    """A host was not asked, for its turn is far off."""

    def __init__(self, after: timedelta) -> None:
        super().__init__("the turn of its host has not come")
        self.after = after


class _Way:
    """The hosts that one document leads through, each asked when its turn comes. Its robots.txt, and redirects within
    it, are in that same turn."""

    def __init__(self, bound: timedelta, reach: Reach) -> None:
        self._until = monotonic() + bound.total_seconds()
        self._reach = reach
        self._passed: set[str] = set()
        self.host = ""
        """Who is asked now, and left alone if there is trouble."""

    @property
    def time_left(self) -> timedelta:
        """Until the whole of it has to be over."""
        return timedelta(seconds=self._until - monotonic())

    def may_go_to(self, url: str) -> bool:
        """Wait for the host's turn; then whether robots may read this page.

        Raises _NotItsTurnError, and what `Robots.allow` does.
        """
        self.host = host_of(url)
        if self.host not in self._passed:
            self._passed.add(self.host)
            if (again := PACE.wait_turn(self.host, self.time_left)) is not None:
                raise _NotItsTurnError(again - now())
        allowed = ROBOTS.allow(url, self.time_left, self._reach)
        PACE.rest(self.host, ROBOTS.delay(url))
        return allowed


def _ask(url: str, accept: str, bound: timedelta, reach: Reach, may_follow: Callable[[str], bool]) -> http.Response:
    headers = {"User-Agent": USER_AGENT, "Accept": accept, "Accept-Encoding": "gzip"}
    return http.get(url, headers, bound, reach, LARGEST, may_follow)


def _meaning(host: str | None, answer: http.Response) -> Document | Gone | FetchFailed:
    wish = retry_after(answer.headers)
    if answer.status == HTTPStatus.OK:
        return _document(answer)
    if answer.status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
        return Gone()
    if answer.status == HTTPStatus.TOO_MANY_REQUESTS or answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        _rest(host, wish)
        limited = answer.status == HTTPStatus.TOO_MANY_REQUESTS
        return FetchFailed(Trouble.RATE_LIMITED if limited else Trouble.UNREACHABLE, after=wish)
    return unreadable(Why.REFUSED if answer.status >= HTTPStatus.BAD_REQUEST else Why.NO_PRODUCT)


def _silence(host: str | None, silence: http.NoAnswer) -> FetchFailed:
    if isinstance(silence, http.AddressRefused):
        return unreadable(Why.INSIDE)
    if isinstance(silence, http.RedirectRefused):
        return unreadable(Why.LEADS_AWAY)
    if isinstance(silence, http.NoSuchName):
        return FetchFailed(Trouble.UNREACHABLE, why=Why.NO_SUCH_HOST)
    _rest(host, None)
    return FetchFailed(Trouble.UNREACHABLE)


def _rest(host: str | None, span: timedelta | None) -> None:
    if host is not None:
        PACE.rest(host, span or REST)


def _document(answer: http.Response) -> Document | FetchFailed:
    body = answer.body
    if len(body) <= LARGEST and answer.headers.get("Content-Encoding", "").lower() == "gzip":
        try:
            body = zlib.decompressobj(_GZIP).decompress(body, LARGEST + 1)
        except zlib.error:
            return unreadable(Why.NO_PRODUCT)
    return Document(body, answer.headers) if len(body) <= LARGEST else unreadable(Why.TOO_LARGE)
