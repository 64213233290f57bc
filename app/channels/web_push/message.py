"""The one type of message that Todoke speaks to browsers."""

from base64 import urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256

from app.clock import now
from app.kinds import Notice

NAME = 32
"""Characters of a tag. A topic has at most 32 (RFC 8030 5.4), and Apple decodes it: the length must divide by four."""


class Urgency(StrEnum):
    """How much a device on battery shall care (RFC 8030 5.3)."""

    VERY_LOW = "very-low"
    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class PushMessage:
    """`path`: the page of this site that a click opens. `language` is that of the words, for the browser's voice.

    The push service keeps it for an offline device for `ttl`, and never beyond `expires_at` (UTC). Without a
    `notification_id` it speaks of no row of the inbox: a test, or what the inbox gets only once it was sent.
    """

    title: str
    body: str
    path: str
    language: str
    ttl: timedelta
    urgency: Urgency = Urgency.NORMAL
    expires_at: datetime | None = None
    notification_id: int | None = None

    @property
    def tag(self) -> str:
        """The same for the same notification, or where there is none, for the same page: what is sent again takes the
        place of what is undelivered or still shown."""
        about = f"page {self.path}" if self.notification_id is None else f"notification {self.notification_id}"
        return urlsafe_b64encode(sha256(about.encode()).digest())[:NAME].decode()


ONE_DAY = timedelta(days=1)


def push_of(notice: Notice) -> PushMessage:
    """What every channel to people speaks, as a push: worth keeping as long as somebody needs it, else for a day."""
    return PushMessage(
        title=notice.title,
        body=notice.body,
        path=notice.path,
        language=notice.language,
        ttl=max(notice.until - now(), timedelta(0)) if notice.until is not None else ONE_DAY,
        urgency=Urgency(notice.urgency),
        expires_at=notice.until,
        notification_id=notice.notification_id,
    )
