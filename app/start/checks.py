"""What is looked at before anything starts; each fault is one sentence."""

import os
import socket
from pathlib import Path

import redis

from app.start.broker import client_of
from app.start.error import StartError

# What the kernels leave for the path of a unix socket: 104 bytes on macOS, 108 on Linux, the closing zero included.
LONGEST_SOCKET_PATH = 103


def check_ports(ports: dict[int, str]) -> None:
    """Raises StartError when a port, given with what it is for, is taken."""
    taken = [f"{port} ({use})" for port, use in ports.items() if _is_taken(port)]
    if taken:
        first = taken[0].split()[0]
        raise StartError(
            f"Taken by another program: port {', port '.join(taken)}. "
            f"`ss -ltnp 'sport = :{first}'` or `lsof -i :{first}` shows which one: end it, then start again."
        )


def check_socket_path(path: Path) -> None:
    """Raises StartError when the embedded Redis could not open its socket there."""
    length = len(os.fsencode(path))
    if length > LONGEST_SOCKET_PATH:
        raise StartError(
            f"The path {path} is too long for the socket of the embedded Redis ({length} bytes; {LONGEST_SOCKET_PATH} "
            "are allowed). Move this folder to a shorter path, or set REDIS_URL to a Redis of your own."
        )


def check_nobody_serves(path: Path) -> None:
    """Raises StartError when a server answers there that is not of this run: two would spoil one append-only file."""
    try:
        with client_of(path) as client:
            pid = client.info("server")["process_id"]
    except (redis.ConnectionError, redis.TimeoutError):
        return  # no socket, or one that a crash left: the server replaces it
    raise StartError(f"A Redis server that this run did not start answers on {path}. End it with: kill {pid}")


def _is_taken(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as gunicorn does: a closing socket does no harm
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
    return False
