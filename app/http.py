"""The only outgoing HTTP: pooled, bounded in time and size, no proxies, netrc, cookies or second tries.

Redirects are followed by `get` alone, and only where its caller lets them.

A URL that came from a person is given with a `reach`: its name is resolved once, addresses out of reach are dropped,
and the connection goes to one that was looked at, under the name's own TLS and Host.

Three ends are no answer, and are told apart by what the other side can have seen of the request; their texts name
neither address nor header, so that they may be logged.

urllib3 is used without requests on top: a requests session reads the whole body of a redirect even when told not to
follow it, and keeps cookies from one call to the next.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from http.client import HTTPException
from typing import Any
from urllib.parse import urljoin, urlsplit

import certifi
from urllib3 import BaseHTTPResponse, PoolManager
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import HTTPError
from urllib3.util.ssl_ import create_urllib3_context

from app import bounds
from app.bounds import Reach
from app.clock import monotonic

BODY_LIMIT = 64 * 1024
REDIRECTS = 3
CONNECTIONS_PER_HOST = 128
"""As many as the engine may have under way: one that does not fit is closed after its answer, and made anew."""


class NoAnswer(Exception):  # noqa: N818  # an end of a call that is expected, and handled as a value
    """The call ended without an answer."""


class NeverConnected(NoAnswer):
    """Refused, name not found, connecting timed out, TLS refused: nothing of the request can have been seen."""


class AddressRefused(NeverConnected):
    """The name leads only to addresses out of reach, such as those of this machine or its network."""


class NoSuchName(NeverConnected):
    """There is no host of this name."""


class RedirectRefused(NoAnswer):
    """It led somewhere that may not be followed, or too often to yet another place."""


class TimedOut(NoAnswer):
    """The answer, or the rest of it, did not come in time; the request may have been seen."""


class ConnectionLost(NoAnswer):
    """The connection broke, or the answer was no HTTP; the request may have been seen."""


@dataclass(frozen=True, slots=True)
class Response:
    """An answer. `headers` are found in any letter case; `body` is cut at the call's limit of bytes.

    `reason` is the phrase behind the status, which servers choose freely.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    reason: str = ""


def post(
    url: str, body: bytes, headers: Mapping[str, str], bound: timedelta, reach: Reach = Reach.ANYWHERE
) -> Response:
    """Post once. `bound` holds the whole call, from resolving the name to the last byte of the answer.

    Raises NeverConnected, AddressRefused and NoSuchName among them, TimedOut or ConnectionLost.
    """
    return _call("POST", url, body, headers, bounds.Call(bound, reach), BODY_LIMIT)


def get(
    url: str,
    headers: Mapping[str, str],
    bound: timedelta,
    reach: Reach,
    limit: int,
    may_follow: Callable[[str], bool] = lambda _url: False,
) -> Response:
    """Get it, with all redirects to http(s) that `may_follow` lets pass: three at most, the addresses of each within
    `reach`, all of them together within `bound`.

    A body that is longer comes with one byte more than `limit`. Raises as `post` does, and RedirectRefused.
    """
    until = monotonic() + bound.total_seconds()
    for _ in range(REDIRECTS + 1):
        call = bounds.Call(timedelta(seconds=until - monotonic()), reach)
        answer = _call("GET", url, None, headers, call, limit + 1)
        if answer.status not in (301, 302, 303, 307, 308) or "Location" not in answer.headers:
            return answer
        url = _target(url, answer.headers["Location"])
        if not may_follow(url):
            break
    raise RedirectRefused("a redirect was not followed")


def _target(url: str, location: str) -> str:
    try:
        target = urljoin(url, location)
        parts = urlsplit(target)
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and parts.username is None:
            return target
    except ValueError:
        pass
    raise RedirectRefused("a redirect leads to no address")


def _call(
    method: str, url: str, body: bytes | None, headers: Mapping[str, str], call: bounds.Call, limit: int
) -> Response:
    before = bounds.current.set(call)
    try:
        return _exchange(_pools[call.reach], method, url, body, headers, limit)
    except (HTTPError, HTTPException, OSError):
        raise _end(call) from None
    except ValueError:
        # http.client quotes the header that it refuses, and that may be the one with the token.
        raise ValueError("a header holds a character that HTTP cannot carry") from None
    finally:
        bounds.current.reset(before)


def _exchange(
    pool: PoolManager, method: str, url: str, body: bytes | None, headers: Mapping[str, str], limit: int
) -> Response:
    answer = pool.request(method, url, body=body, headers=headers, redirect=False, retries=False, preload_content=False)
    try:
        return Response(answer.status, answer.headers, _start_of(answer, limit), answer.reason or "")
    finally:
        # A body read to its end has given its connection back to the pool by now; any other is cut here.
        answer.close()


def _start_of(answer: BaseHTTPResponse, limit: int) -> bytes:
    start = bytearray()
    # Read on until nothing comes: only then does a body that was broken off raise.
    while len(start) < limit and (piece := answer.read(limit - len(start), decode_content=False)):
        start += piece
    return bytes(start)


def _end(call: bounds.Call) -> NoAnswer:
    if call.refused:
        return AddressRefused("the name leads to no address that may be reached")
    if call.no_such_name:
        return NoSuchName("there is no host of this name")
    if not call.begun:
        return NeverConnected("no connection was made")
    if call.timed_out:
        return TimedOut("no complete answer in time")
    return ConnectionLost("the connection broke before the answer was complete")


class _Connection(HTTPConnection):
    """Bounded, and notes when the request begins: from then on it may have been seen."""

    def _new_conn(self) -> bounds.BoundedSocket:
        return bounds.connect(self._dns_host, self.port)

    def send(self, data: Any) -> None:
        if self.sock is None:
            self.connect()
        bounds.current.get().begun = True
        super().send(data)


class _TLSConnection(_Connection, HTTPSConnection):
    """The same under TLS."""


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Connection


class _TLSPool(HTTPSConnectionPool):
    ConnectionCls = _TLSConnection


TRUST = create_urllib3_context()
"""Which certificates are believed: those of certifi's authorities, each for its own name."""
TRUST.load_verify_locations(certifi.where())
TRUST.sslsocket_class = bounds.BoundedTLSSocket


def _pool() -> PoolManager:
    pool = PoolManager(maxsize=CONNECTIONS_PER_HOST, ssl_context=TRUST)
    pool.pool_classes_by_scheme = {"http": _Pool, "https": _TLSPool}
    return pool


_pools = {reach: _pool() for reach in Reach}
"""One for each reach: a connection that was made without looking at its address is never used by a call that looks."""

# urllib3 logs addresses, and the address of a push endpoint is a secret.
logging.getLogger("urllib3").setLevel(logging.CRITICAL)
