"""What LINE said, made fit to be kept: cut, without secrets, ids and control characters."""

import re
from typing import Any

from app.channels import words
from app.channels.words import REMOVED, document_of

REQUEST_ID = 100

_SECRET = re.compile(r"Bearer\s+\S+|[UCR][0-9a-f]{32}|(?<![a-z0-9_-])[a-z0-9_-]{43}(?![a-z0-9_-])", re.IGNORECASE)
"""The last: what opens one of our own addresses (`tokens.py`), should a request be quoted to us."""


def message_of(body: bytes) -> str:
    """LINE's `message`, by which alone some answers can be told apart; empty when there is none."""
    document = document_of(body)
    return _string(document.get("message")) if isinstance(document, dict) else ""


def detail_of(body: bytes, token: str) -> str | None:
    """LINE's message and the properties it complains of; of a body that is not LINE's, its beginning."""
    document = document_of(body)
    return cleaned(_spoken(document) if isinstance(document, dict) else body.decode(errors="replace"), token)


def cleaned(said: str, token: str, length: int = words.DETAIL) -> str | None:
    """What was said, without control characters, secrets and ids, cut; None when nothing is left."""
    return words.cleaned(said, lambda shown: _SECRET.sub(REMOVED, shown.replace(token, REMOVED)), length)


def _spoken(document: dict[str, Any]) -> str:
    details = document.get("details")
    faults = [fault for fault in details if isinstance(fault, dict)] if isinstance(details, list) else []
    told = [
        ": ".join(filter(None, (_string(fault.get("property")), _string(fault.get("message"))))) for fault in faults
    ]
    return "; ".join(filter(None, (_string(document.get("message")), *told)))


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""
