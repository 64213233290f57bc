"""Shifts of tutors: reminded two hours before, over LINE."""

from app.kinds import Kind, Scan
from app.sources.classroom import models as models

KINDS: tuple[Kind, ...] = ()
SCANS: tuple[Scan, ...] = ()
