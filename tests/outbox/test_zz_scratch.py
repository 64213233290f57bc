import os
from collections import Counter
from flask import Flask
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from app.kinds import RetryPolicy
from tests.fakes.kind import CLASSROOM_POLICY, Probe, registered
from tests.outbox.ledger_machine import LedgerMachine
C = Counter()
class M(LedgerMachine):
    def teardown(self):
        for r in self.seen.values():
            C["rows"] += 1
            C["state "+r["state"]] += 1
            C["attempts>1"] += r["attempts"] > 1
            C["attempts>2"] += r["attempts"] > 2
            C["code "+str(r["failure_code"])] += 1
            for t in r["tries"]: C["try "+str(t["outcome"])] += 1
            C["copies %d" % self.line.copies[r["id"]]] += 1
            C["keys %d" % len({t["retry_key"] for t in r["tries"]})] += 1
            C["late kept"] += any(t["outcome"]!="lost" and t["code"]!="WORKER_LOST" for t in r["tries"]) and r["rescues"]>0
        C["confirmed"] += sum(self.confirmed.values())
        super().teardown()
def test_x(ledger_app: Flask) -> None:
    probe = Probe()
    probe.retry = RetryPolicy(3, CLASSROOM_POLICY.first_wait, CLASSROOM_POLICY.longest_wait)
    with ledger_app.app_context(), registered(probe):
        try:
            run_state_machine_as_test(M, settings=settings(max_examples=int(os.environ.get("N","100")), stateful_step_count=int(os.environ.get("S","30")), deadline=None, database=None, report_multiple_bugs=False, phases=[Phase.generate] if "NOSHRINK" in os.environ else [Phase.generate, Phase.shrink], suppress_health_check=list(HealthCheck)))
        finally:
            for k,v in sorted(C.items()): print(k,v)
