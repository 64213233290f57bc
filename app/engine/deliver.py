"""The sending: claim → recheck, with questions to the network where it needs any → begin → send → record."""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress

from sqlalchemy.exc import SQLAlchemyError

from app.clock import monotonic, pause
from app.engine.flight import AT_ONCE, Answered, Flight, Question, Ready, Replied, sending
from app.engine.recheck import judged, recheck
from app.engine.record import record
from app.engine.verdicts import act_on
from app.kinds import KINDS, Kind
from app.outbox import gates, queries, transitions
from app.outbox.moves import Claimed
from app.place import Place
from app.transaction import writing

BUDGET = 25.0
"""Seconds for one job; what is not begun then goes back, untried, for the next one."""
FRESH = 2.0
"""Seconds for which a verdict may be acted on; whoever waited longer for a free place is asked about again."""
CLAIMED_TOGETHER = 100
MARKING_TAKES, A_MOMENT = 2.0, 0.01
"""Seconds: milliseconds as a rule, and longer where a process is kept from running."""
LOOKED_UP = 0.25
"""Seconds without any answer after which the worker looks up: was it asked to end, is a verdict stale?"""

log = logging.getLogger(__name__)


def deliver(kind_name: str, ids: Sequence[int], stopping: Callable[[], bool]) -> None:
    """Send those of these deliveries of one kind that are still owed, then what else is owed of it; many at once.

    `stopping` says whether this process was asked to end. Whatever is not begun by then, or when our own database
    fails, goes back without a try; what was begun is waited for, or taken back when its lease has run out.
    """
    kind = KINDS.get(kind_name)
    if kind is None:
        log.error("no kind is called %s; its deliveries stay owed", kind_name)
        return
    until = monotonic() + BUDGET
    with sending() as flight:
        batch = _Batch(kind, flight)
        try:
            batch.claim(ids)
            while batch.has_work() and not stopping() and monotonic() < until:
                batch.recheck()
                batch.ask()
                batch.begin()
                batch.record()
                batch.claim_more()
        finally:
            batch.give_back()
            batch.land()


class _Batch:
    """What one job has in its hands. No transaction is open while a request is under way."""

    def __init__(self, kind: Kind, flight: Flight) -> None:
        self._kind = kind
        self._flight = flight
        self._claimed: list[Claimed] = []
        self._questions: list[Question] = []
        self._asked: dict[int, Claimed] = {}
        self._ready: list[Ready] = []
        self._answered: list[Answered] = []
        self._more_owed = True
        self._found_last: Place | None = None

    def has_work(self) -> bool:
        return bool(self._claimed or self._questions or self._ready or self._flight.under_way)

    def claim(self, ids: Sequence[int]) -> None:
        """Those that nobody holds; whoever rang for them may at this moment be marking them as handed over, and is
        waited for. PostgreSQL passes by what is held, and only recovery would come for them again."""
        until = monotonic() + MARKING_TAKES
        while not self._claimed_or_gone(ids) and monotonic() < until:
            pause(A_MOMENT)

    def _claimed_or_gone(self, ids: Sequence[int]) -> bool:
        with writing() as tx:
            self._claimed = transitions.claim(tx, self._kind.name, ids)
            return bool(self._claimed) or not queries.any_claimable(self._kind.name, ids)

    def claim_more(self) -> None:
        """Whoever has places free goes on, rather than wait for the slowest.

        From the last one that was found, and from the oldest when nothing is left: a hundred thousand that wait behind
        a closed gate, or for the morning, are then passed by once, not before each hundred.
        """
        if not self._more_owed or len(self._claimed) + len(self._questions) + len(self._ready) >= AT_ONCE:
            return
        more = self._claim_after(self._found_last) or (self._claim_after(None) if self._found_last else [])
        self._forget(more)
        self._claimed += more
        self._found_last = more[-1].place if more else None
        self._more_owed = bool(more)

    def _forget(self, claimed: Sequence[Claimed]) -> None:
        """What is claimed once more was taken out of our hands meanwhile: what we had of it counts no longer."""
        again = {one.id for one in claimed}
        self._questions = [one for one in self._questions if one.claimed.id not in again]
        self._ready = [one for one in self._ready if one.claimed.id not in again]
        self._asked = {one: held for one, held in self._asked.items() if one not in again}

    def _claim_after(self, last: Place | None) -> list[Claimed]:
        with writing() as tx:
            return transitions.claim_due(tx, self._kind.name, CLAIMED_TOGETHER, self._flight.full_gates, last)

    def recheck(self) -> None:
        """Ask about those that nobody was asked about yet, and again about those that waited too long since."""
        fresh_since = monotonic() - FRESH
        stale = [one.claimed for one in self._ready if one.asked_at <= fresh_since]
        if stale:
            self._ready = [one for one in self._ready if one.asked_at > fresh_since]
            self._claimed += _renewed(stale)
        if self._claimed:
            checked, questions = recheck(self._kind, self._claimed)
            self._questions += questions
            self._ready += act_on(self._kind, checked)
            self._claimed = []

    def ask(self) -> None:
        """Put those questions for which there is room."""
        going = self._flight.room_for(self._questions)
        gone = {one.claimed.id for one in going}
        self._questions = [one for one in self._questions if one.claimed.id not in gone]
        for one in going:
            self._asked[one.claimed.id] = one.claimed
            self._flight.ask(one)

    def begin(self) -> None:
        """Make those requests for which there is room: written down before they are made."""
        going = self._flight.room_for(self._ready)
        if not going:
            return
        with writing() as tx:
            shut = gates.shut_to(tx, [(one.claimed.id, one.claimed.gate_key) for one in going])
            transitions.release(tx, [one.claimed for one in going if one.claimed.id in shut])
            attempts = transitions.begin(tx, [one.begin for one in going if one.claimed.id not in shut])
        gone = {one.claimed.id for one in going}
        self._ready = [one for one in self._ready if one.claimed.id not in gone]
        for one in going:
            if one.claimed.id in attempts:
                self._flight.start(one, attempts[one.claimed.id])

    def record(self) -> None:
        """Wait a little for answers, and write down what came; what a source had asked for is judged."""
        came = self._flight.answers(LOOKED_UP)
        self._answered += [one for one in came if isinstance(one, Answered)]
        record(self._kind, self._answered)
        self._answered = []
        replied = [one for one in came if isinstance(one, Replied) and self._waits_for(one.question)]
        if replied:
            self._ready += act_on(self._kind, judged(self._kind, replied))
            for one in replied:
                del self._asked[one.question.claimed.id]

    def _waits_for(self, question: Question) -> bool:
        return self._asked.get(question.claimed.id) == question.claimed

    def give_back(self) -> None:
        """What was not begun, answered or not. If our database is away, the leases run out by themselves."""
        waiting: list[Question | Ready] = [*self._questions, *self._ready]
        left = [*self._claimed, *(one.claimed for one in waiting), *self._asked.values()]
        self._asked = {}
        if left:
            with suppress(SQLAlchemyError), writing() as tx:
                transitions.release(tx, left)

    def land(self) -> None:
        """Wait for what is under way and record it; answers that our database does not take are lost with their
        leases."""
        while self._flight.under_way or self._answered:
            try:
                self.record()
            except SQLAlchemyError as error:
                if not self._flight.under_way:
                    log.warning("%d answers could not be recorded: %s", len(self._answered), type(error).__name__)
                    return


def _renewed(held: Sequence[Claimed]) -> list[Claimed]:
    with writing() as tx:
        return transitions.renew(tx, held)
