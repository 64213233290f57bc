"""Everything random but jitter: retry keys, lease tokens, secrets, keys for signing; and what a key makes of it."""

import hmac
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256
from uuid import uuid4

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key


def retry_key() -> str:
    """A new `X-Line-Retry-Key`: a UUID in hex-and-dash form (LINE refuses anything else)."""
    return str(uuid4())


def lease_token() -> str:
    """A new token that fences one claim: 32 hex characters."""
    return secrets.token_hex(16)


def document_id() -> str:
    """A new id that opens a document and cannot be guessed: 256 bits as 43 characters that need no escaping."""
    return secrets.token_urlsafe(32)


def import_token() -> str:
    """A new token that opens an uploaded file, for its uploader alone: 256 bits as 43 characters."""
    return secrets.token_urlsafe(32)


def signing_key() -> str:
    """A new `SECRET_KEY`: 64 hex characters, 256 bits."""
    return secrets.token_hex(32)


def vapid_key() -> str:
    """A new `VAPID_PRIVATE_KEY`: a private key on P-256, as 32 bytes in 43 characters of base64url."""
    value = generate_private_key(SECP256R1()).private_numbers().private_value
    return urlsafe_b64encode(value.to_bytes(32)).decode().rstrip("=")


def request_id() -> str:
    """A new id of one form: what it does is done once, however often it is sent."""
    return secrets.token_urlsafe(32)


def secret() -> str:
    """A new secret that lets in whoever holds it: 256 bits as 43 characters. Only its digest is stored."""
    return secrets.token_urlsafe(32)


def salt() -> str:
    """New random bits that set one derived secret apart: 128 bits as 32 hex characters, of no use without the key."""
    return secrets.token_hex(16)


def derived(key: str, purpose: str, salt: str) -> str:
    """The secret that this key makes of them, each time the same: 256 bits as 43 characters. Stored nowhere."""
    made = hmac.digest(key.encode(), f"{purpose}\0{salt}".encode(), sha256)
    return urlsafe_b64encode(made).decode().rstrip("=")


def digest(secret: str) -> str:
    """What is stored in place of a secret, or to know a text again: 64 hex characters.

    So many random bits need no slow hash.
    """
    return sha256(secret.encode(errors="replace")).hexdigest()
