"""Everything is explained: no code without its sentences, no queue without its worker."""

from app.background import worker
from app.codes import CANCELLATIONS, FAILURES, CancelReason, FailureCode
from app.kinds import QueueName


def test_every_failure_code_says_its_cause_and_what_to_do() -> None:
    assert set(FAILURES) == set(FailureCode)
    assert not [code for code, words in FAILURES.items() if not str(words.cause) or not str(words.next_step)]


def test_every_cancel_reason_says_why() -> None:
    assert set(CANCELLATIONS) == set(CancelReason)
    assert not [reason for reason, words in CANCELLATIONS.items() if not str(words.cause)]


def test_codes_fit_their_column_and_name_themselves() -> None:
    for code in (*FailureCode, *CancelReason):
        assert code.name.upper() == code.value.upper()
        assert len(code) <= 40


def test_every_queue_is_consumed_by_a_worker() -> None:
    assert set(worker.ALL) == set(QueueName)
    assert set(worker.FREE_OF_SLOW) < set(QueueName)
