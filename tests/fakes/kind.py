"""A kind for tests: a source whose answers the test scripts, and which remembers what it was told."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, TypeVar

from app.channels.line.flex import FlexMessage
from app.codes import CancelReason
from app.kinds import (
    KINDS,
    Description,
    Due,
    FinalVerdict,
    QueueName,
    Reader,
    RetryPolicy,
    Send,
    Told,
    Verdict,
)  # fmt: skip
from app.transaction import Transaction

P = TypeVar("P", bound="Probe")

CLASSROOM_POLICY = RetryPolicy(tries=6, first_wait=timedelta(minutes=2), longest_wait=timedelta(minutes=32))


class Probe:
    """Sends "hello" to everybody unless `verdicts` says otherwise for a delivery's id."""

    category = "probes"
    retry = CLASSROOM_POLICY
    expired_reason = CancelReason.EXPIRED

    def __init__(self, name: str = "probe", queue: QueueName = QueueName.DEFAULT) -> None:
        self.name = name
        self.queue = queue
        self.text = "hello"
        self.verdicts: dict[int, Verdict | Exception] = {}
        self.rechecked: list[list[int]] = []
        self.told_ids: list[int] = []
        self.judged_about: list[Any] = []
        self.on_judge: Callable[[Due, Any], FinalVerdict] = lambda due, _answer: self.send(due)
        self.on_recheck: Callable[[], None] = lambda: None
        self.on_each: Callable[[Due], object] = lambda due: None
        self.on_told: Callable[[], None] = lambda: None

    def send(self, due: Due) -> Send:
        """What the probe says when nothing else was scripted."""
        return Send(text(self.text), note=due.id)

    def recheck(self, deliveries: Sequence[Due]) -> Mapping[int, Verdict]:
        """The scripted verdicts; an exception among them is raised, as a broken source would."""
        self.rechecked.append([due.id for due in deliveries])
        self.on_recheck()
        return {due.id: self._verdict(due) for due in deliveries}

    def judge(self, delivery: Due, about: Any, answer: Any) -> FinalVerdict:
        """Whatever `on_judge` makes of the answer."""
        self.judged_about.append(about)
        return self.on_judge(delivery, answer)

    def told(self, tx: Transaction, sent: Sequence[Told]) -> None:
        """Remember what was sent."""
        self.on_told()
        self.told_ids += [one.note for one in sent]

    def describe(self, subject_ids: Sequence[int], reader: Reader, language: str) -> Mapping[int, Description]:
        """Something to show."""
        return {subject_id: Description(f"Probe {subject_id}", "", None) for subject_id in subject_ids}

    def _verdict(self, due: Due) -> Verdict:
        self.on_each(due)
        verdict = self.verdicts.get(due.id) or self.send(due)
        if isinstance(verdict, Exception):
            raise verdict
        return verdict


def text(words: str) -> FlexMessage:
    """A small LINE message."""
    body = {"type": "box", "layout": "vertical", "contents": [{"type": "text", "text": words}]}
    return FlexMessage(words, {"type": "bubble", "body": body})


@contextmanager
def registered(probe: P) -> Iterator[P]:
    """The probe as a kind of this house, for as long as the test runs."""
    KINDS[probe.name] = probe
    try:
        yield probe
    finally:
        del KINDS[probe.name]
