"""The schema.org data of a page: what its JSON-LD and its microdata say.

selectolax parses (lexbor: an HTML5 parser in C, 0.4 s for 2 MB of it, nothing else to install). extruct would do the
rest, too; its last release is two years old, and it brings rdflib, lxml and 27 MB for the two syntaxes of its six.

A page may be made to hold this process: whatever is done with it takes time in proportion to its length, and no
recursion. What the parser itself would take too long for is not parsed: see `tags`.
"""

import codecs
import re

from selectolax.lexbor import LexborHTMLParser

from app.sources.prices.shops.json_ld import json_ld, named, tops
from app.sources.prices.shops.microdata import microdata
from app.sources.prices.shops.things import Described

_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w-]{2,30})", re.IGNORECASE)
_IN_HEADER = re.compile(r"charset\s*=\s*\"?([\w-]{2,30})", re.IGNORECASE)
_OF_NO_PAGE = {"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape", "utf-7"}
"""Python would decode them: some in a time that grows with the square, some into what is no text."""


def described(written: str) -> Described:
    """What the page says, in the order in which it says it, JSON-LD first."""
    page = LexborHTMLParser(written)
    said = json_ld(page)
    return Described([*tops(said), *microdata(page)], named(said))


def decoded(body: bytes, content_type: str) -> str:
    """The text, in the encoding that the header or the page names; else UTF-8."""
    in_header, in_page = _IN_HEADER.search(content_type), _CHARSET.search(body[:2048])
    charset = in_header[1] if in_header else in_page[1].decode() if in_page else "utf-8"
    try:
        if codecs.lookup(charset).name not in _OF_NO_PAGE:
            return body.decode(charset, errors="replace")
    except (LookupError, UnicodeError):
        pass
    return body.decode(errors="replace")
