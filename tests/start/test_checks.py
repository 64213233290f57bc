"""What is looked at before anything starts."""

import socket
from pathlib import Path

import pytest

from app.start.checks import LONGEST_SOCKET_PATH, check_nobody_serves, check_ports, check_socket_path
from app.start.error import StartError
from tests.servers.valkey import ValkeyServer


def test_a_taken_port_is_named_with_its_use_and_how_to_see_who_has_it() -> None:
    with socket.create_server(("127.0.0.1", 0)) as first, socket.create_server(("127.0.0.1", 0)) as second:
        one, other = first.getsockname()[1], second.getsockname()[1]
        with pytest.raises(StartError) as error:
            check_ports({one: "the pages", other: "the LINE sandbox"})
    assert f"port {one} (the pages), port {other} (the LINE sandbox)" in str(error.value)
    assert f"lsof -i :{one}" in str(error.value)


def test_a_port_that_was_given_back_is_free_although_a_connection_still_closes() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            server.accept()[0].close()  # this side closes first, and is left in TIME_WAIT
    check_ports({port: "the pages"})


def test_a_path_too_long_for_a_socket_is_named_with_both_ways_out() -> None:
    check_socket_path(Path("/" + "a" * 102))
    with pytest.raises(StartError, match=r"104 bytes; 103 are allowed.*shorter path, or set REDIS_URL"):
        check_socket_path(Path("/" + "a" * 103))
    with pytest.raises(StartError, match="bytes"):
        check_socket_path(Path("/" + "届" * 40))


def test_a_server_of_somebody_else_on_our_socket_is_named_with_its_process(valkey_server: ValkeyServer) -> None:
    valkey_server.start()
    with pytest.raises(StartError, match=rf"{valkey_server.socket}\. End it with: kill {valkey_server.pid}"):
        check_nobody_serves(valkey_server.socket)


def test_a_socket_that_a_crash_left_is_no_hindrance(valkey_server: ValkeyServer) -> None:
    valkey_server.start()
    valkey_server.kill()
    assert valkey_server.socket.exists()
    check_nobody_serves(valkey_server.socket)
    check_nobody_serves(valkey_server.socket.with_name("never-there"))
    valkey_server.start()


def test_the_longest_path_allowed_can_really_be_bound(short_folder: Path) -> None:
    path = short_folder / ("s" * (LONGEST_SOCKET_PATH - len(str(short_folder)) - 1))
    check_socket_path(path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
