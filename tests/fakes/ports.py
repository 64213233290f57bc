"""Addresses where nobody answers."""

from collections.abc import Iterator
from contextlib import contextmanager
from socket import socket


@contextmanager
def closed_port() -> Iterator[int]:
    """A port of 127.0.0.1 that refuses. It stays bound meanwhile, so that nobody else begins to listen there."""
    with socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        yield int(nobody.getsockname()[1])
