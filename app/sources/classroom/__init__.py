"""Shifts of tutors: reminded two hours before, over LINE."""

from datetime import timedelta

from app.kinds import Kind, QueueName, Scan
from app.sources.classroom.kinds import ShiftReminder
from app.sources.classroom.remind import remind

KINDS: tuple[Kind, ...] = (ShiftReminder(),)
SCANS: tuple[Scan, ...] = (Scan("reminders", timedelta(minutes=15), QueueName.URGENT, remind),)
