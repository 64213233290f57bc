"""The address of a product page: what a person pasted, brought into one form."""

import re
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from flask_babel import gettext as _

from app.faults import Fault, InvalidInput

LONGEST = 2000
_TRACKING = re.compile(r"utm_.*|fbclid|gclid|yclid|msclkid|mc_eid|igshid")
"""What is added to a link to see who followed it: without it, two people watch the same page."""
_PORTS = {"http": 80, "https": 443}
_ESCAPED = "/%:@!$&'()*+,;=~-._"


def canonical(written: str) -> str:
    """The address in ASCII, without fragment, tracking and default port. Raises InvalidInput."""
    try:
        parts = urlsplit(written.strip())
        port, host = parts.port, (parts.hostname or "").encode("idna").decode()
    except (ValueError, UnicodeError):
        raise _refused() from None
    if parts.scheme not in _PORTS or not host or parts.username is not None or parts.password is not None:
        raise _refused()
    netloc = f"[{host}]" if ":" in host else host
    if port not in (None, _PORTS[parts.scheme]):
        netloc = f"{netloc}:{port}"
    query = urlencode([pair for pair in parse_qsl(parts.query, keep_blank_values=True)
                       if not _TRACKING.fullmatch(pair[0])])  # fmt: skip
    found = urlunsplit((parts.scheme, netloc, quote(parts.path or "/", safe=_ESCAPED), query, ""))
    if len(found) > LONGEST:
        raise _refused()
    return found


def host_of(url: str) -> str:
    """The host by which a pace is kept, with its port if it is an unusual one."""
    return urlsplit(url).netloc[:255]


def _refused() -> InvalidInput:
    return InvalidInput(Fault("url", _("Paste the address of a product page: it begins with https:// or http://.")))
