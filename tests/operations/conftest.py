"""The ledger without a queue, for acts on many deliveries at once."""

from tests.outbox.conftest import clock, ledger, ledger_app

__all__ = ["clock", "ledger", "ledger_app"]
