"""What the scripted LINE may do with one request."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any


class Ending(Enum):
    """How a request is left, after it was accepted or not."""

    REPLY = auto()
    SILENCE = auto()  # until the client gives up or the fake stops
    CUT = auto()
    DRIP_HEADERS = auto()
    DRIP_BODY = auto()


@dataclass(frozen=True)
class Answer:
    """First perhaps wait to be released, and `delay` seconds; then perhaps accept, then end.

    Without a status: 200, or 409 for a known key. Only the push service knows delays.
    """

    name: str
    accepts: bool = False
    gated: bool = False
    delay: float = 0
    ending: Ending = Ending.REPLY
    status: int | None = None
    body: bytes = b"{}"
    headers: Mapping[str, str] = field(default_factory=dict)


def reply(status: int, body: dict[str, Any] | bytes = b"{}", *, name: str = "", **headers: str) -> Answer:
    """Answer so, without accepting. A header is given as `retry_after="120"`."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    return Answer(name or f"reply {status}", status=status, body=content, headers=named)


def saying(name: str, status: int, message: str, **more: Any) -> Answer:
    """Answer with LINE's usual body, without accepting."""
    return reply(status, {"message": message, **more}, name=name)


ACCEPT = Answer("accept", accepts=True)
HOLD = Answer("hold", accepts=True, gated=True)
FAIL_500 = saying("fail 500", 500, "Internal server error")
ACCEPT_THEN_500 = Answer("accept then 500", accepts=True, status=500, body=b'{"message":"Internal server error"}')
TIMEOUT = Answer("timeout", ending=Ending.SILENCE)
ACCEPT_THEN_TIMEOUT = Answer("accept then timeout", accepts=True, ending=Ending.SILENCE)
CUT = Answer("cut", ending=Ending.CUT)
ACCEPT_THEN_CUT = Answer("accept then cut", accepts=True, ending=Ending.CUT)
DRIP_HEADERS = Answer("drip headers", accepts=True, ending=Ending.DRIP_HEADERS)
DRIP_BODY = Answer("drip body", accepts=True, ending=Ending.DRIP_BODY)
REDIRECT = reply(302, name="redirect", location="/elsewhere")
CONFLICT_WITHOUT_ID = saying("conflict without id", 409, "The retry key is already accepted")
RATE_LIMITED = saying("rate limited", 429, "The API rate limit has been exceeded. Try again later.")
QUOTA_EXCEEDED = saying("quota exceeded", 429, "You have reached your monthly limit.")
BAD_REQUEST = saying(
    "bad request",
    400,
    "The request body has 1 error(s)",
    details=[{"message": "May not be empty", "property": "messages[0].altText"}],
)
UNAUTHORIZED = saying("unauthorized", 401, "Authentication failed due to the following reason: invalid token.")
FORBIDDEN = saying("forbidden", 403, "Access to this API is not available for your account")
NOT_FOUND = saying("not found", 404, "Not found")
