"""Who somebody is, as plain values, so that no record outlives its transaction."""

from dataclasses import dataclass

from flask_login import UserMixin

from app.accounts.models import Role
from app.audit import Actor
from app.kinds import Reader


@dataclass(frozen=True)
class Who:
    """An account that acts or looks."""

    id: int
    email: str
    name: str
    role: Role
    language: str

    @property
    def actor(self) -> Actor:
        """This account as the one who acts."""
        return Actor(self.id, self.name)

    @property
    def reader(self) -> Reader:
        """This account as the one who looks."""
        return Reader(self.id, self.role)


@dataclass(frozen=True)
class SignedIn(Who, UserMixin):  # type: ignore[misc]  # Flask-Login has no types
    """The account that is signed in, as it was at the start of the request, and by which browser's session."""

    session_id: int
    stale: bool
    """Whether it is time to note that this browser was seen."""
