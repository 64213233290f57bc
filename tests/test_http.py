"""Outgoing HTTP: bounded, alone, quiet, and exact about what the other side can have seen."""

import logging
import traceback
from datetime import timedelta
from pathlib import Path

import pytest

from app import http
from tests.fakes import line_answers as answers
from tests.fakes.line import FakeLine
from tests.fakes.line_checks import PUSH
from tests.fakes.ports import closed_port
from tests.fakes.raw import raw_server, say_ok

SECOND = timedelta(seconds=1)
SHORT = timedelta(seconds=0.4)
BODY = b'{"to":"U0123456789abcdef0123456789abcdef","messages":[{"type":"text","text":"x"}]}'
HEADERS = {"Authorization": f"Bearer {FakeLine.token}"}


def post(url: str, bound: timedelta = SECOND) -> http.Response:
    return http.post(url + PUSH, BODY, HEADERS, bound)


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


def test_a_connection_closed_while_idle_is_replaced() -> None:
    with raw_server(say_ok, times=2) as url:
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
