"""What the service worker gets: JSON that fits every push service.

A push service takes 3,993 bytes before encryption (RFC 8030 7.2, RFC 8291 4). The bridge to Firefox on Android takes
about 2.7 kB, encryption included, so that is what everything has to fit into.
"""

import json
import re
from datetime import timedelta

from app.channels.messages import InvalidMessage
from app.channels.web_push.message import PushMessage

LARGEST = 3993
"""Bytes that any push service takes."""
SAFE = 2500
"""Bytes that we send at most: 103 more after encryption."""
TITLE = 300
"""Bytes of the title; the rest is for the body."""
PATH = 500
LONGEST_TTL = timedelta(days=30)
"""Mozilla and Apple keep nothing longer."""

# Two slashes, or a slash and what browsers take for one, would lead to another site.
_PATH = re.compile(r"/(?![/\\])[^\x00-\x20\x7f\\]*")


def payload_of(message: PushMessage) -> str:
    """`{"title", "body", "path", "tag", "lang", "id"}`; `id` is the notification's, null for a test.

    Title and body are shortened with … on a whole character. Raises InvalidMessage for what cannot be said.
    """
    _check(message)
    said = {
        "title": shortened(message.title, TITLE),
        "body": "",
        "path": message.path,
        "tag": message.tag,
        "lang": message.language,
        "id": message.notification_id,
    }
    return _json(said | {"body": shortened(message.body, SAFE - len(_json(said).encode()))})


def shortened(words: str, most: int) -> str:
    """The words in at most so many bytes of JSON, ended by … when shortened."""
    if _bytes(words) <= most:
        return words
    kept, left = [], most - _bytes("…")
    for character in words:
        left -= _bytes(character)
        if left < 0:
            break
        kept.append(character)
    return "".join(kept).rstrip() + "…"


def _check(message: PushMessage) -> None:
    for name in ("title", "body", "path", "language"):
        try:
            getattr(message, name).encode()
        except UnicodeEncodeError:
            raise InvalidMessage(name, "must be Unicode text without lone surrogates") from None
    if not message.title.strip():
        raise InvalidMessage("title", "must not be empty")
    if not _PATH.fullmatch(message.path) or _bytes(message.path) > PATH:
        raise InvalidMessage("path", f"must be a path of this site, such as /inbox, of at most {PATH} bytes")
    if not re.fullmatch("[A-Za-z-]{2,20}", message.language):
        raise InvalidMessage("language", "must be a language such as ja")
    if not timedelta(0) <= message.ttl <= LONGEST_TTL:
        raise InvalidMessage("ttl", f"must be 0 to {LONGEST_TTL.days} days")


def _bytes(words: str) -> int:
    return len(_json(words).encode()) - 2


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
