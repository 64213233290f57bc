"""Whether what runs every second, minute and quarter of an hour grows with the years.

The same 200 shifts are due among 1,000,000 as among 10,000, and the same 100 deliveries are due or lost.
"""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from flask import Flask

from app.engine.recovery import recover
from app.extensions import broker, db
from app.kinds import QueueName, kinds_in
from app.outbox import queries, transitions
from app.sources.alerts.symptoms import symptoms
from app.sources.classroom.telling.tell import remind
from app.transaction import writing
from benchmarks import ledger
from benchmarks.history import SOON, fill
from benchmarks.house import DATABASES, house
from benchmarks.rounds import medians
from benchmarks.table import Bounded, show_bounded
from tests.servers.valkey import ValkeyServer

MANY, FEW = 1_000_000, 10_000
ROUNDS = 9
LIMIT = 1.5


def main() -> None:
    """Measure and print."""
    redis = ValkeyServer()
    try:
        for database in DATABASES:
            with house(database, redis.url) as few, house(database, redis.url) as many:
                lines = _lines(_filled(many, MANY, redis), _filled(few, FEW, redis))
            show_bounded(f"Among shifts and deliveries, {database}", f"{MANY:,}", f"{FEW:,}", lines)
    finally:
        redis.remove()


def _lines(many: "_Filled", few: "_Filled") -> list[Bounded]:
    asked: dict[str, Callable[[], object]] = {
        f"reminder scan, {SOON} due": _remind,
        f"due query, {ledger.DUE} due": _due,
        f"claim of {ledger.DUE}": _claim,
        f"recovery, {len(few.owed)} due or lost": recover,
        "what is wrong, as the watch asks": symptoms,
    }
    return [_line(name, one, many, few) for name, one in asked.items()]


def _line(name: str, asked: Callable[[], object], many: "_Filled", few: "_Filled") -> Bounded:
    ours, measure = medians(lambda: many.took(asked), lambda: few.took(asked), rounds=ROUNDS)
    return Bounded(name, ours, measure, LIMIT)


@dataclass(frozen=True, slots=True)
class _Filled:
    app: Flask
    owed: range
    redis: ValkeyServer

    def took(self, asked: Callable[[], object]) -> float:
        """Milliseconds, with everything due and lost anew."""
        with self.app.app_context():
            ledger.restore(self.owed)
            self.redis.flush()
            assert broker.answers()
            db.session.close()
            start = perf_counter()
            asked()
            return (perf_counter() - start) * 1000


def _filled(app: Flask, number: int, redis: ValkeyServer) -> _Filled:
    with app.app_context():
        fill(number)
        return _Filled(app, ledger.owe(), redis)


def _remind() -> None:
    assert remind()["enqueued"] == SOON


def _due() -> None:
    """As the clock asks every second."""
    assert sum(len(queries.due(kinds_in(queue), 1000)) for queue in QueueName) == ledger.DUE


def _claim() -> None:
    """As a worker goes on with what is owed of a kind."""
    with writing() as tx:
        assert len(transitions.claim_due(tx, "shift_reminder", ledger.DUE, [])) == ledger.DUE


if __name__ == "__main__":
    main()
