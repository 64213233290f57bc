"""The `Retry-After` header, which every provider may send."""

import re
from collections.abc import Mapping
from datetime import UTC, timedelta
from email.utils import parsedate_to_datetime

from app.clock import now


def retry_after(headers: Mapping[str, str]) -> timedelta | None:
    """How long to wait by the `Retry-After` header, in seconds or as a date (RFC 9110 10.2.3); None if it is unfit."""
    value = headers.get("Retry-After", "").strip()
    if re.fullmatch("[0-9]{1,9}", value):
        return timedelta(seconds=int(value))
    try:
        at = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    wait = (at if at.tzinfo else at.replace(tzinfo=UTC)) - now()
    return wait if wait > timedelta(0) else None
