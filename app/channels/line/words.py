"""What LINE said, made fit to be kept: cut, without secrets, ids and control characters."""

import json
import re
import unicodedata
from typing import Any

DETAIL = 300
REQUEST_ID = 100

_SECRET = re.compile(r"Bearer\s+\S+|[UCR][0-9a-f]{32}", re.IGNORECASE)
_REMOVED = "[removed]"


def message_of(body: bytes) -> str:
    """LINE's `message`, by which alone some answers can be told apart; empty when there is none."""
    document = _document(body)
    return _string(document.get("message")) if isinstance(document, dict) else ""


def detail_of(body: bytes, token: str) -> str | None:
    """LINE's message and the properties it complains of; of a body that is not LINE's, its beginning."""
    document = _document(body)
    words = _spoken(document) if isinstance(document, dict) else body.decode(errors="replace")
    return cleaned(words, token, DETAIL)


def cleaned(words: str, token: str, length: int) -> str | None:
    """The words without control characters, then without secrets, then cut; None when nothing is left."""
    shown = "".join(" " if unicodedata.category(character).startswith("C") else character for character in words)
    safe = _SECRET.sub(_REMOVED, shown.replace(token, _REMOVED))
    return " ".join(safe.split())[:length] or None


def _document(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):  # the latter for a body of nothing but brackets
        return None


def _spoken(document: dict[str, Any]) -> str:
    details = document.get("details")
    faults = [fault for fault in details if isinstance(fault, dict)] if isinstance(details, list) else []
    told = [
        ": ".join(filter(None, (_string(fault.get("property")), _string(fault.get("message"))))) for fault in faults
    ]
    return "; ".join(filter(None, (_string(document.get("message")), *told)))


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""
