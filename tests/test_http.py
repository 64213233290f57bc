"""Outgoing HTTP: bounded, alone, quiet, and exact about what the other side can have seen."""

import logging
import socket
import ssl
import traceback
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from select import select
from threading import Event, Thread
from time import monotonic

import pytest

from app import http
from tests.fakes import line_answers as answers
from tests.fakes.line import FakeLine
from tests.fakes.line_checks import PUSH
from tests.fakes.ports import closed_port
from tests.fakes.tls import server_context

SECOND = timedelta(seconds=1)
SHORT = timedelta(seconds=0.4)
BODY = b'{"to":"U0123456789abcdef0123456789abcdef","messages":[{"type":"text","text":"x"}]}'
HEADERS = {"Authorization": f"Bearer {FakeLine.token}"}


def post(url: str, bound: timedelta = SECOND) -> http.Response:
    return http.post(url + PUSH, BODY, HEADERS, bound)


def seconds_until(ending: type[http.NoAnswer], url: str, bound: timedelta) -> float:
    start = monotonic()
    with pytest.raises(ending):
        post(url, bound)
    return monotonic() - start


def test_the_answer_comes_with_headers_in_any_case_and_its_body(line: FakeLine) -> None:
    line.script(answers.reply(418, b"short and stout", x_tea="green"))

    response = post(line.url)

    assert (response.status, response.headers["X-TEA"], response.body) == (418, "green", b"short and stout")


def test_a_connection_is_used_again(line: FakeLine) -> None:
    for _ in range(3):
        post(line.url)

    assert (len(line.requests), line.connections) == (3, 1)


def test_a_body_is_read_to_its_limit_only_and_the_next_call_is_not_disturbed(line: FakeLine) -> None:
    line.script(answers.reply(200, b"x" * (http.BODY_LIMIT * 4)), answers.reply(200, b"next"))

    assert post(line.url).body == b"x" * http.BODY_LIMIT
    assert post(line.url).body == b"next"


def test_a_redirect_is_not_followed(line: FakeLine) -> None:
    line.script(answers.REDIRECT)

    assert post(line.url).status == 302
    assert [seen.path for seen in line.requests] == [PUSH]


def test_cookies_are_not_kept(line: FakeLine) -> None:
    line.script(answers.reply(200, set_cookie="a=b; Path=/"))
    post(line.url)
    post(line.url)

    assert [seen.headers.get("Cookie") for seen in line.requests] == [None, None]


def test_proxies_and_netrc_of_the_environment_are_ignored(
    line: FakeLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("default login someone password else\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    with closed_port() as nobody:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{nobody}")

        assert post(line.url).status == 200
    assert line.requests[0].headers["Authorization"] == HEADERS["Authorization"]


def test_a_refused_connection_never_connected() -> None:
    with closed_port() as port, pytest.raises(http.NeverConnected):
        post(f"http://127.0.0.1:{port}")


def test_an_unknown_name_never_connected() -> None:
    with pytest.raises(http.NeverConnected):
        post("http://nowhere.invalid")


def test_a_failed_tls_handshake_never_connected(line: FakeLine) -> None:
    with pytest.raises(http.NeverConnected):
        post(line.url.replace("http://", "https://"))

    assert line.requests == []


def test_an_unknown_authority_never_connected(tmp_path: Path) -> None:
    context, _ = server_context(tmp_path)
    with raw_server(_say_ok, tls=context) as url, pytest.raises(http.NeverConnected):
        post(url)


def test_a_handshake_that_hangs_never_connected() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"https://127.0.0.1:{listener.getsockname()[1]}"

        assert seconds_until(http.NeverConnected, url, SHORT) < 0.9


def test_tls_is_spoken_and_bounded_like_the_rest(tmp_path: Path) -> None:
    context, authority = server_context(tmp_path)
    http.TRUST.load_verify_locations(cadata=authority)  # of a key that ends with this test

    with raw_server(_say_ok, tls=context) as url:
        assert post(url).body == b"ok"
    with raw_server(_drip, tls=context) as url:
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


@pytest.mark.parametrize("drip", [answers.DRIP_HEADERS, answers.DRIP_BODY], ids=lambda drip: drip.name)
def test_a_dripping_answer_ends_at_the_bound(line: FakeLine, drip: answers.Answer) -> None:
    line.script(drip)

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


def test_a_connection_closed_while_idle_is_replaced() -> None:
    with raw_server(_say_ok, times=2) as url:
        assert [post(url).body for _ in range(2)] == [b"ok", b"ok"]


def test_a_request_is_never_made_twice(line: FakeLine) -> None:
    line.script(answers.CUT, answers.ACCEPT)
    with pytest.raises(http.ConnectionLost):
        post(line.url)

    assert len(line.requests) == 1


def test_neither_errors_nor_logs_name_address_or_token(line: FakeLine, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    line.script(answers.CUT, answers.TIMEOUT, answers.ACCEPT)
    texts = [_text_of_failure(line.url) for _ in range(2)]
    post(line.url)
    with closed_port() as port:
        texts.append(_text_of_failure(f"http://127.0.0.1:{port}"))

    told = "\n".join([*texts, caplog.text])
    assert not [secret for secret in (FakeLine.token, "127.0.0.1", PUSH, "U0123") if secret in told]


def test_a_header_that_cannot_be_sent_is_an_error_without_the_header(line: FakeLine) -> None:
    for bad in ("se\ncret", "秘密secret"):
        with pytest.raises(ValueError, match="a header holds") as caught:
            http.post(line.url, BODY, {"Authorization": bad}, SECOND)

        assert "secret" not in "".join(traceback.format_exception(caught.value))
    assert line.requests == []


def _text_of_failure(url: str) -> str:
    try:
        post(url, SHORT)
    except http.NoAnswer as error:
        # The lines of this file show in the traceback, but no values.
        return "".join(traceback.format_exception(error))
    raise AssertionError("there was an answer")


@contextmanager
def silent_address() -> Iterator[tuple[str, int]]:
    """An address that takes no connection and does not refuse it: its backlog is full."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener:
        waiting = [socket.socket() for _ in range(3)]
        for connection in waiting:
            connection.setblocking(False)
            connection.connect_ex(listener.getsockname())
        yield listener.getsockname()
        for connection in waiting:
            connection.close()


@contextmanager
def raw_server(
    answer: Callable[[socket.socket], None], times: int = 1, tls: ssl.SSLContext | None = None
) -> Iterator[str]:
    """Answers each of so many connections once, then closes it without a word."""

    def serve() -> None:
        for _ in range(times):
            plain, _address = listener.accept()
            # The OSErrors: a client that does not trust us, or has given us up.
            with closing(plain), suppress(OSError), _speaking(plain, tls) as connection:
                request = b""
                while not request.endswith(BODY) and (piece := connection.recv(65536)):
                    request += piece
                answer(connection)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=serve)
        thread.start()
        yield f"{'https' if tls else 'http'}://127.0.0.1:{listener.getsockname()[1]}"
        thread.join(5)
        assert not thread.is_alive()


def _speaking(plain: socket.socket, tls: ssl.SSLContext | None) -> socket.socket:
    return tls.wrap_socket(plain, server_side=True) if tls else plain


def _say_ok(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")


def _drip(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nX-Drip: ")
    while not select([connection], [], [], 0.05)[0]:
        connection.sendall(b"x")
