"""The address of a product page: what a person pasted, brought into one form."""

import re
from urllib.parse import quote, urlsplit, urlunsplit

from flask_babel import gettext as _

from app.faults import Fault, InvalidInput

LONGEST = 2000
_TRACKING = re.compile(r"utm_.*|fbclid|gclid|yclid|msclkid|mc_eid|igshid")
"""What is added to a link to see who followed it: without it, two people watch the same page."""
_PORTS = {"http": 80, "https": 443}
_AS_WRITTEN = "/?%:@!$&'()*+,;=~-._"
"""What is written in percent signs may be in any encoding: only the shop knows which, so that nothing is decoded."""


def canonical(written: str) -> str:
    """The address in ASCII, without fragment, tracking and default port. Raises InvalidInput."""
    try:
        parts = urlsplit(written.strip())
        port, host = parts.port, (parts.hostname or "").encode("idna").decode()
        path, query = quote(parts.path or "/", safe=_AS_WRITTEN), quote(parts.query, safe=_AS_WRITTEN)
    except (ValueError, UnicodeError):
        raise _refused() from None
    if parts.scheme not in _PORTS or not host or parts.username is not None or parts.password is not None:
        raise _refused()
    netloc = f"[{host}]" if ":" in host else host
    if port not in (None, _PORTS[parts.scheme]):
        netloc = f"{netloc}:{port}"
    asked = "&".join(pair for pair in query.split("&") if not _TRACKING.fullmatch(pair.partition("=")[0]))
    found = urlunsplit((parts.scheme, netloc, path, asked, ""))
    if len(found) > LONGEST:
        raise _refused()
    return found


def _refused() -> InvalidInput:
    return InvalidInput(Fault("url", _("Paste the address of a product page: it begins with https:// or http://.")))
