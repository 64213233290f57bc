"""A browser's push subscription: the endpoint and the two keys that only this browser can read with."""

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from flask_babel import LazyString
from flask_babel import lazy_gettext as _l

from app.channels.web_push.doors import Doors
from app.faults import Fault, InvalidInput

P256DH = 65
"""Bytes of a point on P-256, uncompressed (RFC 8291 2.1)."""
AUTH = 16
"""Bytes of the shared secret (RFC 8291 3.2)."""

# pywebpush looks at neither: it takes 8 bytes of `auth`, and encrypts what no browser can read.
_BASE64URL = re.compile(r"[A-Za-z0-9_-]{1,200}={0,2}")


@dataclass(frozen=True, slots=True)
class Subscription:
    """A checked subscription. Whoever knows the endpoint can push there, so none of it shows in a repr."""

    endpoint: str = field(repr=False)
    p256dh: str = field(repr=False)
    auth: str = field(repr=False)

    @property
    def target(self) -> str:
        """The address of a delivery, for `Address.target`."""
        keys = {"endpoint": self.endpoint, "p256dh": self.p256dh, "auth": self.auth}
        return json.dumps(keys, separators=(",", ":"))


def read_subscription(document: object, doors: Doors) -> Subscription:
    """What the browser's `PushSubscription.toJSON()` gave. Raises InvalidInput with every fault."""
    given = document if isinstance(document, dict) else {}
    keys = given.get("keys")
    return _checked(given.get("endpoint"), keys if isinstance(keys, dict) else {}, doors)


def subscription_at(target: str, doors: Doors) -> Subscription:
    """A delivery's target, checked again: what is allowed may have changed since. Raises InvalidInput."""
    given = read_target(target)
    return _checked(given.get("endpoint"), given, doors)


def read_target(target: str) -> dict[str, object]:
    """A delivery's target, unchecked; empty when it is damaged."""
    try:
        given = json.loads(target)
    except (ValueError, RecursionError):
        return {}
    return given if isinstance(given, dict) else {}


def _checked(endpoint: object, keys: dict[str, object], doors: Doors) -> Subscription:
    p256dh, auth = _raw(keys.get("p256dh")), _raw(keys.get("auth"))
    found = {"endpoint": doors.fault_of(endpoint), **_key_faults(p256dh, auth)}
    faults = [Fault(name, str(message)) for name, message in found.items() if message is not None]
    if faults:
        raise InvalidInput(*faults)
    return Subscription(str(endpoint), _written(p256dh), _written(auth))


def _key_faults(p256dh: bytes, auth: bytes) -> dict[str, LazyString | None]:
    if (len(p256dh), len(auth)) == (AUTH, P256DH):
        swapped = _l("The two keys are swapped: p256dh is the long one, auth the short one.")
        return {"p256dh": swapped, "auth": None}
    return {
        "p256dh": None if _is_point(p256dh) else _l("p256dh must be a public key: 65 bytes in base64url."),
        "auth": None if len(auth) == AUTH else _l("auth must be 16 bytes in base64url."),
    }


def _is_point(raw: bytes) -> bool:
    if len(raw) != P256DH or raw[0] != 4:
        return False
    try:
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), raw)
    except ValueError:  # not on the curve
        return False
    return True


def _raw(key: object) -> bytes:
    """The bytes of a key, with or without padding; none when it is no base64url."""
    if not isinstance(key, str) or not _BASE64URL.fullmatch(key):
        return b""
    bare = key.rstrip("=")
    try:
        return urlsafe_b64decode(bare + "=" * (-len(bare) % 4))
    except Error:
        return b""


def _written(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")
