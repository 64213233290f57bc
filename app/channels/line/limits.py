"""LINE's published limits on messages, and the means to stay within them.

Source: Messaging API reference, "Flex Message", "URI action" and "Text character count"; texts are counted in UTF-16
code units.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from app.channels.messages import InvalidMessage

ALT_TEXT = 400
"""UTF-16 units. LINE allows 1500 since 2026 and allowed 400 before; the smaller holds everywhere."""
TEXT = 5000
"""UTF-16 units."""
LABEL = 40
"""LINE counts grapheme clusters. We count code points: a cluster has at least one, so this never allows more."""
URI = 1000
"""Characters, after percent-encoding."""
BUBBLE = 30_000
"""Bytes of JSON. LINE says 30 KB without saying which KB; this is the smaller."""
SCHEMES = frozenset({"http", "https", "line", "tel"})

_NOT_AN_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_RESERVED = ":/?#[]@!$&'()*+,;=%"


def utf16_length(words: str) -> int:
    """The length in UTF-16 code units: an emoji counts two."""
    return len(words) + sum(character > "\uffff" for character in words)


def cut(words: str, units: int) -> str:
    """The words in at most so many UTF-16 units, ended by … when cut; no character is split."""
    if utf16_length(words) <= units:
        return words
    kept, left = [], units - 1
    for character in words:
        left -= utf16_length(character)
        if left < 0:
            break
        kept.append(character)
    return "".join(kept) + "…"


def percent_encoded(uri: str) -> str:
    """The URI with everything outside ASCII, and all that a URI may not hold, as %XX; escapes in it are kept."""
    return quote(_NOT_AN_ESCAPE.sub("%25", uri), safe=_RESERVED)


def check(alt_text: str, contents: Mapping[str, Any]) -> None:
    """Raise InvalidMessage for the first property that LINE would refuse."""
    _check_text("altText", alt_text, ALT_TEXT)
    if contents.get("type") != "bubble":
        raise InvalidMessage("contents", "must be a bubble")
    for name, part in _parts("contents", contents):
        if part.get("type") == "text":
            _check_text(f"{name}.text", part.get("text"), TEXT)
        if part.get("type") == "button":
            _check_label(f"{name}.action.label", part.get("action", {}).get("label"))
        if part.get("type") == "uri":
            _check_uri(f"{name}.uri", part.get("uri"))
    compact = json.dumps(contents, ensure_ascii=False, separators=(",", ":"))
    if len(compact.encode(errors="replace")) > BUBBLE:
        raise InvalidMessage("contents", f"at most {BUBBLE} bytes of JSON")


def _parts(name: str, node: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if isinstance(node, Mapping):
        yield name, node
        for key, child in node.items():
            yield from _parts(f"{name}.{key}", child)
    elif isinstance(node, list):
        for index, child in enumerate(node):
            yield from _parts(f"{name}[{index}]", child)


def _check_text(name: str, words: Any, most: int) -> None:
    if not isinstance(words, str) or not words.strip():
        raise InvalidMessage(name, "must not be empty")
    if utf16_length(words) > most:
        raise InvalidMessage(name, f"at most {most} UTF-16 units")


def _check_label(name: str, label: Any) -> None:
    if not isinstance(label, str) or not 1 <= len(label.strip()) <= len(label) <= LABEL:
        raise InvalidMessage(name, f"1 to {LABEL} characters")


def _check_uri(name: str, uri: Any) -> None:
    if not isinstance(uri, str) or not 1 <= len(uri) <= URI:
        raise InvalidMessage(name, f"1 to {URI} characters after percent-encoding")
    if uri != percent_encoded(uri):
        raise InvalidMessage(name, "must be percent-encoded")
    if _scheme(uri) not in SCHEMES:
        raise InvalidMessage(name, "must begin with http, https, line or tel")


def _scheme(uri: str) -> str:
    try:
        parts = urlsplit(uri)
    except ValueError:  # an unfinished [ of an IPv6 address
        return ""
    return parts.scheme if parts.scheme not in ("http", "https") or parts.netloc else ""
