"""What somebody saw before they pressed: whatever has changed since is shown to them again, and not acted on unseen."""

import re
from hashlib import sha256

_MARK = re.compile(r"[0-9]{1,9}-[0-9a-f]{8}")


class ChangedMeanwhile(Exception):  # noqa: N818  # it names what happened
    """Something has changed since it was looked at; nothing was stored."""


def digest(shown: object) -> str:
    """A name for plain values as they are now, lists and dataclasses of them included: other values, another name."""
    return sha256(repr(shown).encode()).hexdigest()


def mark_of(version: int, note: str) -> str:
    """A short word for a shift as it is seen: the version says all but the note."""
    return f"{version}-{digest(note)[:8]}"


def is_mark(word: str) -> bool:
    """Whether this could be such a word."""
    return _MARK.fullmatch(word) is not None
