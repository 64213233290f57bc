"""What was just done in an inbox, and how it is taken back."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from flask import session
from flask_babel import ngettext

KEY = "inbox_done"
MOST = 100
"""Ids that the cookie of a session has room for; with more, the undo of a page without JavaScript is left out."""

OPPOSITES = {"read": "unread", "unread": "read", "archive": "restore", "restore": "archive"}


@dataclass(frozen=True, slots=True)
class Done:
    """An act and the notifications that it changed."""

    act: str
    ids: Sequence[int]
    number: int

    @property
    def sentence(self) -> str:
        """What happened, in the reader's language."""
        match self.act:
            case "read":
                said = ngettext("%(num)d marked as read.", "%(num)d marked as read.", self.number)
            case "unread":
                said = ngettext("%(num)d marked as unread.", "%(num)d marked as unread.", self.number)
            case "archive":
                said = ngettext("%(num)d archived.", "%(num)d archived.", self.number)
            case _:
                said = ngettext("%(num)d is back in the inbox.", "%(num)d are back in the inbox.", self.number)
        return str(said)

    @property
    def undo(self) -> str | None:
        """The act that takes it back; None when there is nothing to take back."""
        return f"inbox_acts.{OPPOSITES[self.act]}" if self.ids else None


def keep(done: Done) -> None:
    """Tell it on the next page, for a browser without JavaScript."""
    kept = Done(done.act, list(done.ids) if done.number <= MOST else [], done.number)
    session[KEY] = asdict(kept)


def take() -> Done | None:
    """What the page before this one did; told once."""
    kept = session.pop(KEY, None)
    return Done(**kept) if kept else None
