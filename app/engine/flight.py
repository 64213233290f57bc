"""What is under way: requests, and questions of sources to the network. Each in a thread of its own, so many at once,
and so many behind one gate or for one host."""

import json
import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from queue import Empty, SimpleQueue
from typing import Any, Protocol, TypeVar

from app.channels import CHANNELS
from app.channels.outcome import Outcome
from app.clock import monotonic
from app.kinds import Ask, Due
from app.logs import place_of
from app.outbox.moves import Begin, Claimed

AT_ONCE = 128
"""Requests of one process. More gain little: by then encrypting and recording keep a processor busy."""
TO_ONE_HOST = 96
"""Of these behind one gate, so that a silent host leaves room for the others."""
TOGETHER = 0.01
"""Seconds for which an answer waits for others, to be recorded with them. The last one under way waits for nobody."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Ready:
    """A request that may be made. `asked_at`: monotonic seconds at which its recheck was answered."""

    begin: Begin
    due: Due
    asked_at: float

    @property
    def claimed(self) -> Claimed:
        """The delivery that it is for."""
        return self.begin.claimed

    @property
    def note(self) -> Any:
        """What to tell the source once it was accepted."""
        return None if self.begin.note is None else json.loads(self.begin.note)

    @property
    def behind(self) -> str:
        """Its gate."""
        return self.claimed.gate_key


@dataclass(frozen=True, slots=True)
class Question:
    """What a source has to ask of the network before it can say whether this is to be sent."""

    claimed: Claimed
    due: Due
    ask: Ask

    @property
    def behind(self) -> str:
        """The host, which is no gate: nobody closes it."""
        return f"ask:{self.ask.host}"


@dataclass(frozen=True, slots=True)
class Replied:
    """What a question was answered, or how it broke."""

    question: Question
    answer: Any
    error: Exception | None


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of a request, and how long that took."""

    ready: Ready
    attempt_id: int
    outcome: Outcome
    duration: timedelta

    @property
    def claimed(self) -> Claimed:
        """The delivery that it is for."""
        return self.ready.claimed


class Waiting(Protocol):
    """Something that waits for its place."""

    @property
    def behind(self) -> str:
        """What it shares a number of places with."""


W = TypeVar("W", bound=Waiting)


class Flight:
    """Start requests and questions, and take the answers as they come. For one thread; only the waiting happens in
    others."""

    def __init__(self, threads: ThreadPoolExecutor) -> None:
        self._threads = threads
        self._landed: SimpleQueue[tuple[str, Answered | Replied | None]] = SimpleQueue()
        self._behind: Counter[str] = Counter()

    @property
    def under_way(self) -> int:
        """How many answers are still to come."""
        return self._behind.total()

    @property
    def full_gates(self) -> list[str]:
        """The gates behind which no further request may be made now, and what stands for hosts that are asked."""
        return [gate for gate, number in self._behind.items() if number >= TO_ONE_HOST]

    def room_for(self, waiting: Sequence[W]) -> list[W]:
        """Those of them that may be started now, in their order."""
        fitting: list[W] = []
        behind = self._behind.copy()
        for one in waiting:
            if behind[one.behind] < TO_ONE_HOST and behind.total() < AT_ONCE:
                behind[one.behind] += 1
                fitting.append(one)
        return fitting

    def start(self, ready: Ready, attempt_id: int) -> None:
        """Make it; its beginning is written down already."""
        self._behind[ready.behind] += 1
        self._threads.submit(self._make, ready, attempt_id)

    def ask(self, question: Question) -> None:
        """Ask it. Nothing is written down of it before: should the answer be lost, it is asked again."""
        self._behind[question.behind] += 1
        self._threads.submit(self._put, question)

    def answers(self, wait: float) -> list[Answered | Replied]:
        """Those that came, after waiting so many seconds at most for the first of them."""
        found: list[Answered | Replied] = []
        until = monotonic() + wait
        while self.under_way:
            try:
                gate, answered = self._landed.get(timeout=max(0.0, until - monotonic()))
            except Empty:
                break
            self._behind[gate] -= 1
            if answered is not None:
                if not found:
                    until = monotonic() + TOGETHER
                found.append(answered)
        return found

    def _make(self, ready: Ready, attempt_id: int) -> None:
        begin, started = ready.begin, monotonic()
        answered = None
        try:
            outcome = CHANNELS[ready.claimed.channel].send(begin.request, begin.retry_key)
            answered = Answered(ready, attempt_id, outcome, timedelta(seconds=monotonic() - started))
        except Exception as error:
            # Nobody knows what the provider has: its lease runs out, and recovery says so.
            log.error("sending over %s broke: %s at %s", ready.claimed.channel, type(error).__name__, place_of(error))
        finally:
            self._landed.put((ready.behind, answered))

    def _put(self, question: Question) -> None:
        answer, error = None, None
        try:
            answer = question.ask.question()
        except Exception as fault:  # for whoever started it to judge
            error = fault
        finally:
            self._landed.put((question.behind, Replied(question, answer, error)))


@contextmanager
def sending() -> Iterator[Flight]:
    """At the end whatever is under way is waited for. Threads are made as they are needed."""
    with ThreadPoolExecutor(AT_ONCE, "send") as threads:
        yield Flight(threads)
