"""The operators' own notifications: something began to go wrong, or is right again."""

from datetime import timedelta

from app.kinds import InboxKind, QueueName, Scan
from app.sources.alerts.kinds import AlertBegan, AlertOver
from app.sources.alerts.watch import watch

KINDS: tuple[InboxKind, ...] = (AlertBegan(), AlertOver())
SCANS: tuple[Scan, ...] = (Scan("watch", timedelta(minutes=1), QueueName.URGENT, watch),)
