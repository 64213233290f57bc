"""The server and its sockets: serving, keeping a caller waiting, cutting a connection."""

import socket

from flask import Flask, Request
from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server

HOST = "127.0.0.1"
LONGEST_SILENCE_SECONDS = 30


class _QuietHandler(WSGIRequestHandler):
    # A client that says nothing must not keep its thread for ever.
    timeout = 60

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Nothing: the page shows every call, and the other processes share this terminal."""


def listen(port: int) -> socket.socket:
    """A listening socket on this machine; port 0 takes a free one. Raises OSError when the port is taken."""
    return socket.create_server((HOST, port), backlog=128)


def serve_on(listener: socket.socket, sandbox: Flask) -> BaseWSGIServer:
    """A server with a thread for each connection, so that one kept waiting holds up no other. Takes the socket over."""
    with listener:
        port = listener.getsockname()[1]
        return make_server(HOST, port, sandbox, threaded=True, request_handler=_QuietHandler, fd=listener.fileno())


def wait_until_given_up(request: Request) -> None:
    """Return when the caller has hung up, at the latest after 30 s. Says nothing meanwhile."""
    connection = _connection(request)
    connection.settimeout(LONGEST_SILENCE_SECONDS)
    try:
        connection.recv(1, socket.MSG_PEEK)
    except OSError:
        return


def cut(request: Request) -> None:
    """End the connection without an answer; what the view returns afterwards reaches nobody."""
    try:
        _connection(request).shutdown(socket.SHUT_RDWR)
    except OSError:
        return


def _connection(request: Request) -> socket.socket:
    found = request.environ["werkzeug.socket"]
    assert isinstance(found, socket.socket)  # noqa: S101  # for the type checker: environ is untyped
    return found
