"""URLs that came from a person: only addresses within reach are spoken to, and those are the ones looked at."""

import socket
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from app import http
from app.bounds import Reach
from tests.fakes.line import FakeLine
from tests.fakes.line_checks import PUSH
from tests.fakes.raw import raw_server, say_ok
from tests.fakes.tls import server_context

SECOND = timedelta(seconds=1)
BODY = b'{"to":"U0123456789abcdef0123456789abcdef","messages":[{"type":"text","text":"x"}]}'

CLOSED = [
    "127.0.0.1", "127.8.8.8", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
    "192.0.0.8", "198.18.0.1", "203.0.113.5", "224.0.0.251", "239.255.255.250", "255.255.255.255", "240.0.0.1",
    "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12:3456::1", "ff02::1", "2001:db8::1", "::ffff:127.0.0.1",
    "::ffff:10.0.0.1", "2002:7f00:1::", "2002:a00:1::", "64:ff9b::a00:1", "64:ff9b::7f00:1", "64:ff9b:1::1",
    "fec0::1", "::10.0.0.1", "::8.8.8.8", "::ffff:0:10.0.0.1", "::ffff:0:808:808", "3fff::1", "5f00::1", "4000::1",
    "192.88.99.1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2002:808:808::1", "64:ff9b::c058:6301", "100::1",
]  # fmt: skip
OPEN = ["8.8.8.8", "142.250.207.10", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]


@pytest.fixture
def name_leads_to(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """A name server that knows these addresses for every name, and what it was asked."""

    def leads_to(*addresses: tuple[str, int]) -> list[str]:
        asked: list[str] = []

        def resolve(host: str, *_: object, **__: object) -> list[object]:
            asked.append(host)
            return [(_family(to), socket.SOCK_STREAM, 0, "", to) for to in addresses]

        monkeypatch.setattr("app.bounds.getaddrinfo", resolve)
        return asked

    return leads_to


def _family(address: tuple[str, int]) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in address[0] else socket.AF_INET


def post(url: str, reach: Reach) -> http.Response:
    return http.post(url + PUSH, BODY, {"Authorization": f"Bearer {FakeLine.token}"}, SECOND, reach)


@pytest.mark.parametrize("address", CLOSED)
def test_addresses_of_this_machine_and_its_network_are_not_public(address: str) -> None:
    assert not Reach.PUBLIC.includes(address)
    assert Reach.ANYWHERE.includes(address)


@pytest.mark.parametrize("address", OPEN)
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert all(reach.includes(address) for reach in Reach)


def test_loopback_is_opened_alone() -> None:
    opened = {address for address in CLOSED if Reach.PUBLIC_OR_LOOPBACK.includes(address)}
    # What ::ffff:127.0.0.1 is called differs between versions of Python.
    assert opened - {"::ffff:127.0.0.1"} == {"127.0.0.1", "127.8.8.8", "::1"}


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0x7f.1", "2130706433", "127.1", "[::1]"])
def test_a_host_that_means_this_machine_is_refused_before_any_request(line: FakeLine, host: str) -> None:
    with pytest.raises(http.AddressRefused):
        post(line.url.replace("127.0.0.1", host), Reach.PUBLIC)

    assert (line.connections, line.requests) == (0, [])


def test_a_name_that_leads_to_this_machine_is_refused(line: FakeLine, name_leads_to: Callable[..., list[str]]) -> None:
    name_leads_to(("127.0.0.1", int(line.url.rpartition(":")[2])), ("10.0.0.1", 80))

    with pytest.raises(http.AddressRefused):
        post("http://push.example", Reach.PUBLIC)
    assert line.connections == 0


def test_of_several_addresses_only_those_within_reach_are_tried(
    line: FakeLine, name_leads_to: Callable[..., list[str]]
) -> None:
    port = int(line.url.rpartition(":")[2])
    with socket.create_server(("127.0.0.1", 0)) as neighbour:
        name_leads_to(("0.0.0.0", neighbour.getsockname()[1]), ("127.0.0.1", port))

        assert post("http://push.example", Reach.PUBLIC_OR_LOOPBACK).status == 200
        neighbour.setblocking(False)
        with pytest.raises(BlockingIOError):
            neighbour.accept()


def test_a_connection_that_was_not_looked_at_is_not_used_again_by_a_call_that_looks(line: FakeLine) -> None:
    assert post(line.url, Reach.ANYWHERE).status == 200

    with pytest.raises(http.AddressRefused):
        post(line.url, Reach.PUBLIC)
    assert len(line.requests) == 1


def test_the_name_is_resolved_once_and_kept_for_tls_and_host(
    tmp_path: Path, name_leads_to: Callable[..., list[str]]
) -> None:
    context, authority = server_context(tmp_path, "push.example")
    http.TRUST.load_verify_locations(cadata=authority)  # of a key that ends with this test
    asked_for: list[str | None] = []
    context.sni_callback = lambda _socket, name, _context: asked_for.append(name)
    heads: list[bytes] = []

    with raw_server(say_ok, tls=context, heads=heads) as url:
        port = int(url.rpartition(":")[2])
        asked = name_leads_to(("127.0.0.1", port))

        assert post(f"https://push.example:{port}", Reach.PUBLIC_OR_LOOPBACK).body == b"ok"
    assert (asked, asked_for) == (["push.example"], ["push.example"])
    assert f"Host: push.example:{port}\r\n".encode() in heads[0]
