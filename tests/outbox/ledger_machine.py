"""The state machine: every verb of the ledger as a rule that hypothesis may apply at any time."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TypeVar

import time_machine
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from app.audit import COMMAND_LINE
from app.clock import now
from app.codes import CancelReason, FailureCode
from app.kinds import Cancel, TryLater
from app.operations import deliveries as operations
from app.operations.deliveries import ConfirmationNeededError, ConflictError
from app.outbox import queries, transitions
from app.outbox.enqueue import enqueue
from app.outbox.queries import DueRow
from app.outbox.retry_key import LIFETIME, key_usable
from app.outbox.state import RETRYABLE, WAITING
from app.transaction import Transaction
from tests.factories import make_tutor
from tests.outbox.conftest import NOON, empty
from tests.outbox.ledger import quietly
from tests.outbox.ledger_invariants import ENDS, Row, Snapshot, check_moves, check_row, snapshot
from tests.outbox.ledger_workers import Hand, Workers
from tests.outbox.line_model import Fate, LineModel
from tests.outbox.test_enqueue import wanted

MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class Try:
    """Time passes; then something is said to somebody, and a worker comes so far with it before it is interrupted."""

    pause: timedelta
    words: str
    recipient: str
    fate: Fate
    stage: int
    """1 is claimed, 2 begun, 3 at LINE, 4 recorded."""


WHICH = st.integers(0, 5)
PAUSES = st.sampled_from([MINUTE / 60, *[5 * MINUTE] * 5, 61 * MINUTE, 12 * 60 * MINUTE, 25 * 60 * MINUTE])
LIVES = st.sampled_from([None, None, None, 10 * MINUTE, 30 * 60 * MINUTE])
TRY = st.builds(
    Try,
    pause=PAUSES,
    words=st.sampled_from(["now", "now", "new"]),
    recipient=st.sampled_from(["U1", "U1", "U1", "U1", "U2"]),
    fate=st.sampled_from(Fate),
    stage=st.sampled_from([4, 4, 4, 3, 2, 1]),
)
BY_THE_BOOK = Try(10 * MINUTE, "now", "U1", Fate.ACCEPT, 4)

One = TypeVar("One")


class LedgerMachine(RuleBasedStateMachine):
    """A few deliveries; workers, operators, a clock, a queue and LINE, each acting when it likes."""

    def __init__(self) -> None:
        super().__init__()
        self._travel = time_machine.travel(NOON, tick=False)
        self.time = self._travel.start()
        empty()
        self.tutor = make_tutor()
        self.line = LineModel()
        self.workers = Workers(self.line, self._verb)
        self.jobs: list[list[int]] = []
        self.confirmed: Counter[int] = Counter()
        self.by_operator = False
        self.seen: Snapshot = {}
        self.owe("a", None)

    @rule(key=st.sampled_from("abc"), lives=LIVES)
    def owe(self, key: str, lives: timedelta | None) -> None:
        """A source wants something delivered, perhaps for the second time."""
        one = replace(wanted(self.tutor, key), expires_at=now() + lives if lives else None)
        with self._verb() as tx:
            made = enqueue(tx, [one, one])
        assert len(made) == len(set(made)) <= 1

    @rule(happens=st.sampled_from(["ring", "ring", "die before the mark", "refuse", "flush", "ring again"]))
    def queue(self, happens: str) -> None:
        """The clock rings, or the queue does what queues do."""
        match happens:
            case "ring" | "die before the mark":
                self._ring(marked=happens == "ring")
            case "refuse":
                with self._verb() as tx:
                    transitions.refuse_hand_over(tx, [row.id for row in queries.due(100)])
            case "flush":
                self.jobs.clear()
            case "ring again":
                self._ring_again()

    @rule(tries=st.lists(TRY, min_size=1, max_size=4))
    def try_what_is_due(self, tries: list[Try]) -> None:
        """Recovery and the clock do their part, and a worker goes so far with everything that is due; several times."""
        for one in tries:
            self.time.shift(one.pause)
            self._recover()
            self._ring(marked=True)
            while self.jobs:
                self._work(self.jobs.pop(0), one)

    @rule(job=st.sampled_from(["next", "twice", "stray", "stray"]), one=TRY)
    def work(self, job: str, one: Try) -> None:
        """A worker takes the job at the head, which RQ may give out a second time, or one of long ago with every id."""
        self.time.shift(one.pause)
        if job == "stray":
            self._work(list(self.seen), one)
        elif self.jobs:
            self._work(self.jobs[0] if job == "twice" else self.jobs.pop(0), one)

    @precondition(lambda self: self.workers.hands)
    @rule(which=WHICH, one=TRY)
    def go_on(self, which: int, one: Try) -> None:
        """A worker does the next thing with something it believes to hold, however late."""
        self.time.shift(one.pause)
        self._go_on(_pick(self.workers.hands, which), one)

    @precondition(lambda self: self.workers.hands)
    @rule(which=WHICH, happens=st.sampled_from(["die", "die", "give back", "hold", "renew", "cancel", "try later"]))
    def let_go(self, which: int, happens: str) -> None:
        """A worker ends, by a signal or in its own way."""
        hand = _pick(self.workers.hands, which)
        match happens:
            case "die":
                self.workers.hands.remove(hand)
            case "give back" | "hold":
                until = now() + timedelta(hours=1) if happens == "hold" else None
                self.workers.release(hand, until)
            case "renew":
                self.workers.renew(hand)
            case "cancel" if hand.begin is None:
                self.workers.cancel(hand, Cancel(CancelReason.SHIFT_CHANGED))
            case "try later" if hand.begin is None:
                self.workers.try_later(hand, TryLater(FailureCode.SOURCE_ERROR))

    @rule(pause=PAUSES)
    def recover(self, pause: timedelta) -> None:
        """Time passes, and the recovery scan has its minute."""
        self.time.shift(pause)
        self._recover()

    @precondition(lambda self: self._retryable())
    @rule(which=WHICH, rotate=st.booleans(), confirmed=st.booleans(), page=st.sampled_from([0, 0, 0, None, -1]))
    def send_again(self, which: int, rotate: bool, confirmed: bool, page: int | None) -> None:
        """An operator presses Retry or Rotate key, on a page that may be older than the delivery."""
        row = _pick(self._retryable(), which)
        act = operations.rotate_key if rotate else operations.retry
        seen = None if page is None else row["attempts"] + page
        new_key = rotate or not key_usable(row["retry_key_used_at"], now())
        may_double = new_key and row["key_ambiguous"]
        done = self._act(lambda tx: act(tx, COMMAND_LINE, row["id"], confirmed=confirmed, seen_attempts=seen))
        assert done == (page in (0, None) and (confirmed or not may_double))
        self.confirmed[row["id"]] += done and may_double

    @rule(which=WHICH, act=st.sampled_from(["retry", "retry", "rotate", "rotate", "cancel"]))
    def press_a_wrong_button(self, which: int, act: str) -> None:
        """An operator's page shows buttons that the delivery's state no longer allows."""
        row = _pick(list(self.seen.values()), which)
        if act == "cancel":
            done = self._act(lambda tx: operations.cancel(tx, COMMAND_LINE, row["id"]))
            assert done == (row["state"] in WAITING)
        elif row["state"] not in RETRYABLE:
            verb = operations.rotate_key if act == "rotate" else operations.retry
            assert not self._act(lambda tx: verb(tx, COMMAND_LINE, row["id"], confirmed=True, seen_attempts=None))

    @invariant()
    def every_promise_holds(self) -> None:
        """After every step, and after every verb in it."""
        after = snapshot()
        check_moves(self.seen, after, self.by_operator)
        self.seen, self.by_operator = after, False
        for row in after.values():
            check_row(row, self.line, self.confirmed[row["id"]])
        holders = Counter(hand.claimed.id for hand in self.workers.hands if hand.until > now())
        assert all(number == 1 for number in holders.values()), "two hold an unexpired lease of the same delivery"

    @contextmanager
    def _verb(self) -> Iterator[Transaction]:
        with quietly() as tx:
            yield tx
        self.every_promise_holds()

    def teardown(self) -> None:
        try:
            self._everything_owed_ends()
        finally:
            self._travel.stop()

    def _everything_owed_ends(self) -> None:
        """Whatever happened: once recovery, queue and LINE work, nothing owed is forgotten."""
        self.workers.hands.clear()
        self.jobs.clear()
        for _ in range(12):
            if all(row["state"] in ENDS for row in self.seen.values()):
                return
            self._ring_again()
            self.try_what_is_due([BY_THE_BOOK])
        raise AssertionError(f"forgotten: {self.seen}")

    def _ring(self, marked: bool) -> None:
        rows = queries.due(100)
        self._push(rows)
        if marked:  # else the process died between the queue and the mark
            ids = [row.id for row in rows]
            with self._verb() as tx:
                assert transitions.hand_over(tx, ids) == ids

    def _ring_again(self) -> None:
        before = now() - timedelta(seconds=60)
        rows = queries.lost(["probe"], before, 100)
        self._push(rows)
        with self._verb() as tx:
            transitions.hand_over_again(tx, [row.id for row in rows], before)

    def _push(self, rows: Sequence[DueRow]) -> None:
        together = [row.id for row in rows if not row.alone]
        self.jobs += [[row.id] for row in rows if row.alone] + ([together] if together else [])

    def _recover(self) -> None:
        with self._verb() as tx:
            transitions.rescue(tx, 100)
        with self._verb() as tx:
            transitions.expire(tx)
        with self._verb() as tx:
            transitions.forget_frozen(tx, now() - LIFETIME)

    def _work(self, ids: list[int], one: Try) -> None:
        held_before = len(self.workers.hands)
        self.workers.claim(ids)
        for hand in self.workers.hands[held_before:]:
            for _ in range(1, one.stage):
                self._go_on(hand, one)

    def _go_on(self, hand: Hand, one: Try) -> None:
        if hand not in self.workers.hands:
            return
        if hand.begin is None:
            self.workers.begin(hand, one.words, one.recipient)
        elif hand.outcome is None:
            self.workers.arrive(hand, one.fate)
        else:
            self.workers.answer(hand)

    def _act(self, act: Callable[[Transaction], None]) -> bool:
        self.by_operator = True
        try:
            with self._verb() as tx:
                act(tx)
        except (ConflictError, ConfirmationNeededError):
            return False
        return True

    def _retryable(self) -> list[Row]:
        return [row for row in self.seen.values() if row["state"] in RETRYABLE]


def _pick(some: Sequence[One], which: int) -> One:
    return some[which % len(some)]
