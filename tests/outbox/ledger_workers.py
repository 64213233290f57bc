"""Workers that do what engine/deliver.py does, one step at a time, so that anything may happen between two steps."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.channels.outcome import Accepted, Outcome
from app.clock import now
from app.engine import settle
from app.engine.request import choose
from app.kinds import KINDS, Address, Cancel, Due, Send, TryLater
from app.outbox import transitions
from app.outbox.moves import Begin, Claimed, Ended, Finish
from app.transaction import Transaction
from tests.outbox.line_model import Fate, LineModel, Words


@dataclass
class Hand:
    """What one worker believes to hold: claimed, then begun, then answered."""

    claimed: Claimed
    until: datetime
    begin: Begin | None = None
    attempt_id: int | None = None
    outcome: Outcome | None = None

    @property
    def in_flight(self) -> bool:
        """The request was begun and has not reached LINE yet."""
        return self.begin is not None and self.outcome is None


class Workers:
    """All of them; whoever dies takes its hand off the list."""

    def __init__(self, line: LineModel, verb: Callable[[], AbstractContextManager[Transaction]]) -> None:
        self.line = line
        self._verb = verb
        self.hands: list[Hand] = []

    def claim(self, ids: list[int]) -> None:
        """A job came with these ids."""
        with self._verb() as tx:
            self.hands += [Hand(one, now() + transitions.LEASE) for one in transitions.claim(tx, "probe", ids)]

    def begin(self, hand: Hand, words: str, target: str) -> None:
        """Choose the request, and write down that it is about to be made."""
        chosen = choose(self.line, hand.claimed, _due(hand.claimed, target), Send(Words(words)))
        if isinstance(chosen, Begin):
            self._write_down(hand, chosen)
        elif isinstance(chosen, Cancel):
            self._end(hand, Finish.canceled(chosen.reason, chosen.detail))
        else:
            self._end(hand, Finish.failed(chosen, None))

    def _write_down(self, hand: Hand, chosen: Begin) -> None:
        old_key = hand.claimed.retry_key
        if old_key not in (None, chosen.retry_key):
            assert not self.line.copies_by_key[old_key], "a new key for what LINE has accepted"
        with self._verb() as tx:
            attempt_id = transitions.begin(tx, [chosen]).get(hand.claimed.id)
        assert attempt_id is None or hand.until > now(), "begun after its lease was over"
        if attempt_id is None:
            self.hands.remove(hand)
            return
        hand.begin, hand.attempt_id, hand.until = chosen, attempt_id, now() + transitions.LEASE

    def arrive(self, hand: Hand, fate: Fate) -> None:
        """The request reaches LINE. Who slept so long that LINE forgot the key meanwhile is beyond every promise."""
        assert hand.begin is not None
        assert hand.begin.retry_key is not None
        if self.line.has_forgotten(hand.begin.retry_key):
            self.hands.remove(hand)
        else:
            hand.outcome = self.line.receive(hand.claimed.id, hand.begin.request, hand.begin.retry_key, fate)

    def answer(self, hand: Hand) -> None:
        """Record LINE's answer, however late."""
        assert hand.outcome is not None
        kind = KINDS[hand.claimed.kind]
        self._end(hand, settle.after_outcome(kind, hand.claimed, hand.outcome, timedelta(seconds=1)))

    def answer_untold(self, hand: Hand) -> None:
        """LINE accepted it, but its source broke when it was to note that."""
        assert isinstance(hand.outcome, Accepted)
        kind = KINDS[hand.claimed.kind]
        sent = settle.after_outcome(kind, hand.claimed, hand.outcome, timedelta(seconds=1))
        self._end(hand, settle.after_broken_told(kind, hand.claimed, sent))

    def cancel(self, hand: Hand, cancel: Cancel) -> None:
        """The recheck said no."""
        self._end(hand, Finish.canceled(cancel.reason, cancel.detail))

    def try_later(self, hand: Hand, later: TryLater) -> None:
        """The recheck could not be answered."""
        self._end(hand, settle.after_try_later(KINDS[hand.claimed.kind], hand.claimed, later))

    def release(self, hand: Hand, until: datetime | None) -> None:
        """Give back all of a batch that was not begun; whoever names what was begun keeps it."""
        batch = self._batch(hand)
        gone = [one for one in batch if one.begin is None]
        with self._verb() as tx:
            self.hands = [one for one in self.hands if one not in gone]
            released = transitions.release(tx, [one.claimed for one in batch], until)
        assert set(released) <= {one.claimed.id for one in gone}

    def renew(self, hand: Hand) -> None:
        """A longer lease for a batch."""
        batch = self._batch(hand)
        with self._verb() as tx:
            kept = transitions.renew(tx, [one.claimed for one in batch])
        for one in batch:
            if one.claimed in kept:
                one.until = now() + transitions.LEASE

    def _batch(self, hand: Hand) -> list[Hand]:
        """What the same worker claimed with it."""
        return [one for one in self.hands if one.claimed.lease_token == hand.claimed.lease_token]

    def _end(self, hand: Hand, finish: Finish) -> None:
        self.hands.remove(hand)
        with self._verb() as tx:
            transitions.finish(tx, [Ended(hand.claimed, hand.attempt_id, finish)])


def _due(claimed: Claimed, target: str) -> Due:
    return Due(
        claimed.id, claimed.kind, claimed.channel, claimed.subject_type, claimed.subject_id, claimed.subject_version,
        claimed.account_id, claimed.expires_at, Address(claimed.address_type, claimed.address_id, target), "ja",
    )  # fmt: skip
