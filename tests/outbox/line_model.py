"""LINE as the ledger must reckon with it: it knows a retry key for 24 hours, and what it delivered."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from app.channels.outcome import Accepted, Answer, Outcome, Rejected, Transient
from app.clock import now
from app.codes import FailureCode
from app.kinds import Message

MEMORY = timedelta(hours=24)


class Fate(StrEnum):
    """What becomes of one request."""

    ACCEPT = "accept"
    ACCEPT_UNHEARD = "accept, but the answer is lost"
    BREAK = "500, not accepted"
    CONFLICT = "409 without the accepted id"
    REFUSE = "400"
    UNREACHABLE = "never connected"


@dataclass(frozen=True)
class Words:
    """A message, as far as this LINE is concerned."""

    text: str


@dataclass
class LineModel:
    """A channel for `choose`, and the one who counts what really arrived."""

    name: str = "line"
    keyed: bool = True
    copies: Counter[int] = field(default_factory=Counter)
    """How often each delivery reached its person."""
    copies_by_key: Counter[str] = field(default_factory=Counter)
    _accepted_at: dict[str, datetime] = field(default_factory=dict)
    _first_request: dict[str, bytes] = field(default_factory=dict)

    def compose(self, target: str, message: Message) -> bytes:
        """Address and text."""
        assert isinstance(message, Words)
        return f"{target}|{message.text}".encode()

    def target_of(self, request: bytes) -> str:
        """The address."""
        return request.decode().split("|")[0]

    def send(self, request: bytes, retry_key: str | None) -> Outcome:
        """Every request goes through `receive`."""
        raise NotImplementedError

    def receive(self, delivery_id: int, request: bytes, key: str, fate: Fate) -> Outcome:
        """One request arrives, or fails to."""
        if fate is Fate.UNREACHABLE:
            return Transient(FailureCode.LINE_UNREACHABLE, Answer(), may_have_arrived=False)
        assert self._first_request.setdefault(key, request) == request, "other bytes under the same retry key"
        match fate:
            case Fate.BREAK:
                return Transient(FailureCode.LINE_SERVER_ERROR, Answer(500), may_have_arrived=True)
            case Fate.CONFLICT:
                return Rejected(FailureCode.LINE_CONFLICT, Answer(409), may_have_arrived=True)
            case Fate.REFUSE:
                return Rejected(FailureCode.LINE_BAD_REQUEST, Answer(400))
        already = self.remembers(key)
        if not already:
            self._accepted_at[key] = now()
            self.copies[delivery_id] += 1
            self.copies_by_key[key] += 1
        if fate is Fate.ACCEPT_UNHEARD:
            return Transient(FailureCode.LINE_TIMEOUT, Answer(), may_have_arrived=True)
        return Accepted(Answer(409 if already else 200), accepted_id=f"r-{key}", already=already)

    def remembers(self, key: str) -> bool:
        """Whether a request with this key would be refused as a second copy."""
        return key in self._accepted_at and now() < self._accepted_at[key] + MEMORY

    def has_forgotten(self, key: str) -> bool:
        """Whether it once delivered this key and would now deliver it again."""
        return key in self._accepted_at and not self.remembers(key)
