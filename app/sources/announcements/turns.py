"""Whose turn it is to tell an edition, and the chunk that it tells.

A chunk commits its notifications, its deliveries and the cursor as one, so that whoever is killed anywhere leaves it as
it stood before the chunk or after. The lease is renewed by every chunk in its first statement, and that row stays
locked for as long as the chunk takes: somebody slow is not taken for dead, and who comes back too late writes nothing.
"""

from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any

from sqlalchemy import and_, func, insert, or_, select, update

from app.accounts.models import Account
from app.clock import now
from app.inbox.marks import put_away_superseded
from app.inbox.notify import Broadcast, Event, FannedOut, broadcast, fan_out
from app.sources.announcements.audience import concerned
from app.sources.announcements.kinds import KIND, SUBJECT
from app.sources.announcements.models import Announcement, Audience, FanOut, Phase
from app.sources.announcements.texts import fields_of
from app.tokens import lease_token
from app.transaction import Inserting, Transaction

SCAN = "announcements"
LEASE = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class Turn:
    """The right to tell one edition, until its lease has run out."""

    announcement_id: int
    edition: int
    token: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """What a chunk did. `over`: there is nothing more to do in this turn."""

    notified: int = 0
    owed: int = 0
    skipped: int = 0
    over: bool = False


def begin_to_tell(tx: Transaction, announcement_id: int, edition: int) -> None:
    """Let this edition be told to everybody whose account exists by now."""
    last = tx.session.scalar(select(func.max(Account.id))) or 0
    tx.execute(insert(FanOut).values(announcement_id=announcement_id, edition=edition, last_id=last, started_at=now()))
    tx.wake(SCAN)


def take_turn(tx: Transaction) -> Turn | None:
    """The turn at the oldest edition that waits to be told and that nobody is telling; None if there is none."""
    free = or_(FanOut.lease_until.is_(None), FanOut.lease_until <= now())
    current = and_(Announcement.edition == FanOut.edition, Announcement.phase == Phase.PUBLISHED)
    oldest = (
        select(FanOut.announcement_id, FanOut.edition)
        .join(Announcement, Announcement.id == FanOut.announcement_id)
        .where(FanOut.finished_at.is_(None), free, current)
        .order_by(FanOut.started_at, FanOut.announcement_id)
        .limit(1)
        .with_for_update(of=FanOut, skip_locked=True)
    )
    row = tx.session.execute(oldest).first()
    if row is None:
        return None
    turn = Turn(row.announcement_id, row.edition, lease_token())
    edition = and_(FanOut.announcement_id == turn.announcement_id, FanOut.edition == turn.edition)
    taken = update(FanOut).where(edition).values(lease_token=turn.token, lease_until=now() + LEASE)
    tx.execute(taken)
    return turn


def tell_chunk(tx: Transaction, turn: Turn, size: int) -> Chunk:
    """Tell the next `size` accounts. The turn is over when there are no more, it was lost, or nothing is to be told any
    more."""
    return _advance(tx, turn, size, skipping=False)


def skip_one(tx: Transaction, turn: Turn) -> Chunk:
    """Leave out the next account, whose rows the database refuses: nobody behind it shall wait for that."""
    return _advance(tx, turn, 1, skipping=True)


def is_told_now(tx: Transaction, turn: Turn) -> bool:
    """Whether this edition is to be told at all. So it stays until the end of the chunk: whoever archives it meanwhile
    waits, and then ends what the chunk made, too."""
    this = select(Announcement.phase, Announcement.edition).where(Announcement.id == turn.announcement_id)
    phase, edition = tx.session.execute(this.with_for_update(read=True)).one()
    return phase == Phase.PUBLISHED and edition == turn.edition


def end_turn(tx: Transaction, turn: Turn) -> None:
    """Let another go on at once."""
    given_back = update(FanOut).where(_ours(turn)).values(lease_token=None, lease_until=None)
    tx.execute(given_back)


def _advance(tx: Transaction, turn: Turn, size: int, *, skipping: bool) -> Chunk:
    renewed = update(FanOut).where(_ours(turn)).values(lease_until=now() + LEASE)
    stand = tx.execute(renewed.returning(FanOut.cursor, FanOut.last_id)).first()
    if stand is None or not is_told_now(tx, turn):
        return Chunk(over=True)
    upto = tx.session.scalar(_last_of_next(stand.cursor, stand.last_id, size))
    told = _tell(tx, turn, stand.cursor, upto) if upto is not None and not skipping else FannedOut(0, 0)
    skipped = int(skipping and upto is not None)
    over = upto is None or upto >= stand.last_id
    moved: dict[str, Any] = {
        "cursor": stand.last_id if over else upto,
        "notified": FanOut.notified + told.notified,
        "skipped": FanOut.skipped + skipped,
    }
    ended = {"finished_at": now(), "lease_token": None, "lease_until": None} if over else {}
    tx.execute(update(FanOut).where(_ours(turn)).values(**moved, **ended))
    return Chunk(told.notified, told.owed, skipped, over)


def _tell(tx: Transaction, turn: Turn, after: int, upto: int) -> FannedOut:
    fields = fields_of([turn.announcement_id])[turn.announcement_id]
    if turn.edition > 1:
        earlier = [_event_key(turn.announcement_id, edition) for edition in range(1, turn.edition)]
        put_away_superseded(tx, earlier, and_(Account.id > after, Account.id <= upto))
    key = _event_key(turn.announcement_id, turn.edition)
    event = Event(KIND, key, SUBJECT, turn.announcement_id, version=turn.edition)
    languages = None if fields.languages is None else tuple(fields.languages)
    return fan_out(tx, event, _broadcast(tx.insert, fields.audience, languages), after, upto)


@cache  # each takes a tenth of a chunk to build, and there are but a few
def _broadcast(insert: Inserting, audience: Audience, languages: tuple[str, ...] | None) -> Broadcast:
    return broadcast(insert, concerned(audience, languages), languages)


def _event_key(announcement_id: int, edition: int) -> str:
    return f"announcement:{announcement_id}:{edition}"


def _last_of_next(after: int, last_id: int, size: int) -> Any:
    following = select(Account.id).where(Account.id > after, Account.id <= last_id).order_by(Account.id).limit(size)
    return select(func.max(following.subquery().c.id))


def _ours(turn: Turn) -> Any:
    edition = and_(FanOut.announcement_id == turn.announcement_id, FanOut.edition == turn.edition)
    return and_(edition, FanOut.lease_token == turn.token, FanOut.finished_at.is_(None))
