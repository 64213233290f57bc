"""The circuit breaker: what answers say of the health of a channel or a push host, and when to stop asking it.

Counted in the database, so that every worker knows what one of them met.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta

from app.channels.outcome import Accepted, Outcome, Rejected, Transient
from app.codes import FailureCode
from app.engine.backoff import LONGEST_RETRY_AFTER
from app.engine.flight import Answered
from app.outbox import gates
from app.transaction import Transaction

REFUSED_US = frozenset({FailureCode.LINE_UNAUTHORIZED, FailureCode.LINE_FORBIDDEN, FailureCode.PUSH_VAPID_REJECTED})
"""401 and 403: it is our own credentials, and the next delivery will be refused like this one."""
REFUSALS = 3
TROUBLES = 5
"""Deliveries in a row, none of them accepted between, after which the breaker closes the gate."""
FIRST_WAIT = timedelta(minutes=1)
LONGEST_WAIT = timedelta(minutes=15)


def note_at_gates(tx: Transaction, answered: Sequence[Answered]) -> None:
    """Count what went wrong behind each gate, and close or open it. Called after the deliveries were recorded."""
    behind: dict[str, list[Answered]] = defaultdict(list)
    for one in answered:
        if _says_something(one.outcome):
            behind[one.claimed.gate_key].append(one)
    for key in sorted(behind):  # in one order everywhere, so that two who note do not wait for each other
        if all(_is_trouble(one.outcome) for one in behind[key]):
            _count(tx, key, behind[key])
        else:
            gates.note_health(tx, key)
        _obey(tx, key, [one.outcome for one in behind[key]])


def refused_probes(tx: Transaction, answered: Sequence[Answered]) -> set[int]:
    """The deliveries that were let through a closed gate, to see whether the trouble is over, and were refused as every
    other would have been."""
    refused = [one.claimed.id for one in answered if _refused_us(one.outcome)]
    return gates.probes_among(tx, refused) if refused else set()


def _count(tx: Transaction, key: str, troubled: Sequence[Answered]) -> None:
    failures, openings = gates.note_trouble(tx, key, [one.claimed.id for one in troubled])
    code = next(one.outcome.code for one in troubled if not isinstance(one.outcome, Accepted))
    if failures >= (REFUSALS if code in REFUSED_US else TROUBLES):
        gates.close(tx, key, code, min(FIRST_WAIT * 2 ** min(openings, 10), LONGEST_WAIT))


def _obey(tx: Transaction, key: str, outcomes: Sequence[Outcome]) -> None:
    """A host that says when to come again is left alone until then, by everything that goes there."""
    asked = [(one.retry_after, one.code) for one in outcomes if isinstance(one, Transient) and one.retry_after]
    if asked:
        wait, code = max(asked)
        gates.close(tx, key, code, min(wait, LONGEST_RETRY_AFTER))


def _is_trouble(outcome: Outcome) -> bool:
    """Whether it speaks of the provider, or of how it sees us, rather than of this one message or address."""
    return isinstance(outcome, Transient) or _refused_us(outcome)


def _refused_us(outcome: Outcome) -> bool:
    return isinstance(outcome, Rejected) and outcome.code in REFUSED_US


def _says_something(outcome: Outcome) -> bool:
    """Not what we refused ourselves before any request."""
    return _is_trouble(outcome) or outcome.answer.http_status is not None
