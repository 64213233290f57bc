"""What LINE refuses before anything else: a wrong token, a key that is no UUID, a body that is no push."""

import json
import re
from uuid import UUID

from tests.fakes.line_answers import NOT_FOUND, UNAUTHORIZED, Answer, saying
from tests.fakes.line_server import Request

PUSH = "/v2/bot/message/push"

NO_UUID = saying("no uuid", 400, "The value of X-Line-Retry-Key is not a UUID")
NO_JSON = saying("no json", 400, "The request body could not be parsed as JSON")
NO_ADDRESS = saying("no address", 400, "The property, 'to', in the request body is invalid")
NO_MESSAGES = saying("no messages", 400, "The property, 'messages', in the request body is invalid")


def refusal_of(request: Request, token: str) -> Answer | None:
    """Why LINE would refuse the request, None if it would not."""
    if (request.method, request.path) != ("POST", PUSH):
        return NOT_FOUND
    if request.headers.get("Authorization") != f"Bearer {token}":
        return UNAUTHORIZED
    if not _is_uuid(request.headers.get("X-Line-Retry-Key", str(UUID(int=0)))):
        return NO_UUID
    return _refusal_of_body(request.body)


def recipient_of(body: bytes) -> str | None:
    """Whom a body is for, as far as it says."""
    try:
        to = json.loads(body)["to"]
    except (ValueError, TypeError, KeyError):
        return None
    return to if isinstance(to, str) else None


def _refusal_of_body(body: bytes) -> Answer | None:
    try:
        document = json.loads(body)
    except ValueError:
        return NO_JSON
    if not re.fullmatch("[UCR][0-9a-f]{32}", recipient_of(body) or ""):
        return NO_ADDRESS
    messages = document.get("messages")
    return None if isinstance(messages, list) and 1 <= len(messages) <= 5 else NO_MESSAGES


def _is_uuid(key: str) -> bool:
    try:
        return str(UUID(key)) == key.lower()
    except ValueError:
        return False
