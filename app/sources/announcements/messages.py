"""What inboxes, lock screens and LINE say of an announcement: its own words."""

from app.kinds import Description
from app.sources.announcements.fields import Text

EXCERPT = 200
"""Characters of the text that a notification shows."""


def said(announcement_id: int, text: Text) -> Description:
    """The announcement, in short."""
    one_line = " ".join(text.body.split())
    body = one_line if len(one_line) <= EXCERPT else one_line[: EXCERPT - 1] + "…"
    return Description(text.title, body, f"/announcements/{announcement_id}")
