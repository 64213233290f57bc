"""The scripted LINE, where the rest of the suite leans on it."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from time import monotonic
from uuid import uuid4

import pytest
import time_machine

from app.channels.line import LineChannel
from app.channels.line.flex import FlexMessage, box, bubble, text
from app.channels.outcome import Accepted, Outcome, Rejected, Transient
from app.codes import FailureCode
from tests.fakes import line_answers as answers
from tests.fakes.line import FakeLine
from tests.fixtures.settings import SITE

USERS = [letter + "0123456789abcdef" * 2 for letter in "UCR"]
MESSAGE = FlexMessage("Shift", bubble(box(text("Shift"))))


def send(line: FakeLine, key: str | None = None, to: str = USERS[0], token: str = FakeLine.token) -> Outcome:
    channel = LineChannel(line.url, token, bound=timedelta(seconds=5), site=SITE)
    return channel.send(channel.compose(to, MESSAGE), key)


def test_a_key_is_remembered_for_24_hours_from_its_acceptance(line: FakeLine) -> None:
    key = str(uuid4())
    start = datetime(2026, 11, 30, tzinfo=UTC)
    later = [timedelta(0), timedelta(hours=23, minutes=59), timedelta(hours=24)]
    outcomes = []
    for passed in later:
        with time_machine.travel(start + passed, tick=False):
            outcomes.append(send(line, key))

    assert [isinstance(outcome, Accepted) and outcome.already for outcome in outcomes] == [False, True, False]
    assert [message.at - start for message in line.accepted] == [later[0], later[2]]


def test_without_a_key_each_request_is_a_message(line: FakeLine) -> None:
    for _ in range(2):
        send(line)

    assert len(line.accepted) == 2
    assert line.accepted[0].messages[0]["altText"] == "Shift"


@pytest.mark.parametrize("key", ["", "no-uuid", "0123456789abcdef" * 2])
def test_a_key_that_is_no_uuid_is_refused(line: FakeLine, key: str) -> None:
    outcome = send(line, key)

    assert isinstance(outcome, Rejected)
    assert outcome.code == FailureCode.LINE_BAD_REQUEST
    assert line.accepted == []


def test_a_wrong_token_is_refused_and_uses_up_no_script(line: FakeLine) -> None:
    line.script(answers.FAIL_500)
    outcome = send(line, token="wrong")

    assert isinstance(outcome, Rejected)
    assert outcome.code == FailureCode.LINE_UNAUTHORIZED
    assert isinstance(send(line), Transient)


@pytest.mark.parametrize("to", ["", "@display", "U123", USERS[0].upper()])
def test_an_address_that_is_none_is_refused(line: FakeLine, to: str) -> None:
    assert isinstance(send(line, to=to), Rejected)


def test_answers_may_be_scripted_by_recipient(line: FakeLine) -> None:
    line.script_for(USERS[1], answers.FORBIDDEN)
    line.script(answers.NOT_FOUND)
    for to in (USERS[1], USERS[0], USERS[1]):
        send(line, to=to)

    seen = [(request.to, request.answer.name, request.status) for request in line.requests]
    assert seen == [(USERS[1], "forbidden", 403), (USERS[0], "not found", 404), (USERS[1], "accept", 200)]


def test_a_held_request_is_accepted_when_it_is_let_go(line: FakeLine) -> None:
    line.script(answers.HOLD)
    with ThreadPoolExecutor() as pool:
        held = pool.submit(send, line)
        assert line.holding.wait(5)
        assert line.accepted == []
        line.release()

        assert isinstance(held.result(5), Accepted)
    assert len(line.accepted) == 1


def test_many_at_once_with_one_key_make_one_message(line: FakeLine) -> None:
    key = str(uuid4())
    with ThreadPoolExecutor(16) as pool:
        outcomes = list(pool.map(lambda _: send(line, key), range(40)))

    assert sorted(isinstance(outcome, Accepted) and outcome.already for outcome in outcomes) == [False] + [True] * 39
    assert (len(line.accepted), len(line.requests)) == (1, 40)


@pytest.mark.parametrize(
    "answer", [answers.HOLD, answers.TIMEOUT, answers.ACCEPT_THEN_TIMEOUT, answers.DRIP_BODY], ids=lambda a: a.name
)
def test_stopping_frees_what_is_held(answer: answers.Answer) -> None:
    line = FakeLine()
    line.start()
    line.script(answer)
    with ThreadPoolExecutor() as pool:
        held = pool.submit(send, line)
        assert answer is answers.DRIP_BODY or line.holding.wait(5)
        start = monotonic()
        line.stop()

        assert isinstance(held.result(5), Accepted | Transient)
    assert monotonic() - start < 2
