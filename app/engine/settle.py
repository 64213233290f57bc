"""What an outcome, or a recheck that could not be answered, makes of a delivery."""

from dataclasses import replace
from datetime import timedelta

from app.channels.outcome import Accepted, Gone, Outcome, Rejected, Transient
from app.clock import now
from app.codes import CancelReason, FailureCode
from app.engine.backoff import wait
from app.kinds import Kind, TryLater
from app.outbox.attempts import AttemptResult
from app.outbox.moves import Claimed, Finish
from app.outbox.state import AttemptOutcome


def after_outcome(kind: Kind, claimed: Claimed, outcome: Outcome, duration: timedelta) -> Finish:
    """The end of a claim whose request was made."""
    match outcome:
        case Accepted(accepted_id=accepted_id, already=already):
            told = AttemptOutcome.ALREADY_ACCEPTED if already else AttemptOutcome.ACCEPTED
            return Finish.sent(_result(told, outcome, duration), accepted_id, already)
        case Transient(code=code, retry_after=retry_after):
            result = _result(AttemptOutcome.TRANSIENT, outcome, duration, code)
            return _try_again(kind, claimed, code, result, retry_after)
        case Rejected(code=code):
            result = _result(AttemptOutcome.REJECTED, outcome, duration, code)
            return Finish.failed(code, result)
        case Gone(code=code):
            result = _result(AttemptOutcome.GONE, outcome, duration, code)
            return Finish.canceled(CancelReason.DEVICE_GONE, attempt=result)


def after_refused_probe(outcome: Rejected, duration: timedelta) -> Finish:
    """The end of a claim that learned for all others that we are still refused: it waits on behind its gate like them,
    which are not refused only because they were not asked for."""
    result = _result(AttemptOutcome.REJECTED, outcome, duration, outcome.code)
    return Finish.retry(outcome.code, result.trying_again_at(now()))


def after_try_later(kind: Kind, claimed: Claimed, verdict: TryLater) -> Finish:
    """The end of a claim whose recheck could not be answered: a try, without a request."""
    result = AttemptResult(AttemptOutcome.UNANSWERED, may_have_arrived=False, code=verdict.code)
    return _try_again(kind, claimed, verdict.code, result, verdict.after)


def after_broken_told(kind: Kind, claimed: Claimed, sent: Finish) -> Finish:
    """The end of a claim that was accepted, where the source could not note that it was told.

    "Already told" and `sent` move together or not at all: so it is tried again, LINE recognises it by its key, and
    the answer stays on its attempt.
    """
    accepted = sent.attempt or AttemptResult(AttemptOutcome.ACCEPTED, may_have_arrived=True)
    code = FailureCode.SOURCE_ERROR
    return _try_again(kind, claimed, code, replace(accepted, code=code), None)


def _try_again(
    kind: Kind, claimed: Claimed, code: FailureCode, result: AttemptResult, retry_after: timedelta | None
) -> Finish:
    tries_made = claimed.round_attempts + 1
    if tries_made >= kind.retry.tries:
        return Finish.failed(code, result, dead_letter=True)
    next_attempt_at = now() + wait(kind.retry, tries_made, retry_after)
    return Finish.retry(code, result.trying_again_at(next_attempt_at))


def _result(
    told: AttemptOutcome, outcome: Outcome, duration: timedelta, code: FailureCode | None = None
) -> AttemptResult:
    answer, arrived = outcome.answer, outcome.may_have_arrived
    return AttemptResult(told, arrived, code, answer.http_status, answer.detail, answer.request_id, duration)
