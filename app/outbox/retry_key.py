"""How long LINE remembers a retry key, and what that allows (LINE guide "Retry an API request")."""

from datetime import datetime, timedelta
from enum import StrEnum

from app.kinds import REQUEST_BOUND

LIFETIME = timedelta(hours=24)
"""Counted from the first request. After it the same key is a new request, and the person gets a second copy."""


class Key(StrEnum):
    """What a try goes out with."""

    SAME = "same"
    NEW = "new"
    """LINE has forgotten the one before, or nothing of that arrived."""
    FIRST = "first"
    """No request was made so far."""
    NONE = "none"
    """The channel knows no keys."""


def key_ends_at(first_used_at: datetime) -> datetime:
    """When LINE forgets the key."""
    return first_used_at + LIFETIME


def key_usable(first_used_at: datetime | None, at: datetime) -> bool:
    """Whether a request begun at `at` is over before LINE forgets the key. A key never used is usable."""
    return first_used_at is None or first_used_at > oldest_usable(at)


def oldest_usable(at: datetime) -> datetime:
    """A key first used at this instant or before is too old for a request begun at `at`."""
    return at + REQUEST_BOUND - LIFETIME
