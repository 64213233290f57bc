"""The ledger with everybody around it: a source, a queue that forgets, workers, recovery, operators, and a clock."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta

import time_machine

from app.clock import now
from app.codes import CancelReason
from app.operations.deliveries import ConfirmationNeededError, ConflictError
from app.outbox import queries, transitions
from app.outbox.enqueue import enqueue
from app.outbox.queries import DueRow
from app.outbox.retry_key import LIFETIME
from app.outbox.state import RETRYABLE
from app.transaction import Transaction
from tests.factories import make_tutor
from tests.outbox.conftest import NOON, empty
from tests.outbox.ledger import quietly
from tests.outbox.ledger_invariants import ENDS, Row, Snapshot, check_moves, check_row, snapshot
from tests.outbox.ledger_workers import Hand, Workers
from tests.outbox.line_model import Fate, LineModel
from tests.outbox.test_enqueue import wanted


@dataclass(frozen=True)
class Try:
    """Time passes; then something is said to somebody, and a worker comes so far with it before it is interrupted."""

    pause: timedelta
    words: str
    recipient: str
    fate: Fate
    stage: int
    """1 is claimed, 2 begun, 3 at LINE, 4 recorded."""


BY_THE_BOOK = Try(timedelta(minutes=10), "now", "U1", Fate.ACCEPT, 4)


class World:
    """An empty ledger at noon. After every verb, whoever called it, the promises are checked."""

    def __init__(self) -> None:
        self._travel = time_machine.travel(NOON, tick=False)
        self.time = self._travel.start()
        empty()
        self._tutor = make_tutor()
        self.line = LineModel()
        self.workers = Workers(self.line, self.verb)
        self.jobs: list[list[int]] = []
        self.confirmed: Counter[int] = Counter()
        """How often an operator said yes to a second copy, by delivery."""
        self.rows: Snapshot = {}
        self._by_operator = False

    def end(self) -> None:
        """Let time run on for the others."""
        self._travel.stop()

    @contextmanager
    def verb(self) -> Iterator[Transaction]:
        """One verb in its transaction."""
        with quietly() as tx:
            yield tx
        self.check()

    def check(self) -> None:
        """Hold what the ledger has become against the promises."""
        after = snapshot()
        check_moves(self.rows, after, self._by_operator)
        self.rows, self._by_operator = after, False
        for row in after.values():
            check_row(row, self.line, self.confirmed[row["id"]])
        holders = Counter(hand.claimed.id for hand in self.workers.hands if hand.until > now())
        assert all(number == 1 for number in holders.values()), "two hold an unexpired lease of the same delivery"

    def owe(self, key: str, lives: timedelta | None) -> None:
        """A source wants something delivered, perhaps for the second time."""
        one = replace(wanted(self._tutor, key), expires_at=now() + lives if lives else None)
        with self.verb() as tx:
            made = enqueue(tx, [one, one])
        assert len(made) == len(set(made)) <= 1

    def ring(self, marked: bool = True) -> None:
        """Hand over what is due; not `marked`: the process dies between the queue and the mark."""
        rows = queries.due(["probe"], 100)
        self._push(rows)
        if marked:
            ids = [row.id for row in rows]
            with self.verb() as tx:
                assert sorted(transitions.hand_over(tx, ids)) == ids

    def ring_in_vain(self) -> None:
        """The queue refuses what is due."""
        with self.verb() as tx:
            transitions.refuse_hand_over(tx, [row.id for row in queries.due(["probe"], 100)])

    def ring_again(self) -> None:
        """Hand over again what the queue lost."""
        before = now() - timedelta(seconds=60)
        rows = queries.lost(["probe"], before, 100)
        self._push(rows)
        with self.verb() as tx:
            transitions.hand_over_again(tx, [row.id for row in rows], before)

    def _push(self, rows: Sequence[DueRow]) -> None:
        together = [row.id for row in rows if not row.alone]
        self.jobs += [[row.id] for row in rows if row.alone] + ([together] if together else [])

    def recover(self) -> None:
        """The recovery scan, the queue aside."""
        with self.verb() as tx:
            transitions.rescue(tx, 100)
        with self.verb() as tx:
            transitions.expire(tx)
        with self.verb() as tx:
            transitions.forget_frozen(tx, now() - LIFETIME)

    def work(self, ids: list[int], one: Try) -> None:
        """A worker gets these ids, and comes so far with each that it could claim."""
        held_before = len(self.workers.hands)
        self.workers.claim(ids)
        for hand in self.workers.hands[held_before:]:
            for _ in range(1, one.stage):
                self.go_on(hand, one)

    def go_on(self, hand: Hand, one: Try) -> None:
        """A worker does the next thing with what it believes to hold."""
        if hand not in self.workers.hands:
            return
        with self.moving_only_what_is_held(hand):
            if hand.begin is None:
                self.workers.begin(hand, one.words, one.recipient)
            elif hand.outcome is None:
                self.workers.arrive(hand, one.fate)
            else:
                self.workers.answer(hand)

    @contextmanager
    def moving_only_what_is_held(self, hand: Hand) -> Iterator[None]:
        """Whoever lost its lease changes nothing but the record of its own try."""
        others = {id_: row for id_, row in self.rows.items() if row["lease_token"] != hand.claimed.lease_token}
        yield
        for id_, row in others.items():
            assert self.rows[id_] | {"tries": None} == row | {"tries": None}, "moved by one who does not hold it"

    def try_what_is_due(self, one: Try) -> None:
        """Recovery and the clock do their part, and a worker takes what is in the queue."""
        self.time.shift(one.pause)
        self.recover()
        self.ring()
        while self.jobs:
            self.work(self.jobs.pop(0), one)

    def operate(self, act: Callable[[Transaction], None]) -> bool:
        """An operator's act; whether it was done."""
        self._by_operator = True
        try:
            with self.verb() as tx:
                act(tx)
        except (ConflictError, ConfirmationNeededError):
            return False
        return True

    def switch(self, on: bool) -> None:
        """The recipient's switch: off ends what waits for them; on, the source owes again what is still due."""
        with self.verb() as tx:
            if on:
                transitions.reopen(tx, [row["dedup_key"] for row in self.rows.values()])
            else:
                transitions.cancel(tx, queries.waiting_for(self._tutor), CancelReason.LINE_DISABLED)

    def retryable(self) -> list[Row]:
        """What an operator may send again."""
        return [row for row in self.rows.values() if row["state"] in RETRYABLE]

    def heal(self) -> None:
        """Every worker dies and the queue is emptied; once all of them work again, nothing owed was forgotten."""
        self.workers.hands.clear()
        self.jobs.clear()
        for _ in range(12):
            if all(row["state"] in ENDS for row in self.rows.values()):
                return
            self.ring_again()
            self.try_what_is_due(BY_THE_BOOK)
        raise AssertionError(f"forgotten: {self.rows}")
