"""The microdata of a page (HTML, section 5): what its elements say by itemscope, itemprop and itemref."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from app.sources.prices.shops.things import Thing

_CONTENT = {"meta": "content", "link": "href", "a": "href", "img": "src", "data": "value", "meter": "value",
            "time": "datetime"}  # fmt: skip
"""Where the value of an element is that is not its text (5.2.4)."""
_MOST_NODES = 100_000
"""Looked at in one page, some of them more than once: 0.3 s."""
_LONGEST_TEXT = 1000
_BREAK = "\x1f"
_BETWEEN_DIGITS = re.compile(rf"(?<=\d)\s*{_BREAK}\s*(?=\d)")


class _TooMuchError(Exception):
    """More nodes than any page of a shop has, or references that lead in a circle."""


class _Steps:
    """How many nodes may still be looked at."""

    def __init__(self) -> None:
        self._left = _MOST_NODES

    def over(self, nodes: Iterable[LexborNode]) -> Iterator[LexborNode]:
        """One by one. Raises _TooMuchError."""
        for node in nodes:
            self._left -= 1
            if self._left < 0:
                raise _TooMuchError
            yield node


def microdata(page: LexborHTMLParser) -> list[Thing]:
    """The things that stand on their own, each with all its parts; none where there is too much to look through."""
    try:
        return _tops(page, _Steps())
    except _TooMuchError:
        return []


def _tops(page: LexborHTMLParser, steps: _Steps) -> list[Thing]:
    found: list[Thing] = []
    elsewhere = _by_id(page)
    waiting: list[tuple[LexborNode, Thing | None]] = [(page.root, None)] if page.root else []
    while waiting:
        node, scope = waiting.pop()
        has = node.attributes
        names = dict.fromkeys((has.get("itemprop") or "").split())
        inner: Thing | None = {"@type": (has.get("itemtype") or "").split()} if "itemscope" in has else None
        if inner is not None and not names:
            found.append(inner)
        if scope is not None and names:
            value = _value(node, steps) if inner is None else inner
            for name in names:
                _add(scope, name, value)
        parts = list(steps.over(node.iter()))
        if inner is not None:
            parts += [elsewhere[one] for one in (has.get("itemref") or "").split() if one in elsewhere]
        waiting += [(part, scope if inner is None else inner) for part in reversed(parts)]
    return found


def _by_id(page: LexborHTMLParser) -> dict[str, LexborNode]:
    if page.css_first("[itemref]") is None:
        return {}
    return {node.attributes["id"] or "": node for node in reversed(page.css("[id]"))}


def _add(thing: Thing, name: str, value: Any) -> None:
    if name not in thing:
        thing[name] = value
    elif isinstance(thing[name], list):
        thing[name].append(value)
    else:
        thing[name] = [thing[name], value]


def _value(node: LexborNode, steps: _Steps) -> str:
    has = node.attributes
    attribute = "content" if "content" in has else _CONTENT.get(node.tag or "")
    return (has.get(attribute) or "").strip() if attribute is not None else _text(node, steps)


def _text(node: LexborNode, steps: _Steps) -> str:
    """Its text, if that is short enough to be a name or a price. Digits of two elements are kept apart: the smaller
    ones in $12<sup>50</sup> are cents."""
    pieces, length = [], 0
    for one in steps.over(node.traverse(include_text=True)):
        if one.tag == "-text":
            pieces.append(one.text_content or "")
            length += len(pieces[-1])
            if length > _LONGEST_TEXT:
                return ""
    return _BETWEEN_DIGITS.sub("\n", _BREAK.join(pieces)).replace(_BREAK, "").strip()
