"""The state machine: what anybody may do, as rules that hypothesis applies in any order."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from app.audit import COMMAND_LINE
from app.channels.outcome import Accepted
from app.clock import now
from app.codes import CancelReason, FailureCode
from app.kinds import Cancel, TryLater
from app.operations import deliveries as operations
from app.outbox.retry_key import key_usable
from app.outbox.state import RETRYABLE, WAITING, State
from tests.outbox.ledger_workers import Hand
from tests.outbox.ledger_world import Try, World
from tests.outbox.line_model import Fate

MINUTE = timedelta(minutes=1)
WHICH = st.integers(0, 5)
PAUSES = st.sampled_from([MINUTE / 60, *[5 * MINUTE] * 3, 61 * MINUTE, 12 * 60 * MINUTE, 25 * 60 * MINUTE])
LIVES = st.sampled_from([None, None, None, 10 * MINUTE, 30 * 60 * MINUTE])
TRY = st.builds(
    Try,
    pause=PAUSES,
    words=st.sampled_from(["now", "now", "new"]),
    recipient=st.sampled_from(["U1", "U1", "U1", "U1", "U2"]),
    fate=st.sampled_from([*Fate, Fate.ACCEPT_UNHEARD]),
    stage=st.sampled_from([4, 4, 4, 3, 3, 2, 1]),
)
LETTING_GO = ["die", "die", "give back", "hold", "renew", "told breaks", "cancel", "try later"]

One = TypeVar("One")


class LedgerMachine(RuleBasedStateMachine):
    """A few deliveries; workers, operators, a clock, a queue and LINE, each acting when it likes."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        self.world.owe("a", None)

    @rule(key=st.sampled_from("abc"), lives=LIVES)
    def owe(self, key: str, lives: timedelta | None) -> None:
        self.world.owe(key, lives)

    @rule(happens=st.sampled_from(["ring", "die before the mark", "refuse", "flush", "ring again"]))
    def queue(self, happens: str) -> None:
        """The clock rings, or the queue does what queues do."""
        match happens:
            case "ring" | "die before the mark":
                self.world.ring(marked=happens == "ring")
            case "refuse":
                self.world.ring_in_vain()
            case "flush":
                self.world.jobs.clear()
            case "ring again":
                self.world.ring_again()

    @rule(tries=st.lists(TRY, min_size=1, max_size=4))
    def try_what_is_due(self, tries: list[Try]) -> None:
        """Several tries in a row, each with its own end."""
        for one in tries:
            self.world.try_what_is_due(one)

    @rule(job=st.sampled_from(["next", "twice", "stray", "stray"]), one=TRY)
    def work(self, job: str, one: Try) -> None:
        """A worker takes the job at the head, which RQ may give out a second time, or one of long ago with every id."""
        self.world.time.shift(one.pause)
        jobs = self.world.jobs
        if job == "stray":
            self.world.work(list(self.world.rows), one)
        elif jobs:
            self.world.work(jobs[0] if job == "twice" else jobs.pop(0), one)

    @precondition(lambda self: self.world.workers.hands)
    @rule(which=WHICH, one=TRY)
    def go_on(self, which: int, one: Try) -> None:
        """A worker does the next thing with something it believes to hold, however late."""
        self.world.time.shift(one.pause)
        self.world.go_on(_pick(self.world.workers.hands, which), one)

    @precondition(lambda self: self.world.workers.hands)
    @rule(which=WHICH, meanwhile=TRY, one=TRY)
    def come_back_late(self, which: int, meanwhile: Try, one: Try) -> None:
        """A worker that was thought dead goes on after others did their part."""
        hand = _pick(self.world.workers.hands, which)
        self.world.try_what_is_due(meanwhile)
        self.world.go_on(hand, one)

    @precondition(lambda self: self.world.workers.hands)
    @rule(which=WHICH, happens=st.sampled_from(LETTING_GO))
    def let_go(self, which: int, happens: str) -> None:
        """A worker ends, by a signal or in its own way."""
        hand = _pick(self.world.workers.hands, which)
        with self.world.moving_only_what_is_held(hand):
            self._let_go(hand, happens)

    def _let_go(self, hand: Hand, happens: str) -> None:
        workers = self.world.workers
        match happens:
            case "die":
                workers.hands.remove(hand)
            case "give back" | "hold":
                workers.release(hand, now() + 60 * MINUTE if happens == "hold" else None)
            case "renew":
                workers.renew(hand)
            case "told breaks" if isinstance(hand.outcome, Accepted):
                workers.answer_untold(hand)
            case "cancel" if hand.begin is None:
                workers.cancel(hand, Cancel(CancelReason.SHIFT_CHANGED))
            case "try later" if hand.begin is None:
                workers.try_later(hand, TryLater(FailureCode.SOURCE_ERROR))

    @rule(pause=PAUSES)
    def recover(self, pause: timedelta) -> None:
        """Time passes, and the recovery scan has its minute."""
        self.world.time.shift(pause)
        self.world.recover()

    @rule(on=st.sampled_from([True, True, False]))
    def switch(self, on: bool) -> None:
        """The recipient switches LINE off, or on again."""
        self.world.switch(on)

    @precondition(lambda self: any(row["key_ambiguous"] for row in self.world.rows.values()))
    @rule(one=TRY)
    def try_a_day_later(self, one: Try) -> None:
        """LINE may have accepted something, and forgets its key."""
        self.world.time.shift(24 * 60 * MINUTE)
        self.world.try_what_is_due(one)

    @precondition(lambda self: self.world.retryable())
    @rule(which=WHICH, rotate=st.booleans(), confirmed=st.booleans(), page=st.sampled_from([0, 0, 0, None, -1]))
    def send_again(self, which: int, rotate: bool, confirmed: bool, page: int | None) -> None:
        """An operator presses Retry or Rotate key, on a page that may be older than the delivery."""
        row = _pick(self.world.retryable(), which)
        verb = operations.rotate_key if rotate else operations.retry
        seen = None if page is None else row["attempts"] + page
        new_key = rotate or not key_usable(row["retry_key_used_at"], now())
        may_double = new_key and row["key_ambiguous"]
        pressed = _is_pressed(row, new_key)
        done = self.world.operate(
            lambda tx: verb(tx, COMMAND_LINE, row["id"], confirmed=confirmed, seen_attempts=seen)
        )  # fmt: skip
        assert done == (page in (0, None) and (confirmed or not may_double) and not pressed)
        self.world.confirmed[row["id"]] += done and may_double

    @rule(which=WHICH, act=st.sampled_from(["retry", "retry", "rotate", "rotate", "cancel"]))
    def press_any_button(self, which: int, act: str) -> None:
        """An operator's page shows buttons that the delivery's state may no longer allow."""
        row = _pick(list(self.world.rows.values()), which)
        if act == "cancel":
            done = self.world.operate(lambda tx: operations.cancel(tx, COMMAND_LINE, row["id"]))
            assert done == (row["state"] in WAITING)
        elif row["state"] not in RETRYABLE:
            verb = operations.rotate_key if act == "rotate" else operations.retry
            assert not self.world.operate(
                lambda tx: verb(tx, COMMAND_LINE, row["id"], confirmed=True, seen_attempts=None)
            )  # fmt: skip

    @invariant()
    def every_promise_holds(self) -> None:
        """After every step; the world itself checks after every verb."""
        self.world.check()

    def teardown(self) -> None:
        try:
            self.world.heal()
        finally:
            self.world.end()


def _is_pressed(row: Mapping[str, Any], new_key: bool) -> bool:
    """Whether the same button was pressed before, and its try is still to come."""
    due_by_hand = row["state"] == State.RETRY and row["next_attempt_at"] is None and row["next_trigger"] == "manual"
    return due_by_hand and (not new_key or row["retry_key"] is None)


def _pick(some: Sequence[One], which: int) -> One:
    return some[which % len(some)]
