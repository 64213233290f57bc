"""The `Authorization` header: a signed statement of who sends, for one push service at a time (VAPID, RFC 8292)."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from py_vapid import Vapid

from app.clock import now

LIFE = timedelta(hours=12)
"""At most 24 h by the RFC. Half of that leaves room for a clock, ours or theirs, that is hours off."""
RENEWED_AFTER = LIFE / 2
"""Apple asks for one that is not renewed more than once an hour."""


@dataclass(frozen=True, slots=True)
class _Signed:
    header: str
    at: datetime

    def is_fresh(self) -> bool:
        # Not one from the future either: the clock was set back since, and it would outlive the 24 h.
        return self.at <= now() < self.at + RENEWED_AFTER


class Authorizer:
    """Signs with one key, and keeps what it signed for each origin. Raises ValueError for a key that is none."""

    def __init__(self, private_key: str, subject: str) -> None:
        self._vapid = Vapid.from_raw(private_key.encode())
        self._subject = subject
        self._signed: dict[str, _Signed] = {}

    def header_for(self, origin: str) -> str:
        """The header for a push service. Two threads may sign for one at once; both are good."""
        known = self._signed.get(origin)
        if known is None or not known.is_fresh():
            known = _Signed(self._sign(origin), now())
            # Put in place whole, so that no thread meets a half-emptied one.
            self._signed = {at: one for at, one in self._signed.copy().items() if one.is_fresh()} | {origin: known}
        return known.header

    def _sign(self, origin: str) -> str:
        claims = {"aud": origin, "exp": int((now() + LIFE).timestamp()), "sub": self._subject}
        return str(self._vapid.sign(claims)["Authorization"])
