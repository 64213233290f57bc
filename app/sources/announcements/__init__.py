"""Announcements to everybody, told in chunks."""

from datetime import timedelta

from app.kinds import InboxKind, QueueName, Scan
from app.sources.announcements.fan_out import announce
from app.sources.announcements.kinds import Announced
from app.sources.announcements.turns import SCAN

KINDS: tuple[InboxKind, ...] = (Announced(),)
SCANS: tuple[Scan, ...] = (Scan(SCAN, timedelta(minutes=1), QueueName.BULK, announce),)
