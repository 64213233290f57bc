"""What LINE checks of a push request before it looks at the messages; its answers in LINE's words and shape.

Source: Messaging API reference, "Send push message", "Retry-Key", "Error responses". Where LINE does not publish its
words (a bad retry key) these are our own.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

from flask import Request
from werkzeug.exceptions import RequestEntityTooLarge

from app.config import SANDBOX_TOKEN
from app.sandbox.answers import BAD_TOKEN
from app.sandbox.messages import Fault, faults_of

LARGEST_REQUEST = 2 * 1024 * 1024
_RECIPIENT = re.compile(r"[UCR][0-9a-f]{32}")
_RETRY_KEY = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_MOST_MESSAGES = 5
# Far beyond any Flex message, far below the depth at which Python's own JSON writer gives up.
_DEEPEST_JSON = 100


@dataclass(frozen=True)
class Push:
    """A push request in good order. `retry_key` is in lower case; without one a repeat is a new message."""

    recipient: str
    messages: tuple[dict[str, Any], ...]
    retry_key: str | None


class Refused(Exception):  # noqa: N818  # an answer, not a mishap
    """The request is wrong: the status and the JSON that LINE would answer."""

    def __init__(self, status: int, message: str, details: list[Fault] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.body: dict[str, Any] = {"message": message}
        if details:
            self.body["details"] = [{"message": fault.message, "property": fault.property} for fault in details]


def read_push(request: Request) -> Push:
    """The push that was asked for. Raises Refused."""
    check_token(request)
    retry_key = _retry_key(request)
    body = _json_object(request)
    return Push(_recipient(body.get("to")), _messages(body.get("messages")), retry_key)


def check_token(request: Request) -> None:
    """Raises Refused unless the request carries the sandbox's bearer token."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or token.strip() != SANDBOX_TOKEN:
        raise Refused(401, BAD_TOKEN)


def check_no_retry_key(request: Request) -> None:
    """Raises Refused when the request carries a retry key: LINE takes one only where messages are sent."""
    if "X-Line-Retry-Key" in request.headers:
        raise Refused(400, "The retry key is not supported on this endpoint")


def _retry_key(request: Request) -> str | None:
    key = request.headers.get("X-Line-Retry-Key")
    if key is None:
        return None
    if not _RETRY_KEY.fullmatch(key):
        raise Refused(400, "The retry key is invalid: it must be a UUID")
    return key.lower()


def _json_object(request: Request) -> dict[str, Any]:
    if request.mimetype != "application/json":
        raise Refused(415, f"The content type, {request.mimetype or 'null'}, is not supported")
    data = request.get_data()
    if len(data) > LARGEST_REQUEST:
        raise RequestEntityTooLarge
    try:
        found = json.loads(data.decode(), parse_constant=_no_number)
        _check_depth(found)
        # JSON can spell half of a surrogate pair, which no later encoding survives.
        json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as fault:
        place = f"line: {fault.lineno}, column: {fault.colno}" if isinstance(fault, json.JSONDecodeError) else "-"
        raise Refused(400, f"The request body could not be parsed as JSON ({place})") from None
    if not isinstance(found, dict):
        raise Refused(400, "The request body could not be parsed as JSON (line: 1, column: 1)")
    return found


def _no_number(name: str) -> None:
    raise ValueError(name)


def _check_depth(found: object) -> None:
    level = [found]
    for _ in range(_DEEPEST_JSON):
        level = [child for parent in level for child in _children(parent)]
        if not level:
            return
    raise ValueError("nested too deep")


def _children(parent: object) -> list[Any]:
    if isinstance(parent, dict):
        return list(parent.values())
    return parent if isinstance(parent, list) else []


def _recipient(found: object) -> str:
    if not isinstance(found, str) or not _RECIPIENT.fullmatch(found):
        raise Refused(400, "The property, 'to', in the request body is invalid (line: -, column: -)")
    return found


def _messages(found: object) -> tuple[dict[str, Any], ...]:
    if not isinstance(found, list) or not 1 <= len(found) <= _MOST_MESSAGES:
        raise _with_details([Fault(f"Size must be between 1 and {_MOST_MESSAGES}", "messages")])
    faults = [faults_of(message, f"messages[{n}]") for n, message in enumerate(found)]
    plain = [fault for each in faults for fault in each.plain]
    if plain:
        raise _with_details(plain)
    for n, each in enumerate(faults):
        if each.inside:
            raise Refused(400, f"A message (messages[{n}]) in the request body is invalid", each.inside)
    return tuple(found)


def _with_details(faults: list[Fault]) -> Refused:
    return Refused(400, f"The request body has {len(faults)} error(s)", faults)
