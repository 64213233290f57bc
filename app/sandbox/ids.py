"""The ids LINE would hand out. Random here and not in app.tokens, for the stand-in uses nothing of the house."""

import secrets
from uuid import uuid4


def request_id() -> str:
    """A value for `x-line-request-id`."""
    return str(uuid4())


def sent_message() -> dict[str, str]:
    """One element of `sentMessages`: an id of 18 digits and a quote token."""
    return {"id": str(6 * 10**17 + secrets.randbelow(10**17)), "quoteToken": secrets.token_urlsafe(40)}
