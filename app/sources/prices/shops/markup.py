"""The schema.org data of a page: what its JSON-LD and its microdata say, as plain dictionaries alike.

selectolax parses (lexbor: an HTML5 parser in C, 0.4 s for 2 MB of it, nothing else to install). extruct would do the
rest, too; its last release is two years old, and it brings rdflib, lxml and 27 MB for the two syntaxes of its six.
"""

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w-]{2,30})", re.IGNORECASE)
_IN_HEADER = re.compile(r"charset\s*=\s*\"?([\w-]{2,30})", re.IGNORECASE)
_CONTENT = {"meta": "content", "link": "href", "a": "href", "img": "src", "data": "value", "meter": "value",
            "time": "datetime"}  # fmt: skip
"""Where microdata has the value of an element that is not its text (HTML 5.2.4)."""
_MOST_THINGS = 2000
_DEEPEST = 30

Thing = dict[str, Any]


def things(body: bytes, content_type: str) -> list[Thing]:
    """Everything that the page describes, at any depth; `@type` is a list of plain names such as `Product`."""
    page = LexborHTMLParser(decoded(body, content_type))
    found = [*_json_ld(page), *_microdata(page)]
    return [one for root in found for one in _within(root, 0)][:_MOST_THINGS]


def types_of(thing: Thing) -> set[str]:
    """`Product` for `https://schema.org/Product`, `schema:Product` and `Product`."""
    given = thing.get("@type", [])
    return {re.split(r"[/#:]", str(one))[-1] for one in (given if isinstance(given, list) else [given])}


def decoded(body: bytes, content_type: str) -> str:
    """The text, in the encoding that the header or the page names; else UTF-8."""
    named = _IN_HEADER.search(content_type)
    in_page = _CHARSET.search(body[:2048])
    charset = named[1] if named else in_page[1].decode() if in_page else "utf-8"
    try:
        return body.decode(charset, errors="replace")
    except LookupError:
        return body.decode(errors="replace")


def _json_ld(page: LexborHTMLParser) -> Iterator[Any]:
    for script in page.css('script[type="application/ld+json" i]'):
        try:
            # Not strict: shops write raw line ends into their texts. Numbers stay as they are written.
            yield json.loads(script.text(), strict=False, parse_float=Decimal, parse_int=Decimal)
        except (ValueError, RecursionError):
            continue


def _microdata(page: LexborHTMLParser) -> Iterator[Thing]:
    for scope in page.css("[itemscope]"):
        if "itemprop" not in scope.attributes:
            yield _thing(scope, 0)


def _thing(scope: LexborNode, depth: int) -> Thing:
    found: Thing = {"@type": (scope.attributes.get("itemtype") or "").split()}
    if depth < _DEEPEST:
        for name, value in _properties(scope, depth):
            found[name] = (
                [*found[name], value]
                if isinstance(found.get(name), list)
                else ([found[name], value] if name in found else value)
            )
    return found


def _properties(node: LexborNode, depth: int) -> Iterator[tuple[str, Any]]:
    for child in node.iter():
        inner = "itemscope" in child.attributes
        if names := (child.attributes.get("itemprop") or "").split():
            value = _thing(child, depth + 1) if inner else _value(child)
            yield from ((name, value) for name in names)
        if not inner and depth < _DEEPEST:
            yield from _properties(child, depth)


def _value(node: LexborNode) -> str:
    attribute = "content" if "content" in node.attributes else _CONTENT.get(node.tag or "")
    if attribute is not None:
        return (node.attributes.get(attribute) or "").strip()
    return node.text().strip()


def _within(value: Any, depth: int) -> Iterator[Thing]:
    if depth > _DEEPEST:
        return
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from _within(one, depth + 1)
