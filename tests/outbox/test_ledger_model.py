"""Any interleaving: workers, operators, recovery, a queue that forgets and a LINE that may or may not have heard.

hypothesis looks for an order of the ledger's verbs after which some promise holds no more, and prints the shortest
one as a program. LEDGER_EXAMPLES=1000 lets it look longer.
"""

import os

from flask import Flask
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from app.kinds import RetryPolicy
from tests.fakes.kind import CLASSROOM_POLICY, Probe, registered
from tests.outbox.ledger_machine import LedgerMachine

LOOK = settings(
    max_examples=int(os.environ.get("LEDGER_EXAMPLES", "50")),
    stateful_step_count=30,
    deadline=None,
    database=None,
    report_multiple_bugs=False,
    derandomize="CI" in os.environ,
    suppress_health_check=list(HealthCheck),
)


def test_no_interleaving_breaks_a_promise(ledger_app: Flask) -> None:
    probe = Probe()
    probe.retry = RetryPolicy(3, CLASSROOM_POLICY.first_wait, CLASSROOM_POLICY.longest_wait)
    with ledger_app.app_context(), registered(probe):
        run_state_machine_as_test(LedgerMachine, settings=LOOK)
