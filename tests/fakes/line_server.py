"""The socket side of the scripted LINE: keeps connections alive, can hold, drip and cut them, always stops."""

import socket
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from email.message import Message
from http.server import BaseHTTPRequestHandler
from select import select
from socketserver import ThreadingTCPServer
from threading import Event, Lock, Thread
from typing import Any

from tests.fakes.line_answers import Ending

DRIP_EVERY = 0.05
"""Seconds between two bytes: far below any read time-out, so that only a bound on the whole call ends it."""


@dataclass(frozen=True)
class Request:
    """What came in."""

    method: str
    path: str
    headers: Message
    body: bytes


class LineServer(ThreadingTCPServer):
    """Calls `serve` in a thread per connection. What breaks in there is raised by `stop`."""

    daemon_threads = False
    request_queue_size = 128

    def __init__(self, serve: Callable[[Request, "Connection"], None]) -> None:
        super().__init__(("127.0.0.1", 0), Connection)
        self.serve = serve
        self.stopping = Event()
        self.connections = 0
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self._open: set[socket.socket] = set()
        self._lock = Lock()
        self._faults: list[BaseException] = []
        self._thread = Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, name="fake-line")

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self.stopping.set()
        self.shutdown()
        self._thread.join()
        with self._lock:
            for connection in self._open:
                _shut(connection)
        self.server_close()
        if self._faults:
            raise self._faults[0]

    def opened(self, connection: socket.socket) -> None:
        with self._lock:
            self.connections += 1
            self._open.add(connection)
            if self.stopping.is_set():
                _shut(connection)

    def closed(self, connection: socket.socket) -> None:
        with self._lock:
            self._open.discard(connection)

    def handle_error(self, request: Any, client_address: Any) -> None:
        fault = sys.exc_info()[1]
        if fault is not None and not isinstance(fault, ConnectionError):
            self._faults.append(fault)


class Connection(BaseHTTPRequestHandler):
    """One connection of a client."""

    protocol_version = "HTTP/1.1"
    server: LineServer

    def setup(self) -> None:
        super().setup()
        self.server.opened(self.connection)

    def finish(self) -> None:
        self.server.closed(self.connection)
        super().finish()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.serve(Request(self.command, self.path, self.headers, body), self)

    do_GET = do_POST  # noqa: N815  # the name that BaseHTTPRequestHandler looks for

    def log_message(self, *_: Any) -> None:
        """Tests are quiet."""

    def end(self, ending: Ending, status: int, headers: Mapping[str, str], body: bytes) -> None:
        """Leave the request in this way."""
        self.close_connection = ending is not Ending.REPLY
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        start = f"HTTP/1.1 {status} Scripted\r\n{head}".encode()
        length = b"Content-Length: %d\r\n\r\n"
        match ending:
            case Ending.REPLY:
                self.wfile.write(start + length % len(body) + body)
            case Ending.DRIP_HEADERS:
                self.wfile.write(start + b"X-Drip: ")
                self._drip()
            case Ending.DRIP_BODY:
                self.wfile.write(start + length % 10_000)
                self._drip()
            case Ending.SILENCE:
                self._client_gone(within=None)

    def _drip(self) -> None:
        while not self._client_gone(within=DRIP_EVERY):
            self.wfile.write(b"x")

    def _client_gone(self, within: float | None) -> bool:
        # Also true once the server stops, which shuts the connection down.
        return bool(select([self.connection], [], [], within)[0])


def _shut(connection: socket.socket) -> None:
    with suppress(OSError):  # the client may have gone first
        connection.shutdown(socket.SHUT_RDWR)
