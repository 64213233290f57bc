"""Addresses where nobody answers."""

from collections.abc import Iterator
from contextlib import contextmanager
from socket import create_server, socket


@contextmanager
def closed_port() -> Iterator[int]:
    """A port of 127.0.0.1 that refuses. It stays bound meanwhile, so that nobody else begins to listen there."""
    with socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        yield int(nobody.getsockname()[1])


@contextmanager
def silent_address() -> Iterator[tuple[str, int]]:
    """An address that neither takes a connection nor refuses it: its backlog is full."""
    with create_server(("127.0.0.1", 0), backlog=0) as listener:
        waiting = [socket() for _ in range(3)]
        try:
            for connection in waiting:
                connection.setblocking(False)
                connection.connect_ex(listener.getsockname())
            yield listener.getsockname()
        finally:
            for connection in waiting:
                connection.close()
