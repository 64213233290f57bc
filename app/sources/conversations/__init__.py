"""What customers ask stores, and what accounts tell each other in private."""

from app.kinds import InboxKind
from app.sources.conversations.kinds import ToAskers, ToMembers, ToStore
from app.sources.conversations.people import forget

__all__ = ["KINDS", "forget"]

KINDS: tuple[InboxKind, ...] = (ToStore(), ToAskers(), ToMembers())
