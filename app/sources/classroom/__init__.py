"""Shifts of tutors: reminded two hours before, and corrected when they change, over LINE."""

from datetime import timedelta

from app.kinds import Kind, QueueName, Scan
from app.sources.classroom.kinds import ShiftCorrection, ShiftReminder, ShiftTable
from app.sources.classroom.telling.tell import remind

KINDS: tuple[Kind, ...] = (ShiftReminder(), ShiftCorrection(), ShiftTable())
SCANS: tuple[Scan, ...] = (Scan("reminders", timedelta(minutes=15), QueueName.URGENT, remind, on_reach=True),)
