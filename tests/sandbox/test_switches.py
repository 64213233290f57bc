"""The answers set for the next pushes: each does what its name says, in order, across a restart."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests

from tests.sandbox.conftest import Line, new_key

RATE_LIMITED = {"message": "The API rate limit has been exceeded. Try again later."}


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_the_second_push_of_a_fresh_sandbox_is_refused_and_its_retry_arrives(fresh: Line) -> None:
    first, second = new_key(), new_key()
    assert fresh.push(key=first).status_code == 200
    refused = fresh.push(key=second)
    assert (refused.status_code, refused.json()) == (429, RATE_LIMITED)
    assert fresh.push(key=second).status_code == 200
    assert fresh.used() == 2


def test_a_malformed_push_uses_up_no_answer(fresh: Line) -> None:
    assert fresh.push(to="nobody").status_code == 400
    assert [fresh.push().status_code for _ in range(3)] == [200, 429, 200]


@pytest.mark.parametrize(
    ("answer", "status", "message"),
    [
        ("rate_limit", 429, RATE_LIMITED["message"]),
        ("monthly_limit", 429, "You have reached your monthly limit."),
        ("server_error_before", 500, "Internal server error"),
        ("bad_request", 400, "Failed to send messages"),
        ("unauthorized", 401, "Authentication failed due to the following reason: invalid token."),
    ],
)
def test_a_refusal_delivers_nothing_and_leaves_the_key_free(line: Line, answer: str, status: int, message: str) -> None:
    key = new_key()
    line.set_next(answer)
    refused = line.push(key=key)
    assert refused.status_code == status
    assert refused.json()["message"].startswith(message)
    assert line.used() == 0
    assert line.push(key=key).status_code == 200


def test_500_after_accepting_delivers_and_the_retry_is_a_conflict(line: Line) -> None:
    key = new_key()
    line.set_next("server_error_after", 2)
    assert line.push(key=key).status_code == 500
    assert line.used() == 1
    repeated = line.push(key=key)
    assert repeated.status_code == 500
    assert "x-line-accepted-request-id" not in repeated.headers
    assert line.push(key=key).status_code == 409
    assert line.used() == 1


def test_a_time_out_after_accepting_delivers_and_the_retry_is_a_conflict(line: Line) -> None:
    key = new_key()
    line.set_next("silence_after")
    with pytest.raises(requests.ReadTimeout):
        line.push(key=key, timeout=0.3)
    assert line.push(key=key).status_code == 409
    assert line.used() == 1


def test_a_caller_kept_waiting_holds_up_nobody_else(line: Line) -> None:
    line.set_next("silence_after")
    with ThreadPoolExecutor(max_workers=1) as callers:
        kept_waiting = callers.submit(line.push, timeout=2)
        wait_until(lambda: line.used() == 1)
        assert line.push(timeout=1).status_code == 200
        assert not kept_waiting.done()
        with pytest.raises(requests.ReadTimeout):
            kept_waiting.result()


def test_a_connection_cut_before_accepting_delivers_nothing(line: Line) -> None:
    key = new_key()
    line.set_next("cut_before")
    with pytest.raises(requests.ConnectionError):
        line.push(key=key)
    assert line.used() == 0
    assert line.push(key=key).status_code == 200


def test_a_connection_cut_after_accepting_delivers(line: Line) -> None:
    key = new_key()
    line.set_next("cut_after")
    with pytest.raises(requests.ConnectionError):
        line.push(key=key)
    assert line.used() == 1
    assert line.push(key=key).status_code == 409


def test_answers_come_in_their_order_and_outlive_a_restart(
    line: Line, serve: Callable[[Path], Line], file: Path
) -> None:
    line.set_next("bad_request")
    line.set_next("ordinary")
    line.set_next("rate_limit", 2)
    assert line.push().status_code == 400
    again = serve(file)
    assert [again.push().status_code for _ in range(4)] == [200, 429, 429, 200]


def test_what_cannot_be_accepted_is_refused_whatever_was_set(line: Line) -> None:
    requests.post(f"{line.base}/limit", data={"limit": "0"}, timeout=5)
    line.set_next("server_error_after")
    refused = line.push()
    assert (refused.status_code, refused.json()["message"]) == (429, "You have reached your monthly limit.")
