"""What would become of a delivery if it were sent now: the recheck run dry. It writes nothing and calls nobody."""

import logging
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from sqlalchemy import select

from app.channels import CHANNELS
from app.clock import now
from app.engine.broken import BROKEN, log_broken
from app.engine.recheck import ask
from app.engine.request import choose
from app.extensions import db
from app.kinds import KINDS, Ask, Cancel, Due, Hold, Kind, Send, TryLater
from app.logs import place_of
from app.outbox import queries
from app.outbox.models import Delivery
from app.outbox.moves import FORGOTTEN, Begin, Claimed
from app.outbox.queries import Standing
from app.outbox.retry_key import Key, key_usable
from app.outbox.state import RETRYABLE, WAITING

log = logging.getLogger(__name__)


class Fate(StrEnum):
    """How the recheck would end."""

    SEND = "send"
    CANCEL = "cancel"
    FAIL = "fail"
    HOLD = "hold"
    """Not before `until`: quiet hours."""
    ASK = "ask"
    """Our own database has no objection; a shop or a callback would be asked first."""
    UNANSWERED = "unanswered"
    """The check itself cannot be answered: `reason` says why, and it would count as a try."""
    UNKNOWN = "unknown"
    """Foreseeing it broke, or nothing is sent of its kind any more."""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What would happen. `reason` is a failure code or a cancel reason, `detail` the source's own words.

    `key` is NONE, too, where nothing would be sent. `repeats`: LINE may have the first message already, so that one is
    repeated byte for byte, though another would be written today. `gate` stands in the way of whatever the check says.
    """

    fate: Fate
    reason: str | None = None
    detail: str | None = None
    until: datetime | None = None
    key: Key = Key.NONE
    repeats: bool = False
    gate: Standing | None = None


def foresee(delivery_id: int) -> Foreseen | None:
    """What would come of it: of one that failed or waits to retry, if it were retried now; of another that waits, if
    its turn were now. None for what is being sent or has ended otherwise. A fixed number of queries."""
    columns = [getattr(Delivery, name) for name in Claimed.__slots__]
    row = db.session.execute(select(*columns, Delivery.state).where(Delivery.id == delivery_id)).one_or_none()
    if row is None or row.state not in {*WAITING, *RETRYABLE}:
        return None
    delivery = Claimed(*row[:-1])
    try:
        return replace(_checked(delivery, row.state in RETRYABLE), gate=_closed_gate(delivery.gate_key))
    except Exception as error:
        # Whatever breaks here must not take the page along on which somebody looks for the cause.
        log.error("foreseeing a %s broke: %s at %s", delivery.kind, type(error).__name__, place_of(error))
        db.session.rollback()
        return Foreseen(Fate.UNKNOWN)


def _closed_gate(key: str) -> Standing | None:
    keys = (key, key.partition(":")[0])  # of itself, and of the whole channel
    return next((gate for gate in queries.standings() if gate.key in keys and gate.closed), None)


def _checked(delivery: Claimed, retried: bool) -> Foreseen:
    kind = KINDS.get(delivery.kind)
    if kind is None:
        return Foreseen(Fate.UNKNOWN)
    (asked,) = ask(kind, [_as_retried(delivery) if retried else delivery])
    match asked.verdict:
        case Send() as said if asked.due is not None:
            return _sent(kind, asked.claimed, asked.due, said, had_a_key=delivery.retry_key is not None)
        case Cancel(reason=reason, detail=detail):
            return Foreseen(Fate.CANCEL, reason, detail)
        case Hold(until=until):
            return Foreseen(Fate.HOLD, until=until)
        case TryLater(code=code):
            return Foreseen(Fate.UNANSWERED, code)
        case Ask():
            return Foreseen(Fate.ASK)
    return Foreseen(Fate.UNKNOWN)


def _as_retried(delivery: Claimed) -> Claimed:
    """What an operator's Retry makes of it: a key that LINE may have forgotten is dropped, with what was frozen."""
    if key_usable(delivery.retry_key_used_at, now()):
        return delivery
    return replace(delivery, retry_key=None, retry_key_used_at=None, key_ambiguous=False, **FORGOTTEN)


def _sent(kind: Kind, delivery: Claimed, due: Due, said: Send, *, had_a_key: bool) -> Foreseen:
    channel = CHANNELS[delivery.channel]
    try:
        composed, chosen = channel.compose(due.address.target, said.message), choose(channel, delivery, due, said)
    except Exception as error:  # a message that its channel cannot speak: the engine, too, takes it for a broken source
        log_broken(kind, error)
        return Foreseen(Fate.UNANSWERED, BROKEN.code)
    if isinstance(chosen, Cancel):
        return Foreseen(Fate.CANCEL, chosen.reason, chosen.detail)
    if not isinstance(chosen, Begin):
        return Foreseen(Fate.FAIL, chosen)
    if not channel.keyed:
        return Foreseen(Fate.SEND)
    return Foreseen(Fate.SEND, key=_key(delivery, chosen, had_a_key), repeats=chosen.request != composed)


def _key(delivery: Claimed, chosen: Begin, had_one: bool) -> Key:
    if chosen.retry_key == delivery.retry_key:
        return Key.SAME if delivery.retry_key_used_at is not None else Key.FIRST
    return Key.NEW if had_one else Key.FIRST
