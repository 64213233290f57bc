"""Sign-in links that an administrator has sent by LINE, to those who are linked."""

from app.kinds import Kind
from app.sources.invitations.kinds import SignInLink

KINDS: tuple[Kind, ...] = (SignInLink(),)
"""The kind `invitation`. It makes no row in an inbox: who needs it is not signed in."""
