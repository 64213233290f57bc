"""LINE's limits on messages, Flex messages above all.

Source: Messaging API reference, "Message objects", "Flex Message", "Action objects". Texts are counted in UTF-16
code units, button labels in grapheme clusters. Only texts and Flex messages are looked into.
"""

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

TYPES = (
    "text", "textV2", "sticker", "image", "video", "audio", "location", "imagemap", "template", "flex", "coupon",
)  # fmt: skip
LONGEST_TEXT = 5000
# 1500 in the documents of 2026, 400 in those of 2025: the smaller holds everywhere.
LONGEST_ALT_TEXT = 400
LONGEST_LABEL = 40
LONGEST_URI = 1000
LARGEST_BUBBLE = 30 * 1024
LARGEST_CAROUSEL = 50 * 1024
MOST_BUBBLES = 12

_BLOCKS = ("header", "hero", "body", "footer")
_COMPONENTS = ("box", "button", "image", "video", "icon", "text", "span", "separator", "filler")
_URI = re.compile(r"(https?|line|tel):[\x21-\x7e]+")
_IMAGE_URI = re.compile(r"https://[\x21-\x7e]+")


@dataclass(frozen=True)
class Fault:
    """One element of an error's `details`: what is wrong, and with which property."""

    message: str
    property: str


@dataclass(frozen=True)
class Faults:
    """`plain`: of the message's own properties. `inside`: of its Flex contents, with paths such as /body/contents/0."""

    plain: list[Fault] = field(default_factory=list)
    inside: list[Fault] = field(default_factory=list)


def faults_of(message: object, name: str) -> Faults:
    """Everything LINE would refuse of the message called `name`, such as messages[0]."""
    if not isinstance(message, dict):
        return Faults([Fault("Must be an object", name)])
    kind = message.get("type")
    if kind not in TYPES:
        return Faults([Fault(f"Must be one of the following values: [{', '.join(TYPES)}]", f"{name}.type")])
    if kind == "text":
        return Faults(_text(message.get("text"), f"{name}.text", LONGEST_TEXT))
    if kind != "flex":
        return Faults()
    contents = message.get("contents")
    plain = _text(message.get("altText"), f"{name}.altText", LONGEST_ALT_TEXT)
    if not isinstance(contents, dict):
        return Faults([*plain, Fault("May not be empty", f"{name}.contents")])
    return Faults(plain, list(_container(contents)))


def utf16_length(text: str) -> int:
    """The length LINE counts: most emoji are two."""
    return len(text.encode("utf-16-le")) // 2


def label_length(text: str) -> int:
    """Grapheme clusters, nearly: marks and joiners do not count, joined emoji count one by one (never too few)."""
    return sum(unicodedata.category(sign) not in ("Mn", "Me", "Cf") for sign in text)


def _text(text: object, name: str, longest: int) -> list[Fault]:
    if not isinstance(text, str) or not text:
        return [Fault("May not be empty", name)]
    if utf16_length(text) > longest:
        return [Fault(f"Length must be between 0 and {longest}", name)]
    return []


def _container(contents: dict[str, Any]) -> Iterator[Fault]:
    if contents.get("type") == "bubble":
        yield from _bubble(contents, "")
    elif contents.get("type") == "carousel":
        yield from _carousel(contents)
    else:
        yield Fault("must be one of bubble, carousel", "/type")


def _carousel(carousel: dict[str, Any]) -> Iterator[Fault]:
    bubbles = carousel.get("contents")
    if not isinstance(bubbles, list) or not 1 <= len(bubbles) <= MOST_BUBBLES:
        yield Fault(f"size must be between 1 and {MOST_BUBBLES}", "/contents")
        return
    if _size(carousel) > LARGEST_CAROUSEL:
        yield Fault(f"JSON must not be larger than {LARGEST_CAROUSEL // 1024} KB", "/")
    for n, bubble in enumerate(bubbles):
        if isinstance(bubble, dict) and bubble.get("type") == "bubble":
            yield from _bubble(bubble, f"/contents/{n}")
        else:
            yield Fault("must be a bubble", f"/contents/{n}")


def _bubble(bubble: dict[str, Any], path: str) -> Iterator[Fault]:
    blocks = [name for name in _BLOCKS if name in bubble]
    if not blocks:
        yield Fault("at least one block must be specified", path or "/")
    if _size(bubble) > LARGEST_BUBBLE:
        yield Fault(f"JSON must not be larger than {LARGEST_BUBBLE // 1024} KB", path or "/")
    for name in blocks:
        if name != "hero" and not (isinstance(bubble[name], dict) and bubble[name].get("type") == "box"):
            yield Fault("must be a box", f"{path}/{name}")
        else:
            yield from _component(bubble[name], f"{path}/{name}")
    yield from _action(bubble, path, label_required=False)


def _component(component: object, path: str) -> Iterator[Fault]:
    kind = component.get("type") if isinstance(component, dict) else None
    if not isinstance(component, dict) or kind not in _COMPONENTS:
        yield Fault(f"must be one of {', '.join(_COMPONENTS)}", f"{path}/type")
        return
    if kind == "box":
        yield from _box(component, path)
    elif kind in ("text", "span") and not component.get("contents"):
        if not isinstance(component.get("text"), str) or not component["text"]:
            yield Fault("must be non-empty text", f"{path}/text")
    elif kind in ("image", "icon") and not _fits(component.get("url"), _IMAGE_URI):
        yield Fault("invalid uri scheme" if component.get("url") else "must be specified", f"{path}/url")
    yield from _action(component, path, label_required=kind == "button")


def _box(box: dict[str, Any], path: str) -> Iterator[Fault]:
    if box.get("layout") not in ("vertical", "horizontal", "baseline"):
        yield Fault("must be one of vertical, horizontal, baseline", f"{path}/layout")
    if not isinstance(box.get("contents"), list):
        yield Fault("must be specified", f"{path}/contents")
        return
    for n, component in enumerate(box["contents"]):
        yield from _component(component, f"{path}/contents/{n}")


def _action(component: dict[str, Any], path: str, label_required: bool) -> Iterator[Fault]:
    action = component.get("action")
    if not isinstance(action, dict):
        if label_required or action is not None:
            yield Fault("must be specified", f"{path}/action")
        return
    label = action.get("label")
    if label_required and (not isinstance(label, str) or not label):
        yield Fault("must be non-empty text", f"{path}/action/label")
    elif isinstance(label, str) and label_length(label) > LONGEST_LABEL:
        yield Fault(f"must not be longer than {LONGEST_LABEL} characters", f"{path}/action/label")
    if action.get("type") == "uri":
        yield from _uri(action.get("uri"), f"{path}/action/uri")


def _uri(uri: object, path: str) -> Iterator[Fault]:
    if not isinstance(uri, str) or not uri:
        yield Fault("must be specified", path)
    elif len(uri) > LONGEST_URI:
        yield Fault(f"must not be longer than {LONGEST_URI} characters", path)
    elif not _URI.fullmatch(uri):
        yield Fault("invalid uri: http, https, line or tel, percent-encoded", path)


def _fits(value: object, pattern: re.Pattern[str]) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _size(found: object) -> int:
    return len(json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode())
