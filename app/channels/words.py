"""What a provider said, made fit to be kept: cut, without secrets and control characters."""

import json
import unicodedata
from collections.abc import Callable
from typing import Any

DETAIL = 300
REMOVED = "[removed]"


def cleaned(words: str, without_secrets: Callable[[str], str], length: int = DETAIL) -> str | None:
    """The words without control characters, then without secrets, then cut; None when nothing is left."""
    shown = "".join(" " if unicodedata.category(character).startswith("C") else character for character in words)
    return " ".join(without_secrets(shown).split())[:length] or None


def document_of(body: bytes) -> Any:
    """The JSON of an answer; None when it is none."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):  # the latter for a body of nothing but brackets
        return None
