"""The gates as an operator finds them: how each stands, what waits behind it, what a pause would cost."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from sqlalchemy import and_, case, func, select

from app import audit
from app.audit import AuditEntry
from app.clock import now
from app.columns import unindexed
from app.extensions import db
from app.operations.gates import PAUSE, SUBJECT
from app.outbox.gates import WHOLE_CHANNEL
from app.outbox.models import Delivery, Gate
from app.outbox.queries import time_has_come, waits
from app.outbox.state import WAITING
from app.reach.models import Device

LINE = "line"
SPANS = (timedelta(hours=1), timedelta(hours=6), timedelta(hours=24))
"""How long a pause may last, in its forecast."""


class Stands(StrEnum):
    """What a gate does now."""

    OPEN = "open"
    PAUSED = "paused"
    """By an operator, until it is resumed."""
    CLOSED = "closed"
    """By the circuit breaker, until a time."""
    PROBING = "probing"
    """That time has come: its next delivery goes through alone, and the answer decides."""


@dataclass(frozen=True, slots=True)
class Behind:
    """How many deliveries wait behind a gate, and how many of them would go out at once if it were open."""

    waiting: int = 0
    due: int = 0


@dataclass(frozen=True, slots=True)
class ListedGate:
    """One gate. `why` is a failure code where the breaker closed it, else the words of `who`, if they said any."""

    key: str
    stands: Stands
    behind: Behind
    since: datetime | None = None
    until: datetime | None = None
    who: str | None = None
    why: str = ""


def listed() -> list[ListedGate]:
    """Every gate that is in use or was ever in trouble, LINE's first, that of a whole channel before its hosts'. Four
    queries."""
    rows = {gate.key: gate for gate in db.session.scalars(select(Gate))}
    behind, pauses = _behind(), _pauses([gate.paused_at for gate in rows.values() if gate.paused_at])
    keys = {LINE, *rows, *behind, *db.session.scalars(select(Device.gate_key).distinct())}
    if hosts := [key for key in keys if key.startswith(f"{WHOLE_CHANNEL}:")]:
        theirs = [behind[key] for key in hosts if key in behind]
        behind[WHOLE_CHANNEL] = Behind(sum(one.waiting for one in theirs), sum(one.due for one in theirs))
        keys.add(WHOLE_CHANNEL)
    in_order = sorted(keys, key=lambda key: (key != LINE, key))
    return [_listed(key, rows.get(key), behind.get(key, Behind()), pauses.get(key)) for key in in_order]


def forecast(key: str) -> list[tuple[timedelta, int]]:
    """Of what waits behind this gate now: how many would be too late after each span of a pause."""
    at = now()
    hosts = Delivery.gate_key.startswith(f"{WHOLE_CHANNEL}:", autoescape=True)
    gate = hosts if key == WHOLE_CHANNEL else Delivery.gate_key == key
    late = [func.count(case((Delivery.expires_at <= at + span, 1))) for span in SPANS]
    soon = and_(waits(), Delivery.expires_at <= at + SPANS[-1], unindexed(gate))
    return [*zip(SPANS, db.session.execute(select(*late).where(soon)).one(), strict=True)]


def _behind() -> dict[str, Behind]:
    due = func.count(case((time_has_come(), 1)))
    rows = select(Delivery.gate_key, func.count(), due).where(Delivery.state.in_(WAITING)).group_by(Delivery.gate_key)
    return {key: Behind(waiting, at_once) for key, waiting, at_once in db.session.execute(rows)}


def _pauses(since: Collection[datetime]) -> Mapping[str, AuditEntry]:
    """The last pause of each gate, as it was written down; since the first that still lasts."""
    entries = audit.entries(SUBJECT, 0, min(since)) if since else []
    return {str(entry.detail["gate"]): entry for entry in entries if entry.act == PAUSE}


def _listed(key: str, gate: Gate | None, behind: Behind, pause: AuditEntry | None) -> ListedGate:
    if gate is not None and gate.paused_at is not None:
        return ListedGate(key, Stands.PAUSED, behind, gate.paused_at, None, pause.who if pause else None, gate.why)
    if gate is not None and gate.breaker_until is not None:
        stands = Stands.CLOSED if gate.breaker_until > now() else Stands.PROBING
        return ListedGate(key, stands, behind, until=gate.breaker_until, why=gate.why)
    return ListedGate(key, Stands.OPEN, behind)
