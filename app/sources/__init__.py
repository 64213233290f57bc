"""WHY: the sources, one folder each."""

from app.config import Settings
from app.kinds import FORGETTERS, HEIRS, INBOX_KINDS, KINDS, SCANS, InboxKind
from app.sources import alerts, announcements, classroom, conversations, invitations, prices, stores, trial

INBOX: tuple[InboxKind, ...] = (*stores.KINDS, *conversations.KINDS, *announcements.KINDS, *alerts.KINDS)
"""The kinds that fill inboxes, of all sources that are the same everywhere."""


def register(settings: Settings) -> None:
    """Tell the contract which kinds and scans there are, and what a source does with what a person had."""
    inbox_kinds = (*INBOX, *prices.kinds(settings.outbox_max_retry))
    for kind in (*classroom.KINDS, *invitations.KINDS, *trial.KINDS, *inbox_kinds):
        KINDS[kind.name] = kind
    for inbox_kind in inbox_kinds:
        INBOX_KINDS[inbox_kind.name] = inbox_kind
    for scan in (*classroom.SCANS, *announcements.SCANS, *alerts.SCANS, *prices.SCANS):
        SCANS[scan.name] = scan
    HEIRS[:] = [prices.take_over]
    FORGETTERS[:] = [conversations.forget, prices.forget]
