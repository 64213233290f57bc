"""What push services know this house by: a key pair on the curve P-256, and a contact (VAPID, RFC 8292)."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

SOMEBODY = "mailto:nobody@example.com"
"""Stands in where the pages have no public address: it says nothing, and every push service takes it."""

_KEY = re.compile(r"[A-Za-z0-9_-]{43}")
_HOST = r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}"
_SUBJECT = re.compile(rf"mailto:[A-Za-z0-9.!#$%&'*+/=?^_`{{|}}~-]+@{_HOST}|https://{_HOST}")
_NOWHERE = (".localhost", ".local", ".invalid")


def public_key(private_key: str) -> str:
    """The public half, as browsers take it (`applicationServerKey`). Raises ValueError when the private one is none."""
    if not _KEY.fullmatch(private_key):
        raise ValueError("must be the 43 characters that `flask vapid new` prints")
    value = int.from_bytes(urlsafe_b64decode(f"{private_key}="))
    try:
        point = derive_private_key(value, SECP256R1()).public_key()
    except ValueError:
        raise ValueError("is no key on the curve P-256: make one with `flask vapid new`") from None
    raw = point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(raw).decode().rstrip("=")


def fits_subject(subject: str) -> bool:
    """Whether every push service takes this contact. Apple is the strictest: a name that leads nowhere gets a 403."""
    return _SUBJECT.fullmatch(subject) is not None and not subject.lower().endswith(_NOWHERE)


def subject_for(base_url: str) -> str:
    """The contact when none is set: the site itself."""
    parts = urlsplit(base_url)
    site = f"https://{parts.hostname}"
    return site if parts.scheme == "https" and fits_subject(site) else SOMEBODY
