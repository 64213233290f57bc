"""WHY: the sources, one folder each."""

from app.kinds import FORGETTERS, INBOX_KINDS, KINDS, SCANS, InboxKind
from app.sources import alerts, announcements, classroom, conversations, invitations, stores, trial

INBOX: tuple[InboxKind, ...] = (*stores.KINDS, *conversations.KINDS, *announcements.KINDS, *alerts.KINDS)
"""The kinds that fill inboxes, of all sources."""


def register() -> None:
    """Tell the contract which kinds and scans there are, and what a source forgets of an account."""
    for kind in (*classroom.KINDS, *invitations.KINDS, *trial.KINDS, *INBOX):
        KINDS[kind.name] = kind
    for inbox_kind in INBOX:
        INBOX_KINDS[inbox_kind.name] = inbox_kind
    for scan in (*classroom.SCANS, *announcements.SCANS, *alerts.SCANS):
        SCANS[scan.name] = scan
    FORGETTERS[:] = [conversations.forget]
