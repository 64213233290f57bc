"""Workers that do what engine/deliver.py does, one step at a time, so that anything may happen between two steps."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from app.channels.outcome import Outcome
from app.clock import now
from app.engine import settle
from app.engine.request import choose
from app.kinds import KINDS, Address, Cancel, Due, TryLater
from app.outbox import transitions
from app.outbox.moves import Begin, Claimed, Ended, Finish
from tests.outbox.ledger import quietly
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

    def __init__(self, line: LineModel) -> None:
        self.line = line
        self.hands: list[Hand] = []

    def claim(self, ids: list[int]) -> None:
        """A job came with these ids."""
        with quietly() as tx:
            claimed = transitions.claim(tx, ids)
        self.hands += [Hand(one, now() + transitions.LEASE) for one in claimed]

    def begin(self, hand: Hand, words: str, target: str) -> None:
        """Choose the request, and write down that it is about to be made."""
        chosen = choose(self.line, hand.claimed, _due(hand.claimed, target), Words(words))
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
        with quietly() as tx:
            attempt_id = transitions.begin(tx, [chosen]).get(hand.claimed.id)
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

    def cancel(self, hand: Hand, cancel: Cancel) -> None:
        """The recheck said no."""
        self._end(hand, Finish.canceled(cancel.reason, cancel.detail))

    def try_later(self, hand: Hand, later: TryLater) -> None:
        """The recheck could not be answered."""
        self._end(hand, settle.after_try_later(KINDS[hand.claimed.kind], hand.claimed, later))

    def release(self, hands: list[Hand], until: datetime | None) -> None:
        """Give back what was not begun; whoever gives back everything keeps what was begun."""
        with quietly() as tx:
            released = transitions.release(tx, [hand.claimed for hand in hands], until)
        gone = [hand for hand in hands if hand.begin is None]
        assert set(released) <= {hand.claimed.id for hand in gone}
        self.hands = [hand for hand in self.hands if hand not in gone]

    def renew(self) -> None:
        """A longer lease for everything that is held."""
        with quietly() as tx:
            kept = transitions.renew(tx, [hand.claimed for hand in self.hands])
        for hand in self.hands:
            if hand.claimed in kept:
                hand.until = now() + transitions.LEASE

    def _end(self, hand: Hand, finish: Finish) -> None:
        self.hands.remove(hand)
        with quietly() as tx:
            transitions.finish(tx, [Ended(hand.claimed, hand.attempt_id, finish)])


def _due(claimed: Claimed, target: str) -> Due:
    return Due(
        claimed.id, claimed.kind, claimed.channel, claimed.subject_type, claimed.subject_id, claimed.subject_version,
        claimed.account_id, claimed.expires_at, Address(claimed.address_type, claimed.address_id, target), "ja",
    )  # fmt: skip
