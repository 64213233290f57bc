"""Which endpoints a push may go to: an endpoint comes from a browser, and would else make us call anybody."""

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from flask_babel import LazyString
from flask_babel import lazy_gettext as _l

from app.bounds import Reach

LONGEST = 2048
RETIRED = "permanently-removed.invalid"
"""The host that Chrome and Edge leave in a subscription that was revoked."""

# What a browser writes: no space, no backslash (which some readers take for a slash), nothing outside ASCII.
_WRITTEN = re.compile(r"[!#-\[\]-~]+")
_THIS_MACHINE = ("127.0.0.1", "localhost")


@dataclass(frozen=True, slots=True)
class Doors:
    """`hosts`: each with all below it, over https on its own port. `loopback`: this machine too, in any way."""

    hosts: tuple[str, ...]
    loopback: bool = False

    @property
    def reach(self) -> Reach:
        """Where the names may lead."""
        return Reach.PUBLIC_OR_LOOPBACK if self.loopback else Reach.PUBLIC

    def fault_of(self, endpoint: object) -> LazyString | None:
        """Why no push may go there; None if one may."""
        if not isinstance(endpoint, str) or not endpoint:
            return _l("The address of the push service is missing.")
        if len(endpoint) > LONGEST or not _WRITTEN.fullmatch(endpoint):
            return _l("The address of the push service is no address: it is too long or holds strange characters.")
        parts = _split(endpoint)
        if parts is None or not parts.path.startswith("/"):
            return _l("The address of the push service is incomplete.")
        if self.loopback and _leads_here(parts):
            return None
        if parts.scheme != "https":
            return _l("The address of the push service must begin with https://.")
        if "@" in parts.netloc:
            return _l("The address of the push service must not hold a name or a password.")
        if parts.port not in (None, 443):
            return _l("The address of the push service must not name a port.")
        if not self._knows(parts.hostname or ""):
            return _l("The address belongs to no push service that Todoke knows. PUSH_ALLOWED_HOSTS lists them.")
        return None

    def _knows(self, host: str) -> bool:
        return any(host == allowed or host.endswith(f".{allowed}") for allowed in self.hosts)


def is_retired(endpoint: str) -> bool:
    """Whether the browser says by the endpoint itself that it wants no more."""
    parts = _split(endpoint)
    return parts is not None and parts.hostname == RETIRED


def origin_of(endpoint: str) -> str:
    """Scheme and host of an endpoint that passed, with the port where it is not the usual one (RFC 6454)."""
    parts = urlsplit(endpoint)
    usual = {"http": 80, "https": 443}[parts.scheme]
    port = "" if parts.port in (None, usual) else f":{parts.port}"
    return f"{parts.scheme}://{parts.hostname}{port}"


def _split(endpoint: str) -> SplitResult | None:
    try:
        parts = urlsplit(endpoint)
        return parts if parts.hostname and parts.port != 0 else None
    except ValueError:  # an unfinished [ of an IPv6 address, a port that is no number
        return None


def _leads_here(parts: SplitResult) -> bool:
    return parts.scheme in ("http", "https") and "@" not in parts.netloc and parts.hostname in _THIS_MACHINE
