"""What a push service checks of a request, and what the browser behind it reads.

Sources: RFC 8030 5 (headers), RFC 8292 (VAPID), RFC 8188 and 8291 (encryption); where services are stricter than the
RFCs, as the strictest is: Apple decodes the topic and wants a contact, and nobody takes more than 4096 bytes.
"""

import json
import re
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import http_ece
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import jwt
from werkzeug.datastructures import Headers

LARGEST_BODY = 4096
LONGEST_TOKEN = timedelta(hours=24)
URGENCIES = ("very-low", "low", "normal", "high")

_VAPID = re.compile(r"vapid t=([\w-]+\.[\w-]+\.[\w-]+), ?k=([\w-]{87})", re.ASCII)
_TOPIC = re.compile(r"[\w-]{1,32}", re.ASCII)
_CONTACT = re.compile(r"(?:mailto:[^\s@]+@|https://)[^\s/@]+\.[A-Za-z]{2,}")
_SALT_AND_SIZES = 21


class Refused(Exception):  # noqa: N818  # an answer, not a mishap
    """The request is wrong: the status and the words that the service answers."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status
        self.words = words


@dataclass(frozen=True)
class Browser:
    """The keys of one subscription, in base64url, and the application's key that it was made for, if it named one."""

    private_key: str
    auth: str
    application_key: str | None = None

    @property
    def p256dh(self) -> str:
        """The public key, which goes to the application."""
        raw = self._key().public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return _written(raw)

    def read(self, body: bytes) -> bytes:
        """Decrypt. Raises Refused when it cannot be read, or is more than one record."""
        header = _SALT_AND_SIZES + body[_SALT_AND_SIZES - 1 : _SALT_AND_SIZES][0] if len(body) > _SALT_AND_SIZES else 0
        if not header or len(body) - header > int.from_bytes(body[16:20]):
            raise Refused(400, "The body is not one record of aes128gcm")
        try:
            return bytes(
                http_ece.decrypt(
                    body, private_key=self._key(), auth_secret=_raw(self.auth), version="aes128gcm"
                )
            )  # fmt: skip
        except (http_ece.ECEException, ValueError):
            raise Refused(400, "The body cannot be decrypted with the keys of this subscription") from None

    def _key(self) -> Any:
        return derive_private_key(int.from_bytes(_raw(self.private_key)), SECP256R1())


@dataclass(frozen=True)
class Push:
    """A push in good order. `ttl` in seconds; `text` is what the service worker gets."""

    ttl: int
    urgency: str
    topic: str | None
    text: bytes


def new_browser(application_key: str | None = None) -> Browser:
    """A browser that subscribes now."""
    value = generate_private_key(SECP256R1()).private_numbers().private_value
    return Browser(_written(value.to_bytes(32)), _written(secrets.token_bytes(16)), application_key)


def subscription_of(browser: Browser, endpoint: str) -> dict[str, Any]:
    """What `PushSubscription.toJSON()` gives."""
    return {"endpoint": endpoint, "expirationTime": None, "keys": {"p256dh": browser.p256dh, "auth": browser.auth}}


def read_push(headers: Headers, body: bytes, origin: str, browser: Browser, now: datetime) -> Push:
    """The push that was asked for. Raises Refused."""
    ttl, urgency, topic = _ttl(headers.get("TTL")), headers.get("Urgency", "normal"), headers.get("Topic")
    if urgency not in URGENCIES:
        raise Refused(400, "Urgency is not one of very-low, low, normal, high")
    if topic is not None and (not _TOPIC.fullmatch(topic) or len(topic) % 4 == 1):
        raise Refused(400, "Topic is no base64url of at most 32 characters")
    _check_sender(headers.get("Authorization", ""), origin, browser, now)
    if headers.get("Content-Encoding") != "aes128gcm":
        raise Refused(400, "Content-Encoding is not aes128gcm")
    if len(body) > LARGEST_BODY:
        raise Refused(413, f"The body has more than {LARGEST_BODY} bytes")
    return Push(ttl, urgency, topic, browser.read(body))


def _ttl(value: str | None) -> int:
    if value is None or not re.fullmatch("[0-9]{1,9}", value):
        raise Refused(400, "TTL is missing or no whole number of seconds")
    return int(value)


def _check_sender(authorization: str, origin: str, browser: Browser, now: datetime) -> None:
    found = _VAPID.fullmatch(authorization)
    if not found:
        raise Refused(401, "Authorization is not vapid t=…, k=…")
    token, key = found.groups()
    try:
        claims = jwt.decode(token, key)
        kind = json.loads(_raw(token.partition(".")[0]))
    except (InvalidSignature, ValueError):
        raise Refused(401, "The signature of the JWT is wrong") from None
    fault = _fault_of_token(kind, claims, origin, now)
    if fault:
        raise Refused(401, fault)
    if browser.application_key not in (None, key):
        raise Refused(403, "The VAPID key is not the one that the subscription was made with")


def _fault_of_token(kind: Any, claims: Any, origin: str, now: datetime) -> str | None:
    if not isinstance(kind, dict) or kind.get("alg") != "ES256" or not isinstance(claims, dict):
        return "The JWT is not signed with ES256"
    if claims.get("aud") != origin:
        return f"aud is not {origin}"
    ends = claims.get("exp")
    if not isinstance(ends, int) or not now.timestamp() < ends <= (now + LONGEST_TOKEN).timestamp():
        return "exp has passed or is more than 24 hours ahead"
    if not isinstance(claims.get("sub"), str) or not _CONTACT.fullmatch(claims["sub"]):
        return "sub is no mailto: or https: contact"
    return None


def _raw(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _written(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")
