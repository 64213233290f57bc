"""Everything is explained: no code without its sentences, no queue without its worker."""

from app.background import worker
from app.channels.line import answers as line
from app.channels.outcome import Outcome, Transient
from app.channels.web_push import answers as web_push
from app.channels.web_push.subscription import Subscription
from app.codes import CANCELLATIONS, FAILURES, RETRIED, CancelReason, FailureCode
from app.http import Response
from app.kinds import QueueName


def test_every_failure_code_says_its_cause_and_what_to_do() -> None:
    assert set(FAILURES) == set(FailureCode)
    assert not [code for code, words in FAILURES.items() if not str(words.cause) or not str(words.next_step)]


def test_every_cancel_reason_says_why() -> None:
    assert set(CANCELLATIONS) == set(CancelReason)
    assert not [reason for reason, words in CANCELLATIONS.items() if not str(words.cause)]


OF_THE_HOUSE = {FailureCode.QUEUE_ENQUEUE_FAILED, FailureCode.WORKER_LOST, FailureCode.SOURCE_ERROR}
"""What is met before and after a request."""


def test_a_code_is_said_to_be_retried_by_itself_exactly_where_its_answer_is_worth_another_try() -> None:
    answers = [Response(status, {}, b"") for status in (100, *range(200, 600))]
    device = Subscription("https://push.example/1", "", "")
    outcomes: list[Outcome] = [*line.SILENCES.values(), *web_push.SILENCES.values()]
    outcomes += [line.outcome_of(answer, "") for answer in answers]
    outcomes += [web_push.outcome_of(answer, device) for answer in answers]
    assert {one.code for one in outcomes if isinstance(one, Transient)} | OF_THE_HOUSE == RETRIED


def test_codes_fit_their_column_and_name_themselves() -> None:
    for code in (*FailureCode, *CancelReason):
        assert code.name.upper() == code.value.upper()
        assert len(code) <= 40


def test_every_queue_is_consumed_by_a_worker() -> None:
    assert set(worker.ALL) == set(QueueName)
    assert set(worker.FREE_OF_SLOW) < set(QueueName)
