"""The addresses in a text, as links."""

import re

from markupsafe import Markup, escape

_ADDRESS = re.compile(r"(https?://[!#-;=?-~]*[\w/=&#%+~-])", re.ASCII)
"""Ends where other letters begin, since Japanese has no spaces, and leaves out the punctuation of the sentence."""


def linked(text: str) -> Markup:
    """The text, escaped, with a link at each address of the web."""
    pieces = _ADDRESS.split(text)
    return Markup().join(_link(piece) if place % 2 else escape(piece) for place, piece in enumerate(pieces))


def _link(address: str) -> Markup:
    return Markup('<a href="{0}" rel="noopener nofollow">{0}</a>').format(address)
