"""The memory of retry keys: one message for one key for 24 hours, even for callers at the same moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import time_machine

from tests.sandbox.conftest import Line, new_key, text


def test_the_same_key_again_is_a_conflict_that_names_the_accepted_call(line: Line) -> None:
    key = new_key()
    first, again = line.push(key=key), line.push(key=key.upper())
    assert first.status_code == 200
    assert again.status_code == 409
    assert again.json() == {
        "message": "The retry key is already accepted",
        "sentMessages": first.json()["sentMessages"],
    }
    assert again.headers["x-line-accepted-request-id"] == first.headers["x-line-request-id"]
    assert again.headers["x-line-request-id"] != first.headers["x-line-request-id"]
    assert line.used() == 1


def test_without_a_key_the_same_message_arrives_twice(line: Line) -> None:
    assert [line.push().status_code, line.push().status_code] == [200, 200]
    assert line.used() == 2


def test_a_key_is_remembered_for_24_hours_from_its_first_use(line: Line) -> None:
    key = new_key()
    with time_machine.travel("2026-11-10T09:00:00Z", tick=False) as clock:
        assert line.push(key=key).status_code == 200
        clock.move_to("2026-11-10T20:00:00Z")
        assert line.push(key=key).status_code == 409
        clock.move_to("2026-11-11T08:59:59Z")
        assert line.push(key=key).status_code == 409
        clock.move_to("2026-11-11T09:00:00Z")
        assert line.push(key=key).status_code == 200
        assert line.push(key=key).status_code == 409
        assert line.used() == 2


def test_a_refused_request_does_not_use_up_its_key(line: Line) -> None:
    key = new_key()
    assert line.push(key=key, to="nobody").status_code == 400
    assert line.push(key=key).status_code == 200


def test_a_key_outlives_a_restart(line: Line, serve: Callable[[Path], Line], file: Path) -> None:
    key = new_key()
    first = line.push(key=key)
    again = serve(file).push(key=key)
    assert again.status_code == 409
    assert again.headers["x-line-accepted-request-id"] == first.headers["x-line-request-id"]


KEY = "5a1c0e9d-3b7f-4c21-9e64-0f8d2b6a7c31"


@pytest.mark.parametrize("key", ["", "1", KEY.replace("-", ""), "{" + KEY + "}", KEY + "0", "é" * 36])
def test_a_key_must_be_a_uuid(line: Line, key: str) -> None:
    answer = line.ask(
        "POST",
        "/v2/bot/message/push",
        json={"to": "U" + "0" * 32, "messages": [text("a")]},
        headers={"X-Line-Retry-Key": key.encode("latin-1")},
    )
    assert answer.status_code == 400
    assert "retry key" in answer.json()["message"]
    assert line.used() == 0


def test_of_many_callers_with_one_key_exactly_one_is_accepted(line: Line) -> None:
    key = new_key()
    with ThreadPoolExecutor(max_workers=12) as callers:
        answers = list(callers.map(lambda _: line.push(key=key), range(12)))
    winner = next(answer for answer in answers if answer.status_code == 200)
    losers = [answer for answer in answers if answer is not winner]
    assert {answer.status_code for answer in losers} == {409}
    assert {answer.headers["x-line-accepted-request-id"] for answer in losers} == {winner.headers["x-line-request-id"]}
    assert line.used() == 1
