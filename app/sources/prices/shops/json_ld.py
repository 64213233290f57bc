"""The JSON-LD of a page, as shops write it: in comments, with raw line ends, some of it broken."""

import json
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from app.sources.prices.shops.things import Thing, is_named

_AROUND = " \t\r\n\f/*;"
"""Whitespace, and the signs by which JavaScript would pass over the wrappings below."""
_WRAPPINGS = (("<!--", "-->"), ("<![CDATA[", "]]>"))
_MOST_PARTS = 5
"""That say something of the same name. With more of them, following each mention of it would take for ever."""


def json_ld(page: LexborHTMLParser) -> list[Any]:
    """What each of its scripts says; without those that are no JSON."""
    return [said for script in page.css('script[type^="application/ld+json" i]') for said in _parsed(script.text())]


def tops(said: list[Any]) -> Iterator[Thing]:
    """The things that stand on their own: not those that are said in passing of others."""
    return _reached(said, lambda thing: [thing.get("@graph")])


def named(said: list[Any]) -> dict[str, list[Thing]]:
    """Those that have a name by which others may mean them, at any depth."""
    found: dict[str, list[Thing]] = {}
    for one in _reached(said, lambda thing: thing.values()):
        if is_named(one):
            found.setdefault(one["@id"], []).append(one)
    return {name: parts for name, parts in found.items() if len(parts) <= _MOST_PARTS}


def _reached(said: list[Any], within: Callable[[Thing], Iterable[Any]]) -> Iterator[Thing]:
    """Every thing, and those that each has within it. Without recursion: a page may lay them as deep as it likes."""
    waiting = said[::-1]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting.extend(reversed(one))
        elif isinstance(one, dict):
            yield one
            waiting.extend(within(one))


def _parsed(written: str) -> Iterator[Any]:
    try:
        # Not strict: shops write raw line ends into their texts. Numbers stay as they are written.
        yield json.loads(_unwrapped(written), strict=False, parse_float=Decimal, parse_int=Decimal)
    except (ValueError, ArithmeticError, RecursionError):
        return


def _unwrapped(written: str) -> str:
    for opening, closing in _WRAPPINGS:
        written = written.strip(_AROUND).removeprefix(opening).removesuffix(closing)
    return written.strip(_AROUND)
