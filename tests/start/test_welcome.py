"""What a person reads when everything is up."""

import http.server
import threading

import pytest

from app.start.welcome import announce_when_ready, welcome


class Answers(http.server.BaseHTTPRequestHandler):
    status = 503

    def do_GET(self) -> None:
        self.send_response(Answers.status if self.path == "/healthz" else 404)
        self.end_headers()
        Answers.status = 200

    def log_message(self, *_: object) -> None:
        pass


def test_the_block_waits_until_the_pages_answer(capsys: pytest.CaptureFixture[str]) -> None:
    with http.server.HTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever).start()
        announce_when_ready({server.server_port: "/healthz"}, "up", threading.Event())
        server.shutdown()
    assert capsys.readouterr().out == "up\n"


def test_a_run_that_ends_before_the_pages_answer_says_nothing_more(capsys: pytest.CaptureFixture[str]) -> None:
    ended = threading.Event()
    ended.set()
    announce_when_ready({1: "/healthz"}, "up", ended)
    assert capsys.readouterr() == ("", "")


def test_the_block_tells_address_sign_ins_sandbox_and_how_to_stop() -> None:
    block = welcome("http://here", [("admin@example.jp", "secret", "admin")], "http://sandbox", "")
    for words in ("http://here", "admin@example.jp", "secret", "http://sandbox", "Ctrl-C"):
        assert words in block


def test_with_a_real_line_the_block_says_where_messages_go() -> None:
    block = welcome("http://here", [], None, "https://api.line.me")
    assert "LINE messages go to  https://api.line.me" in block
    assert "sandbox" not in block
