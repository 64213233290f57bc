"""What one outgoing call may do, held at its socket: the time it may spend, and which addresses it may reach.

The time, because a dripping server would get a fresh time-out for each byte. The addresses, because only here is a
name resolved, once, and the address that was looked at is the one that is connected to.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta
from enum import Enum
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from socket import EAI_NODATA, EAI_NONAME, IPPROTO_TCP, SOCK_STREAM, TCP_NODELAY, getaddrinfo, socket
from threading import Thread
from time import monotonic  # the wall clock may step in the middle of a call
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

CONNECT_BOUND = timedelta(seconds=3)
READ_BOUND = timedelta(seconds=5)


class Reach(Enum):
    """Which addresses a name may lead to."""

    ANYWHERE = "anywhere"
    """For URLs of our own settings."""
    PUBLIC = "public"
    """For URLs that came from a person, who could otherwise make this machine talk to its neighbours."""
    PUBLIC_OR_LOOPBACK = "public or loopback"
    """The same where tests and the sandbox stand in for the internet."""

    def includes(self, address: str) -> bool:
        """Whether a call may be made to this address."""
        if self is Reach.ANYWHERE:
            return True
        found = ip_address(address)
        if self is Reach.PUBLIC_OR_LOOPBACK and found.is_loopback:
            return True
        return _is_public(_meant(found))


_NAT64 = IPv6Network("64:ff9b::/96")
_UNICAST = IPv6Network("2000::/3")
"""All of IPv6 that was ever given out (RFC 4291). Whatever else is in use means this machine, its network, or an IPv4
address by some gateway."""
_NOT_PUBLIC = (
    IPv4Network("192.0.0.0/24"), IPv4Network("192.88.99.0/24"), IPv6Network("2002::/16"), IPv6Network("3fff::/20"),
)  # fmt: skip
"""Networks that `is_global` lets through in some versions of Python: of protocols, 6to4 (no more in use), examples."""


def _meant(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """The IPv4 address that an IPv6 address stands for: this machine or a gateway would turn it into that."""
    if isinstance(address, IPv4Address):
        return address
    return IPv4Address(int(address) & 0xFFFFFFFF) if address in _NAT64 else address.ipv4_mapped or address


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    return (
        address.is_global
        and not address.is_multicast
        and (isinstance(address, IPv4Address) or address in _UNICAST)
        and not any(address in network for network in _NOT_PUBLIC)
    )


class Call:
    """What one call may still spend and reach, and what the other side can have seen of it."""

    def __init__(self, bound: timedelta, reach: Reach = Reach.ANYWHERE) -> None:
        start = monotonic()
        self.reach = reach
        self.refused = False
        self.no_such_name = False
        self._ends = start + bound.total_seconds()
        self._connected_by = start + min(bound, CONNECT_BOUND).total_seconds()
        self.begun = False
        self.timed_out = False

    def time_to_connect(self) -> float:
        """Seconds left to resolve, connect and agree on TLS. Raises TimeoutError when there are none."""
        return _some(self._connected_by - monotonic())

    @contextmanager
    def spending(self, connection: socket) -> Iterator[None]:
        """Read or write once, within what is left of the whole call."""
        try:
            connection.settimeout(_some(min(self._ends - monotonic(), READ_BOUND.total_seconds())))
            yield
        except TimeoutError:
            self.timed_out = True
            raise


def _some(seconds: float) -> float:
    if seconds <= 0:
        raise TimeoutError
    return seconds


current: ContextVar[Call] = ContextVar("call")
"""The call that this thread is making: pooled sockets pass from one to the next."""


class BoundedSocket(socket):
    """A socket that spends the time of the current call."""

    def recv_into(self, buffer: WriteableBuffer, *args: Any, **kwargs: Any) -> int:
        with current.get().spending(self):
            return super().recv_into(buffer, *args, **kwargs)

    def send(self, data: ReadableBuffer, flags: int = 0) -> int:
        with current.get().spending(self):
            return super().send(data, flags)

    def sendall(self, data: ReadableBuffer, flags: int = 0) -> None:
        with current.get().spending(self):
            super().sendall(data, flags)


class BoundedTLSSocket(BoundedSocket, ssl.SSLSocket):
    """The same under TLS."""


def connect(host: str, port: int) -> BoundedSocket:
    """A socket to the first address of the host that takes it. All of them share the time to connect.

    Raises OSError.
    """
    call = current.get()
    addresses = [one for one in _resolve(host, port, call) if call.reach.includes(one[4][0])]
    call.refused = not addresses
    for tried, (family, kind, protocol, _, address) in enumerate(addresses):
        connection = BoundedSocket(family, kind, protocol)
        try:
            # One silent address must leave time for the next.
            connection.settimeout(call.time_to_connect() / (len(addresses) - tried))
            connection.connect(address)
            connection.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
            connection.settimeout(call.time_to_connect())  # what is left is for the TLS handshake
            return connection
        except OSError:
            connection.close()
    raise OSError("no address took the connection")


def _resolve(host: str, port: int, call: Call) -> list[Any]:
    # getaddrinfo takes no time-out: it runs in a thread that may be left behind. The thread costs little, for
    # connections are pooled.
    answer: Future[list[Any]] = Future()

    def look_up() -> None:
        try:
            answer.set_result(getaddrinfo(host, port, type=SOCK_STREAM))
        except (OSError, UnicodeError) as fault:
            # A name server that cannot say now is none of these.
            call.no_such_name = isinstance(fault, UnicodeError) or fault.errno in (EAI_NONAME, EAI_NODATA)
            answer.set_exception(OSError("name not found"))

    Thread(target=look_up, name="resolve", daemon=True).start()
    return answer.result(timeout=call.time_to_connect())
