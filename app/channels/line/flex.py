"""Flex messages: the one type of message that Todoke speaks on LINE, and the parts to build one from."""

from dataclasses import dataclass
from typing import Any

from app.channels.line.limits import percent_encoded

Part = dict[str, Any]


@dataclass(frozen=True, slots=True)
class FlexMessage:
    """`alt_text` is what the list of chats and the lock screen show; `contents` is the bubble."""

    alt_text: str
    contents: Part


def bubble(body: Part, footer: Part | None = None) -> Part:
    """One card."""
    return {"type": "bubble", "body": body} | ({} if footer is None else {"footer": footer})


def box(*contents: Part, layout: str = "vertical", spacing: str = "md") -> Part:
    """Parts under each other, or side by side in a `baseline` or `horizontal` layout."""
    return {"type": "box", "layout": layout, "spacing": spacing, "contents": list(contents)}


def text(words: str, **look: str | int) -> Part:
    """A text that wraps. `look` holds LINE's own properties: size, weight, color, flex."""
    return {"type": "text", "text": words, "wrap": True, **look}


def separator() -> Part:
    """A thin line."""
    return {"type": "separator"}


def button(label: str, uri: str) -> Part:
    """A button that opens an address, which is percent-encoded here."""
    action = {"type": "uri", "label": label, "uri": percent_encoded(uri)}
    return {"type": "button", "style": "primary", "action": action}
