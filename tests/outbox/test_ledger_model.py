"""Any interleaving: workers, operators, recovery, a queue that forgets and a LINE that may or may not have heard.

hypothesis looks for a sequence of the ledger's verbs after which something holds no more. What it finds it shortens
and prints as a program of steps.
"""

import os
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import TypeVar

import time_machine
from flask import Flask
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from app.audit import COMMAND_LINE
from app.clock import now
from app.codes import CancelReason, FailureCode
from app.extensions import db
from app.kinds import Cancel, RetryPolicy, TryLater
from app.operations import deliveries as operations
from app.operations.deliveries import ConfirmationNeededError, ConflictError
from app.outbox import queries, transitions
from app.outbox.queries import DueRow
from app.outbox.retry_key import LIFETIME
from app.outbox.state import RETRYABLE, WAITING, State
from tests.fakes.kind import Probe, registered
from tests.outbox.conftest import NOON, empty
from tests.outbox.ledger import quietly
from tests.outbox.ledger_invariants import ENDS, check_moves, check_row, snapshot
from tests.outbox.ledger_workers import Hand, Workers
from tests.outbox.line_model import Fate, LineModel
from tests.outbox.test_enqueue import wanted

EXAMPLES = int(os.environ.get("LEDGER_EXAMPLES", "40"))
STEPS = 30
POLICY = RetryPolicy(tries=3, first_wait=timedelta(minutes=2), longest_wait=timedelta(minutes=32))
WHICH = st.integers(0, 5)
PAUSES = [timedelta(seconds=seconds) for seconds in (1, 61, 121, 300, 3600, 12 * 3600, 86_385, 25 * 3600)]

One = TypeVar("One")


def test_no_interleaving_breaks_a_promise(ledger_app: Flask) -> None:
    probe = Probe()
    probe.retry = POLICY
    with ledger_app.app_context(), registered(probe):
        run_state_machine_as_test(
            LedgerMachine,
            settings=settings(
                max_examples=EXAMPLES, stateful_step_count=STEPS, deadline=None, database=None,
                derandomize="CI" in os.environ,
                suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
            ),
        )  # fmt: skip
