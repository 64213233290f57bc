"""How often one account may write to others, or ask who has an e-mail address; and who is counted."""

from flask_login import current_user

from app.extensions import limiter

WRITES = "30 per minute"
"""Of all sorts together; more than anybody types."""


def account() -> str:
    """The key of a limit for one account, from however many browsers."""
    return f"account:{current_user.get_id()}"


paced = limiter.shared_limit(WRITES, scope="writing", key_func=account)
