"""A server that sends bytes as they are given, with or without TLS."""

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from select import select
from threading import Thread


@contextmanager
def raw_server(
    answer: Callable[[socket.socket], None],
    times: int = 1,
    tls: ssl.SSLContext | None = None,
    heads: list[bytes] | None = None,
) -> Iterator[str]:
    """Answers so many connections once each, then closes them without a word. A request is to end with a brace.

    What came in is added to `heads`.
    """

    def serve() -> None:
        # The OSErrors: a client that does not trust us, has given us up, or never came.
        with suppress(OSError):
            for _ in range(times):
                plain, _address = listener.accept()
                with closing(plain), _speaking(plain, tls) as connection:
                    request = b""
                    while not request.endswith(b"}") and (piece := connection.recv(65536)):
                        request += piece
                    if heads is not None:
                        heads.append(request)
                    answer(connection)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(5)
        thread = Thread(target=serve)
        thread.start()
        try:
            yield f"{'https' if tls else 'http'}://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            thread.join()


def say_ok(connection: socket.socket) -> None:
    """A plain answer, which says nothing of closing the connection."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")


def drip(connection: socket.socket) -> None:
    """An endless header, a byte at a time, until the client is gone."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nX-Drip: ")
    while not select([connection], [], [], 0.05)[0]:
        connection.sendall(b"x")


def _speaking(plain: socket.socket, tls: ssl.SSLContext | None) -> socket.socket:
    return tls.wrap_socket(plain, server_side=True) if tls else plain
