"""What a channel answers: one closed set of values, so that a provider's silence is never an exception to forget."""

from dataclasses import dataclass
from datetime import timedelta

from app.codes import FailureCode


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, for the attempt's record. `detail`: the provider's words, cut, secrets removed."""

    http_status: int | None = None
    request_id: str | None = None
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class Accepted:
    """The provider took it. `already`: an earlier request with the same key won, and `accepted_id` is that one's."""

    answer: Answer
    accepted_id: str | None = None
    already: bool = False
    may_have_arrived: bool = True


@dataclass(frozen=True, slots=True)
class Transient:
    """Not accepted as far as we know, and worth another try."""

    code: FailureCode
    answer: Answer
    may_have_arrived: bool
    retry_after: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Rejected:
    """Refused: trying again unchanged would be refused again, so it waits for a person."""

    code: FailureCode
    answer: Answer
    may_have_arrived: bool = False


@dataclass(frozen=True, slots=True)
class Gone:
    """The provider no longer knows the address: nothing sent there will ever arrive, so it is to be removed."""

    code: FailureCode
    answer: Answer
    may_have_arrived: bool = False


Outcome = Accepted | Transient | Rejected | Gone
