"""THE CONTRACT between sources and everybody else, and its registries: KINDS, SCANS, HEIRS and FORGETTERS.

A source tells the engine *whether* and *what* to send by answering with one of the verdicts; it never sends.
Everything here is a plain value: no session, no request, no queue.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Protocol

from sqlalchemy import ColumnElement, SQLColumnExpression

from app.codes import CancelReason, FailureCode
from app.transaction import Transaction

REQUEST_BOUND = timedelta(seconds=10)
"""The longest that one request to a provider may take, from resolving its name to the last byte of the answer."""


class QueueName(StrEnum):
    """The queues of RQ, in the order in which a worker looks at them."""

    URGENT = "urgent"
    DEFAULT = "default"
    BULK = "bulk"
    SLOW = "slow"


class Urgency(StrEnum):
    """How soon a device should wake for a push (RFC 8030 section 5.3)."""

    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"


class Message(Protocol):
    """What a source wants said: a `Notice`, which every channel to people speaks, or a channel's own type."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A notification in one language. `path`: the page of this site that a click opens, from the first slash on.

    `notification_id` is the row of the inbox that it speaks of; None for a test, which has none, and for what the inbox
    gets only once it was sent. After `until` nobody needs it. `body` is empty where the title says everything that a
    lock screen may show.
    """

    notification_id: int | None
    title: str
    body: str
    path: str
    urgency: Urgency
    until: datetime | None
    language: str


@dataclass(frozen=True, slots=True)
class Address:
    """Where a delivery goes, resolved at send time. `target` is the provider's own id and never leaves the sender."""

    type: str
    id: int
    target: str


@dataclass(frozen=True, slots=True)
class Due:
    """A claimed delivery as plain values, with its resolved address and the language of whoever reads it.

    `notification_id` is the row of the inbox that it speaks of; None for kinds that make none.
    """

    id: int
    kind: str
    channel: str
    subject_type: str
    subject_id: int
    subject_version: int | None
    account_id: int | None
    expires_at: datetime | None
    address: Address
    language: str
    notification_id: int | None = None


@dataclass(frozen=True, slots=True)
class Send:
    """Still true: send this. `note` is whatever `told` needs to know of what the message says, in the words of JSON.

    It is kept with the request: where that is repeated as it was, `told` is given what was noted of it then.
    """

    message: Message
    note: Any = None


@dataclass(frozen=True, slots=True)
class Cancel:
    """Rightly not sent; `detail` holds the source's own words, if any."""

    reason: CancelReason
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class TryLater:
    """The recheck could not be answered. Counts as a try; `after` lengthens the usual wait, never shortens it."""

    code: FailureCode
    after: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Hold:
    """Not now but at `until` (quiet hours): postponed without being a try."""

    until: datetime


@dataclass(frozen=True, slots=True)
class Ask:
    """The recheck needs the network: the engine runs `question` outside any transaction and hands on the answer.

    It runs in a thread of its own, without application and database, and is over within REQUEST_BOUND. `host`: whose
    answer it waits for; only so many wait for the same one. `about`: what the answer is to be judged by. Once that has
    come the recheck is made again, and may well say something else by then: the `about` of that one counts.
    """

    question: Callable[[], Any]
    host: str
    about: Any = None


FinalVerdict = Send | Cancel | TryLater | Hold
Verdict = FinalVerdict | Ask


@dataclass(frozen=True, slots=True)
class Told:
    """One delivery that was sent, with the note of the `Send` whose message went out."""

    delivery: Due
    note: Any


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and when to try again. `tries` counts all tries of one round, the first included."""

    tries: int
    first_wait: timedelta
    longest_wait: timedelta


@dataclass(frozen=True, slots=True)
class Reader:
    """Who looks: decides which links a description may carry."""

    account_id: int
    role: str


@dataclass(frozen=True, slots=True)
class Description:
    """What a subject is about, rendered now. `link` is a path of this site, None when the reader may not go there."""

    title: str
    body: str
    link: str | None


class Kind(Protocol):
    """One sort of thing that a source tells; `name` is what `delivery.kind` holds.

    Every verb takes lists, and makes a fixed number of queries however long the list is.
    """

    name: str
    category: str
    queue: QueueName
    retry: RetryPolicy
    expired_reason: CancelReason

    def recheck(self, deliveries: Sequence[Due]) -> Mapping[int, Verdict]:
        """A verdict for each delivery id, from the database as it is now. Runs in a read transaction."""

    def judge(self, delivery: Due, about: Any, answer: Any) -> FinalVerdict:
        """The verdict after an `Ask` of this kind was answered; `about` as our own database has it now."""

    def told(self, tx: Transaction, sent: Sequence[Told]) -> None:
        """Note "already told"; runs in the transaction that writes `sent`."""

    def describe(self, subject_ids: Sequence[int], reader: Reader, language: str) -> Mapping[int, Description]:
        """Title, body and link of each subject that still exists."""


class NeverAsks:
    """For a kind whose recheck our own database answers: it gives no `Ask`, so nothing is ever judged."""

    name: str

    def judge(self, delivery: Due, about: Any, answer: Any) -> FinalVerdict:
        """The engine calls it after an `Ask` alone. Raises NotImplementedError."""
        raise NotImplementedError(f"{self.name} never asks")


class InboxKind(Kind, Protocol):
    """A kind whose things also wait in the inbox of whoever they concern.

    `concerns`: the roles of those whom it may ever tell something. `private`: outside the inbox (lock screen, LINE, the
    operators' pages) only a generic text is shown. `urgency` and `lifetime` are those of a push: after its lifetime an
    undelivered one is dropped.
    """

    concerns: Collection[str]
    private: bool
    urgency: Urgency
    lifetime: timedelta

    def readable(
        self, account_id: SQLColumnExpression[int], subject_id: SQLColumnExpression[int]
    ) -> ColumnElement[bool]:
        """SQL: whether this account may read this subject now. Correlated, so that a page costs what it shows."""

    def matches(self, words: str, subject_id: SQLColumnExpression[int]) -> ColumnElement[bool]:
        """SQL: whether the subject's own text holds these words."""

    def texts(self, subject_ids: Collection[int]) -> Mapping[int, Description]:
        """What each subject that exists says to somebody who may read it, in the language that is in force."""


Forget = Callable[[Transaction, int], None]
TakeOver = Callable[[Transaction, int, int], None]
"""From a guest, to an account."""


@dataclass(frozen=True, slots=True)
class Scan:
    """Something that looks through the database every so often. `run` returns figures for the operator.

    `on_reach`: it also wants to run at once when somebody can be reached who could not be before.
    """

    name: str
    every: timedelta
    queue: QueueName
    run: Callable[[], dict[str, int]]
    on_reach: bool = False


KINDS: dict[str, Kind] = {}
INBOX_KINDS: dict[str, InboxKind] = {}
"""Those of KINDS that make rows in inboxes."""
SCANS: dict[str, Scan] = {}
HEIRS: list[TakeOver] = []
"""What each source does in the transaction in which a guest turns out to be an account."""
FORGETTERS: list[Forget] = []
"""What each source does in the transaction that deletes an account: what was the person's goes."""


def kinds_in(queue: QueueName) -> list[str]:
    """The names of the kinds whose deliveries go through this queue."""
    return [name for name, kind in KINDS.items() if kind.queue is queue]
