"""Flex JSON made into values that a template draws: known kinds, class names and checked addresses, nothing raw.

Sizes in pixels become the nearest named size. Colours become classes such as `ink-27408b`, for which `colour_sheet`
writes the rules: so a strict Content-Security-Policy needs no inline style. Absolute positions, videos and actions of
whole boxes are not drawn.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from app.sandbox.scales import SPACES, TEXT_SIZES, nearest

_COLOUR = re.compile(r"#(?P<hex>[0-9a-fA-F]{6}(?:[0-9a-fA-F]{2})?)")
_OPENS = re.compile(r"(https?|line|tel):", re.IGNORECASE)
_BLOCKS = ("header", "hero", "body", "footer")
_SIZES = ("nano", "micro", "deca", "hecto", "kilo", "mega", "giga")
_SIDES = ("All", "Top", "Bottom", "Start", "End")
_MOST_COLOURS = 200

Flex = dict[str, Any]


@dataclass(frozen=True)
class Piece:
    """One thing to draw. `kind`: box, text, span, button, image, separator or filler."""

    kind: str
    classes: str = ""
    text: str = ""
    href: str = ""
    pieces: tuple["Piece", ...] = ()


@dataclass(frozen=True)
class Bubble:
    """One Flex bubble: its blocks from top to bottom."""

    classes: str
    blocks: tuple[Piece, ...]


@dataclass(frozen=True)
class Drawn:
    """One message. `text`: a text message's words or a Flex message's altText. `kind` names what is not drawn."""

    kind: str
    text: str = ""
    bubbles: tuple[Bubble, ...] = field(default=())


def draw(message: Flex) -> Drawn:
    """What the page shows for a message that passed the checks."""
    kind = _text(message.get("type"))
    if kind == "text":
        return Drawn("text", _text(message.get("text")))
    if kind != "flex":
        return Drawn(kind)
    contents = message["contents"]
    bubbles = contents["contents"] if contents["type"] == "carousel" else [contents]
    return Drawn("flex", _text(message.get("altText")), tuple(_bubble(bubble) for bubble in bubbles))


def colours_of(messages: Iterable[object]) -> list[str]:
    """The colours found in these messages, as `colour_sheet` takes them; at most 200."""
    found = {match["hex"].lower() for message in messages for match in _COLOUR.finditer(str(message))}
    return sorted(found)[:_MOST_COLOURS]


def colour_sheet(colours: Iterable[str]) -> str:
    """The style rules of these colours; what is no colour is left out."""
    known = [colour for colour in colours if _COLOUR.fullmatch(f"#{colour}")][:_MOST_COLOURS]
    return "".join(
        f".bubble .ink-{colour}{{color:#{colour}}}\n.bubble .paper-{colour}{{background-color:#{colour}}}\n"
        f".bubble .edge-{colour}{{border-color:#{colour}}}\n"
        for colour in known
    )


def _bubble(bubble: Flex) -> Bubble:
    styles = _object(bubble.get("styles"))
    blocks = tuple(_block(name, bubble[name], _object(styles.get(name))) for name in _BLOCKS if name in bubble)
    return Bubble(_join("size-" + _one_of(bubble.get("size"), _SIZES, "mega")), blocks)


def _block(name: str, component: Flex, style: Flex) -> Piece:
    ruled = "ruled" if style.get("separator") is True else ""
    classes = _join("block", name, ruled, _colour("paper", style.get("backgroundColor")))
    return Piece("box", classes, pieces=(_piece(component),))


def _piece(component: Flex) -> Piece:
    kind = _text(component.get("type"))
    place = _join(_share(component), _space("margin", component.get("margin")), _gravity(component))
    if kind == "box":
        return _box(component, place)
    if kind in ("text", "span"):
        return _words(kind, component, place)
    if kind == "button":
        return _button(component, place)
    if kind == "separator":
        return Piece("separator", _join(place, _colour("edge", component.get("color"))))
    return Piece("filler" if kind == "filler" else "image", place, text=_text(component.get("url")))


def _box(box: Flex, place: str) -> Piece:
    layout = _one_of(box.get("layout"), ("vertical", "horizontal", "baseline"), "vertical")
    classes = _join(
        place,
        layout,
        _space("gap", box.get("spacing")),
        *(_space(f"pad-{side.lower()}", box.get(f"padding{side}")) for side in _SIDES),
        _space("corner", box.get("cornerRadius")),
        _colour("paper", box.get("backgroundColor")),
        _colour("edge", box.get("borderColor")),
        "edged" if box.get("borderWidth") not in (None, "none", "0px") else "",
        _choice("justify", box.get("justifyContent"), ("center", "flex-end", "space-between", "space-around")),
        _choice("items", box.get("alignItems"), ("center", "flex-end")),
    )
    return Piece("box", classes, pieces=tuple(_piece(component) for component in box["contents"]))


def _words(kind: str, text: Flex, place: str) -> Piece:
    classes = _join(
        place,
        "text-" + nearest(text.get("size"), TEXT_SIZES, "md") if kind == "text" or text.get("size") else "",
        _colour("ink", text.get("color")),
        "bold" if text.get("weight") == "bold" else "",
        "italic" if text.get("style") == "italic" else "",
        "wrap" if text.get("wrap") is True else "",
        _choice("line", text.get("decoration"), ("underline", "line-through")),
        _choice("align", text.get("align"), ("center", "end")),
    )
    spans = tuple(_piece(span) for span in _list(text.get("contents")) if isinstance(span, dict))
    return Piece(kind, classes, text=_text(text.get("text")), pieces=spans)


def _button(button: Flex, place: str) -> Piece:
    action = _object(button.get("action"))
    look = _one_of(button.get("style"), ("primary", "secondary", "link"), "link")
    colour = _colour("ink" if look == "link" else "paper", button.get("color"))
    height = _one_of(button.get("height"), ("sm", "md"), "md")
    href = _text(action.get("uri"))
    classes = _join("button", look, f"height-{height}", colour, place)
    return Piece("button", classes, text=_text(action.get("label")), href=href if _OPENS.match(href) else "")


def _share(component: Flex) -> str:
    share = component.get("flex")
    return f"flex-{min(max(share, 0), 10)}" if isinstance(share, int) else ""


def _gravity(component: Flex) -> str:
    return _choice("gravity", component.get("gravity"), ("center", "bottom"))


def _space(name: str, value: object) -> str:
    return f"{name}-{nearest(value, SPACES, 'md')}" if value is not None else ""


def _colour(use: str, value: object) -> str:
    match = _COLOUR.fullmatch(value) if isinstance(value, str) else None
    return f"{use}-{match['hex'].lower()}" if match else ""


def _choice(name: str, value: object, choices: tuple[str, ...]) -> str:
    return f"{name}-{value}" if value in choices else ""


def _one_of(value: object, choices: tuple[str, ...], otherwise: str) -> str:
    return value if isinstance(value, str) and value in choices else otherwise


def _join(*names: str) -> str:
    return " ".join(name for name in names if name)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _object(value: object) -> Flex:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
