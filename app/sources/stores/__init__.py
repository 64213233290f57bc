"""Stores: who works there, what is still to be set up, and the faults that people report."""

from app.kinds import InboxKind
from app.sources.stores.kinds import ReportOpened, ReportReaction, ReportResolved, StoreGuidance

KINDS: tuple[InboxKind, ...] = (StoreGuidance(), ReportOpened(), ReportReaction(), ReportResolved())
