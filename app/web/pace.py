"""How often one account may write to others, or ask who has an e-mail address; and who is counted."""

from flask_limiter.util import get_remote_address
from flask_login import current_user

from app.extensions import limiter
from app.web.guards import is_guest

WRITES = "30 per minute"
"""Of all sorts together; more than anybody types."""


def account() -> str:
    """The key of a limit for one account, from however many browsers; for guests, of whom one person may be several,
    of their network address."""
    return f"guests:{get_remote_address()}" if is_guest() else f"account:{current_user.get_id()}"


paced = limiter.shared_limit(WRITES, scope="writing", key_func=account)
