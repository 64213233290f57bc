"""How far an announcement has come: who has it in the inbox, and what became of what is owed for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select

from app.accounts.models import Account
from app.extensions import db
from app.outbox.listing import counts_about
from app.outbox.state import ALIVE, State
from app.sources.announcements.audience import concerned
from app.sources.announcements.kinds import SUBJECT
from app.sources.announcements.models import Announcement, FanOut, Phase
from app.sources.announcements.texts import fields_of


@dataclass(frozen=True, slots=True)
class Progress:
    """`notified` accounts were told of the present edition, `to_come` were not yet, `skipped` never will be.

    `deliveries` counts those of that edition, by state. `told_at`: when everybody had been told. `stopped`: it was
    archived, and nobody else is told.
    """

    notified: int
    to_come: int
    skipped: int
    told_at: datetime | None
    stopped: bool
    deliveries: Mapping[State, int]

    @property
    def people(self) -> int:
        """How many it is for, as far as is known."""
        return self.notified + self.to_come

    @property
    def made(self) -> int:
        """How many deliveries there are for it."""
        return sum(self.deliveries.values())

    @property
    def on_the_way(self) -> int:
        """How many deliveries may still be sent."""
        return sum(self.deliveries[state] for state in ALIVE)

    @property
    def finished(self) -> bool:
        """Whether nothing more happens by itself: everybody was told (or it was stopped), and nothing waits."""
        return (self.told_at is not None or self.stopped) and self.on_the_way == 0


def progress_of(announcement_id: int) -> Progress | None:
    """How far it has come; None if it was never published."""
    row = db.session.execute(
        select(FanOut, Announcement.phase)
        .join(Announcement, (Announcement.id == FanOut.announcement_id) & (Announcement.edition == FanOut.edition))
        .where(FanOut.announcement_id == announcement_id)
    ).first()
    if row is None:
        return None
    walk, phase = row
    return Progress(
        notified=walk.notified,
        to_come=_to_come(walk) if walk.finished_at is None else 0,
        skipped=walk.skipped,
        told_at=walk.finished_at,
        stopped=phase == Phase.ARCHIVED,
        deliveries=counts_about((SUBJECT, announcement_id), walk.edition),
    )


def _to_come(walk: FanOut) -> int:
    fields = fields_of([walk.announcement_id])[walk.announcement_id]
    ahead = select(func.count()).select_from(Account).where(Account.id > walk.cursor, Account.id <= walk.last_id)
    return db.session.scalar(ahead.where(concerned(fields.audience, fields.languages))) or 0
