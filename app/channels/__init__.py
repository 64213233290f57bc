"""HOW TO SPEAK: the channels, and the registry by which the engine knows them."""

from typing import Protocol

from app.channels.outcome import Outcome
from app.kinds import Message


class Channel(Protocol):
    """One way out of the house. Knows no database and no source.

    `keyed`: the provider refuses a second copy by a retry key (LINE), so the first request is frozen and repeated.
    """

    name: str
    keyed: bool

    def compose(self, target: str, message: Message) -> bytes:
        """The request body for this address and message; the same input gives the same bytes."""

    def target_of(self, request: bytes) -> str:
        """The provider's address that a composed request goes to."""

    def send(self, request: bytes, retry_key: str | None) -> Outcome:
        """Make the request; takes at most `kinds.REQUEST_BOUND`. Never raises for what a provider or network does."""


CHANNELS: dict[str, Channel] = {}
