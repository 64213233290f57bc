"""What a push is answered when nothing was set: acceptance, refusals in LINE's shape, and the monthly limit."""

import gzip
import json
import re

import pytest
import requests
import time_machine

from tests.sandbox.conftest import PUSH, TUTOR, Line, new_key, text

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TO_IS_WRONG = "The property, 'to', in the request body is invalid (line: -, column: -)"


def test_an_accepted_push_names_one_id_for_each_message(line: Line) -> None:
    answer = line.push(text("a"), text("b"))
    sent = answer.json()["sentMessages"]
    assert answer.status_code == 200
    assert len({one["id"] for one in sent}) == 2
    assert all(one["id"].isdigit() and one["quoteToken"] for one in sent)


def test_every_answer_of_the_api_carries_a_request_id_of_its_own(line: Line) -> None:
    answers = [line.push(), line.push(to="nobody"), line.ask("GET", "/v2/nowhere"), line.ask("GET", PUSH)]
    ids = [answer.headers["x-line-request-id"] for answer in answers]
    assert [answer.status_code for answer in answers] == [200, 400, 404, 405]
    assert len(set(ids)) == 4
    assert all(UUID.fullmatch(one) for one in ids)


@pytest.mark.parametrize("header", ["", "Bearer wrong", "sandbox", "Basic sandbox", "Bearer"])
def test_a_push_without_the_token_is_refused(line: Line, header: str) -> None:
    answer = line.ask("POST", PUSH, json={}, headers={"Authorization": header})
    assert answer.status_code == 401
    assert answer.json()["message"].startswith("Authentication failed due to the following reason: ")


def test_another_content_type_is_refused(line: Line) -> None:
    answer = line.ask("POST", PUSH, data="{}", headers={"Content-Type": "text/plain"})
    assert answer.status_code == 415
    assert answer.json() == {"message": "The content type, text/plain, is not supported"}


@pytest.mark.parametrize(
    "to", [None, "", [TUTOR], "@todoke", TUTOR.upper(), TUTOR + "\n", "X" + TUTOR[1:], TUTOR[:-1], 7, {"id": TUTOR}]
)
def test_a_recipient_must_be_one_id(line: Line, to: object) -> None:
    answer = line.push(to=to)
    assert answer.status_code == 400
    assert answer.json() == {"message": TO_IS_WRONG}


@pytest.mark.parametrize("kind", ["C", "R"])
def test_a_group_and_a_room_can_be_written_to(line: Line, kind: str) -> None:
    assert line.push(to=kind + TUTOR[1:]).status_code == 200


@pytest.mark.parametrize("messages", [None, [], "text", {}, [text("a")] * 6])
def test_one_to_five_messages_are_taken(line: Line, messages: object) -> None:
    answer = line.push(messages=messages)
    assert answer.status_code == 400
    assert answer.json() == {
        "message": "The request body has 1 error(s)",
        "details": [{"message": "Size must be between 1 and 5", "property": "messages"}],
    }


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'"text"',
        b"\xff\xfe{}",
        b"\xef\xbb\xbf{}",
        b"\x00",
        b'{"to": NaN}',
        b'{"to": "\\ud800"}',
        b'{"\\udfff": 1}',
        b"9" * 5000,
        b"[" * 200_000,
        b'{"a":' * 300 + b"1" + b"}" * 300,
        gzip.compress(b"{}"),
    ],
    ids=range(14),
)
def test_what_is_no_json_object_is_refused(line: Line, body: bytes) -> None:
    answer = line.ask("POST", PUSH, data=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["message"].startswith("The request body could not be parsed as JSON (")


def test_a_request_over_two_megabytes_is_refused(line: Line) -> None:
    answer = line.push(text("あ" * 1_000_000))
    assert answer.status_code == 413
    assert answer.json() == {"message": "Request Entity Too Large"}
    assert line.push().status_code == 200


def test_a_chunked_request_over_two_megabytes_is_refused(line: Line) -> None:
    chunks = (b" " * 100_000 for _ in range(30))
    answer = line.ask("POST", PUSH, data=chunks, headers={"Content-Type": "application/json"})
    assert answer.status_code == 413


def test_the_month_ends_at_the_limit_and_begins_anew_in_japan(line: Line) -> None:
    requests.post(f"{line.base}/limit", data={"limit": "2"}, timeout=5)
    with time_machine.travel("2026-11-30T14:59:00Z", tick=False) as clock:
        assert line.ask("GET", "/v2/bot/message/quota").json() == {"type": "limited", "value": 2}
        key = new_key()
        assert line.push(key=key).status_code == 200
        assert line.push(text("a"), text("b")).status_code == 200
        refused = line.push()
        assert (refused.status_code, refused.json()) == (429, {"message": "You have reached your monthly limit."})
        assert line.push(key=key).status_code == 409
        assert line.used() == 2
        clock.move_to("2026-11-30T15:00:00Z")
        assert line.used() == 0
        assert line.push().status_code == 200


@pytest.mark.parametrize("address", ["/v2/bot/message/quota", "/v2/bot/message/quota/consumption"])
def test_the_quota_needs_the_token_and_takes_no_retry_key(line: Line, address: str) -> None:
    assert line.ask("GET", address, headers={"Authorization": ""}).status_code == 401
    assert line.ask("GET", address, key=new_key()).status_code == 400
    assert line.ask("GET", address).status_code == 200


def test_a_name_that_is_not_this_machine_is_refused(line: Line) -> None:
    assert line.ask("GET", "/", headers={"Host": "evil.example"}).status_code == 400


def test_numbers_json_cannot_hold_do_no_harm(line: Line) -> None:
    message = json.dumps({"to": TUTOR, "messages": [{**text("a"), "emojis": 1}]}).replace("1}", "1e999}")
    answer = line.ask("POST", PUSH, data=message, headers={"Content-Type": "application/json"})
    assert answer.status_code == 200
    assert requests.get(line.base, timeout=5).status_code == 200
