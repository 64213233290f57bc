"""LINE's own words, as they are kept: useful, short, and without secrets."""

from datetime import timedelta
from uuid import uuid4

import pytest

from app import tokens
from app.channels.line import LineChannel
from app.channels.line.flex import FlexMessage, box, bubble, text
from app.channels.outcome import Answer
from tests.fakes import line_answers as answers
from tests.fakes.line import FakeLine
from tests.fakes.line_answers import reply
from tests.fixtures.settings import SITE

USER = "U" + "0123456789abcdef" * 2
MESSAGE = FlexMessage("Shift", bubble(box(text("Shift"))))


def answer_to(line: FakeLine, answer: answers.Answer) -> Answer:
    line.script(answer)
    channel = LineChannel(line.url, line.token, bound=timedelta(seconds=2), site=SITE)
    return channel.send(channel.compose(USER, MESSAGE), str(uuid4())).answer


def test_message_and_properties_are_kept(line: FakeLine) -> None:
    detail = answer_to(line, answers.BAD_REQUEST).detail

    assert detail == "The request body has 1 error(s); messages[0].altText: May not be empty"


@pytest.mark.parametrize(
    "secret",
    [
        FakeLine.token,
        "Bearer something-else",
        USER,
        "C" + "f" * 32,
        "r" + "0" * 32,
        "Bearer\n\tsplit-token",
        tokens.derived("key", "invitation", "salt"),
    ],
)
@pytest.mark.parametrize("as_json", [True, False])
def test_tokens_and_ids_are_removed(line: FakeLine, secret: str, as_json: bool) -> None:
    words = f"No: {secret}!"
    detail = answer_to(line, reply(400, {"message": words} if as_json else words.encode())).detail

    assert detail is not None
    assert detail.startswith("No: [removed]")
    assert secret.split()[-1] not in detail


def test_control_characters_and_lone_surrogates_are_removed(line: FakeLine) -> None:
    body = rb'{"message":"a\u0000b\ud800c\u202ed\r\ne"}'

    assert answer_to(line, reply(400, body)).detail == "a b c d e"


def test_long_words_are_cut_after_the_secrets_are_out(line: FakeLine) -> None:
    words = "x" * 290 + line.token
    detail = answer_to(line, reply(400, {"message": words})).detail

    assert detail == "x" * 290 + "[removed]"
    assert answer_to(line, reply(400, {"message": "y" * 5000})).detail == "y" * 300


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        (b"", None),
        (b"   \n", None),
        (b"{}", None),
        (b"<html>502 Bad Gateway</html>", "<html>502 Bad Gateway</html>"),
        (b"[" * 60_000, "[" * 300),
        (b"\xff\xfe", "\ufffd\ufffd"),
        (b'{"message": 5, "details": "none"}', None),
        (b'{"message": "m", "details": [1, {"property": 2}, {"message": "n"}]}', "m; n"),
        (b'["a"]', '["a"]'),
    ],
    ids=["empty", "blank", "empty JSON", "HTML", "brackets", "no UTF-8", "wrong types", "odd details", "a list"],
)
def test_bodies_that_are_not_lines_are_taken_as_they_come(line: FakeLine, body: bytes, detail: str | None) -> None:
    assert answer_to(line, reply(502, body)).detail == detail


def test_request_ids_are_bounded_and_clean(line: FakeLine) -> None:
    long = answer_to(line, reply(400, x_line_request_id="i" * 500)).request_id
    odd = answer_to(line, reply(400, x_line_request_id=f"a\x01b {line.token}")).request_id

    assert (long, odd) == ("i" * 100, "a b [removed]")
