"""How a call ends without an answer: in time, and told apart by what the other side can have seen."""

import socket
from datetime import timedelta
from pathlib import Path
from threading import Event
from time import monotonic

import pytest

from app import http
from tests.fakes import line_answers as answers
from tests.fakes.line import FakeLine
from tests.fakes.line_checks import PUSH
from tests.fakes.ports import closed_port, silent_address
from tests.fakes.raw import drip, raw_server, say_ok
from tests.fakes.tls import server_context

SECOND = timedelta(seconds=1)
SHORT = timedelta(seconds=0.4)
BODY = b'{"to":"U0123456789abcdef0123456789abcdef","messages":[{"type":"text","text":"x"}]}'


def post(url: str, bound: timedelta = SECOND) -> http.Response:
    return http.post(url + PUSH, BODY, {"Authorization": f"Bearer {FakeLine.token}"}, bound)


def seconds_until(ending: type[http.NoAnswer], url: str, bound: timedelta) -> float:
    start = monotonic()
    with pytest.raises(ending):
        post(url, bound)
    return monotonic() - start


def test_a_refused_connection_never_connected() -> None:
    with closed_port() as port, pytest.raises(http.NeverConnected):
        post(f"http://127.0.0.1:{port}")


def test_an_unknown_name_never_connected() -> None:
    with pytest.raises(http.NeverConnected):
        post("http://nowhere.invalid")


@pytest.mark.parametrize(
    ("fault", "ending"),
    [
        (socket.gaierror(socket.EAI_NONAME, "unknown"), http.NoSuchName),
        (socket.gaierror(socket.EAI_NODATA, "no address"), http.NoSuchName),
        (UnicodeError("label too long"), http.NoSuchName),
        (socket.gaierror(socket.EAI_AGAIN, "try again"), http.NeverConnected),
    ],
)
def test_that_there_is_no_such_name_is_told_from_a_name_server_that_cannot_say(
    monkeypatch: pytest.MonkeyPatch, fault: Exception, ending: type[http.NoAnswer]
) -> None:
    def resolve(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr("app.bounds.getaddrinfo", resolve)
    with pytest.raises(http.NeverConnected) as ended:
        post("http://many.test")
    assert type(ended.value) is ending


def test_a_failed_tls_handshake_never_connected(line: FakeLine) -> None:
    with pytest.raises(http.NeverConnected):
        post(line.url.replace("http://", "https://"))

    assert line.requests == []


def test_an_unknown_authority_never_connected(tmp_path: Path) -> None:
    context, _ = server_context(tmp_path)
    with raw_server(say_ok, tls=context) as url, pytest.raises(http.NeverConnected):
        post(url)


def test_a_handshake_that_hangs_never_connected() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"https://127.0.0.1:{listener.getsockname()[1]}"

        assert seconds_until(http.NeverConnected, url, SHORT) < 0.9


def test_tls_is_spoken_and_bounded_like_the_rest(tmp_path: Path) -> None:
    context, authority = server_context(tmp_path)
    http.TRUST.load_verify_locations(cadata=authority)  # of a key that ends with this test

    with raw_server(say_ok, tls=context) as url:
        assert post(url).body == b"ok"
    with raw_server(drip, tls=context) as url:
        assert 0.3 < seconds_until(http.TimedOut, url, SHORT) < 0.9


def test_connecting_in_vain_never_connected_and_several_addresses_share_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with silent_address() as address:
        found = (socket.AF_INET, socket.SOCK_STREAM, 0, "", address)
        monkeypatch.setattr("app.bounds.getaddrinfo", lambda *_, **__: [found] * 4)

        assert seconds_until(http.NeverConnected, "http://many.test", SHORT) < 0.9


def test_a_silent_address_leaves_time_for_the_next(line: FakeLine, monkeypatch: pytest.MonkeyPatch) -> None:
    with silent_address() as address:
        port = int(line.url.rpartition(":")[2])
        found = [(socket.AF_INET, socket.SOCK_STREAM, 0, "", to) for to in (address, ("127.0.0.1", port))]
        monkeypatch.setattr("app.bounds.getaddrinfo", lambda *_, **__: found)

        assert post("http://many.test", SECOND).status == 200


def test_a_name_server_that_does_not_answer_is_bounded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    done = Event()

    def hang(*_: object, **__: object) -> list[object]:
        done.wait(10)
        return []

    monkeypatch.setattr("app.bounds.getaddrinfo", hang)

    assert seconds_until(http.NeverConnected, "http://slow.test", SHORT) < 0.9
    done.set()


def test_silence_after_the_request_timed_out(line: FakeLine) -> None:
    line.script(answers.TIMEOUT)

    assert 0.3 < seconds_until(http.TimedOut, line.url, SHORT) < 0.9


@pytest.mark.parametrize("answer", [answers.DRIP_HEADERS, answers.DRIP_BODY], ids=lambda answer: answer.name)
def test_a_dripping_answer_ends_at_the_bound(line: FakeLine, answer: answers.Answer) -> None:
    line.script(answer)

    assert 0.3 < seconds_until(http.TimedOut, line.url, SHORT) < 0.9


def test_a_request_that_nobody_reads_ends_at_the_bound() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        start = monotonic()
        with pytest.raises(http.TimedOut):
            http.post(url, b"x" * 50_000_000, {}, SHORT)

    assert monotonic() - start < 0.9


def test_a_cut_after_the_request_lost_the_connection(line: FakeLine) -> None:
    line.script(answers.CUT)

    with pytest.raises(http.ConnectionLost):
        post(line.url)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"what?\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
    ],
    ids=["nothing", "no HTTP", "half a body", "half the chunks"],
)
def test_an_answer_that_is_broken_off_lost_the_connection(answer: bytes) -> None:
    with raw_server(lambda connection: connection.sendall(answer)) as url, pytest.raises(http.ConnectionLost):
        post(url)
