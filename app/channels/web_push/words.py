"""What a push service said, made fit to be kept: cut, without endpoint, keys and tokens."""

import re
from typing import Any

from app.channels import words
from app.channels.web_push.subscription import Subscription
from app.channels.words import REMOVED, document_of

# An address, a JWT, or any run too long to be a word: a service may quote the endpoint in part.
_SECRET = re.compile(r"[a-z]+://\S+|vapid\s+t=\S+|eyJ[\w.-]+|[\w:%=+/-]{32,}", re.IGNORECASE | re.ASCII)
_WNS_WORDS = ("X-WNS-Error-Description", "X-WNS-NotificationStatus", "X-WNS-Status")


def detail_of(body: bytes, headers: Any, reason: str, subscription: Subscription) -> str | None:
    """The service's words: Mozilla's `message`, Apple's `reason`, Google's `error`, Windows's headers, or the text."""
    document = document_of(body)
    text = _spoken(document) if isinstance(document, dict) else body.decode(errors="replace")
    told = [*(headers.get(name, "") for name in _WNS_WORDS), text]
    said = "; ".join(part for part in told if part.strip()) or reason
    return words.cleaned(said, lambda shown: _without(shown, subscription))


def _without(shown: str, subscription: Subscription) -> str:
    known = [subscription.endpoint, subscription.p256dh, subscription.auth, *_pieces(subscription.endpoint)]
    for secret in sorted(known, key=len, reverse=True):
        shown = shown.replace(secret, REMOVED)
    return _SECRET.sub(REMOVED, shown)


def _pieces(endpoint: str) -> list[str]:
    path = endpoint.split("/", 3)[3]
    return [path, *(piece for piece in re.split(r"[/?&=:]", path) if len(piece) >= 8)]


def _spoken(document: dict[str, Any]) -> str:
    error = document.get("error")
    inner = error if isinstance(error, dict) else {}
    told = [document.get("errno"), document.get("reason"), document.get("message"), inner.get("message")]
    if not isinstance(error, dict):
        told.append(error)
    return "; ".join(str(part) for part in told if isinstance(part, str | int) and str(part))
