"""Everything random but jitter: retry keys, lease tokens, keys for signing."""

import secrets
from uuid import uuid4


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


def request_id() -> str:
    """A new id of one form: what it does is done once, however often it is sent."""
    return secrets.token_urlsafe(32)
