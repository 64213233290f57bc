"""The gates: what stands in the way of everything that goes over one channel, or to one push host.

A closed gate hides its deliveries from whoever looks for what is due, lost or to be claimed, and costs them no try. An
operator closes one and opens it again; the circuit breaker closes one until a time, and after that time lets a single
delivery through, the probe, whose answer decides. An operator may also close a whole channel that has a gate for each
of its hosts: `web_push`.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, SQLColumnExpression, Update, and_, case, not_, or_, select, update

from app.clock import now
from app.columns import NOW, there_is
from app.outbox.models import Gate
from app.transaction import Transaction

PROBE_TAKES = timedelta(minutes=1)
"""For so long a probe may be under way before another is sent in its place."""

WHOLE_CHANNEL = "web_push"
"""The one channel with several gates, and the key that closes all of them. Only an operator closes it."""

_BLIND = {"synchronize_session": False}


def open_at(gate_key: SQLColumnExpression[str]) -> ColumnElement[bool]:
    """SQL: whether this gate is open. The table holds a row for each gate that ever gave trouble, so few."""
    whole_channel_shut = there_is(Gate, where=(Gate.key == WHOLE_CHANNEL) & _closed())
    behind_it = gate_key.startswith(f"{WHOLE_CHANNEL}:", autoescape=True)
    return and_(gate_key.not_in(select(Gate.key).where(_closed())), not_(and_(whole_channel_shut, behind_it)))


def shut_to(tx: Transaction, deliveries: Collection[tuple[int, str]]) -> set[int]:
    """Of these deliveries, each with its gate's key, those that may not begin now; a probe may."""
    rows = tx.session.execute(select(Gate.key, Gate.paused_at, Gate.probe_id).where(_closed()))
    shut = {key: (paused_at, probe_id) for key, paused_at, probe_id in rows}
    channel_shut = WHOLE_CHANNEL in shut

    def is_shut(one: int, key: str) -> bool:
        if channel_shut and key.startswith(f"{WHOLE_CHANNEL}:"):
            return True
        return key in shut and not _is_probe(one, *shut[key])

    return {one for one, key in deliveries if is_shut(one, key)}


def hold_wanting_a_probe(tx: Transaction) -> list[str]:
    """The gates that the breaker closed until a time that has come. Of two workers that come at once, the second waits
    here, and then finds them closed for as long as the probe of the first is under way."""
    over = and_(Gate.breaker_until <= now(), Gate.paused_at.is_(None))
    return list(tx.session.scalars(select(Gate.key).where(over).order_by(Gate.key).with_for_update()))


def let_through(tx: Transaction, key: str, delivery_id: int) -> None:
    """This delivery is the probe: nothing else passes until it is answered."""
    probing = {"breaker_until": now() + PROBE_TAKES, "probe_id": delivery_id}
    tx.session.execute(update(Gate).where(Gate.key == key).values(**probing))


def probes_among(tx: Transaction, delivery_ids: Collection[int]) -> set[int]:
    """Those of these deliveries that were let through, and whose answer is waited for."""
    return {one for one in tx.session.scalars(select(Gate.probe_id).where(Gate.probe_id.in_(delivery_ids))) if one}


def pause(tx: Transaction, key: str, why: str) -> bool:
    """Close it until it is resumed; False if it was paused already."""
    _ensure(tx, key)
    paused = update(Gate).where(Gate.key == key, Gate.paused_at.is_(None)).values(paused_at=now(), why=why)
    return tx.session.scalar(paused.returning(Gate.key)) is not None


def resume(tx: Transaction, key: str) -> bool:
    """Open it, whoever closed it; False if it was open."""
    shut = or_(Gate.paused_at.is_not(None), Gate.breaker_until.is_not(None))
    return tx.session.scalar(_opened(key).where(shut).values(paused_at=None).returning(Gate.key)) is not None


def note_health(tx: Transaction, key: str) -> None:
    """An answer came that speaks of no trouble: the breaker forgets what it counted, and opens."""
    troubled = or_(Gate.failures > 0, Gate.breaker_until.is_not(None))
    tx.session.execute(_opened(key).where(troubled), execution_options=_BLIND)


def note_trouble(tx: Transaction, key: str, delivery_ids: Collection[int]) -> tuple[int, int]:
    """Count deliveries that met trouble in a row; how many that are now, and how often the breaker closed the gate
    since it was well. The same delivery again counts once."""
    _ensure(tx, key)
    columns = (Gate.failures, Gate.last_failed_id, Gate.openings)
    failures, last_failed_id, openings = tx.session.execute(
        select(*columns).where(Gate.key == key).with_for_update()
    ).one()  # fmt: skip
    failures += len(set(delivery_ids) - {last_failed_id})
    counted = {"failures": failures, "last_failed_id": max(delivery_ids)}
    tx.session.execute(update(Gate).where(Gate.key == key).values(**counted))
    return failures, openings


def close(tx: Transaction, key: str, why: str, wait: timedelta) -> None:
    """Let the breaker close it for so long; whoever closed it for longer keeps it closed."""
    _ensure(tx, key)
    until = now() + wait
    sooner = or_(Gate.breaker_until.is_(None), Gate.breaker_until < until, Gate.probe_id.is_not(None))
    words = case((Gate.paused_at.is_(None), why), else_=Gate.why)  # of a pause, those of whoever paused it stay
    closed = {"breaker_until": until, "why": words, "openings": Gate.openings + 1, "probe_id": None}
    tx.session.execute(update(Gate).where(Gate.key == key, sooner).values(**closed), execution_options=_BLIND)


def _closed() -> ColumnElement[bool]:
    return or_(Gate.paused_at.is_not(None), Gate.breaker_until > NOW)


def _is_probe(delivery_id: int, paused_at: datetime | None, probe_id: int | None) -> bool:
    return paused_at is None and probe_id == delivery_id


def _opened(key: str) -> Update:
    well = {"breaker_until": None, "failures": 0, "last_failed_id": None, "openings": 0, "probe_id": None}
    return update(Gate).where(Gate.key == key).values(**well)


def _ensure(tx: Transaction, key: str) -> None:
    new = tx.insert(Gate).values(key=key, why="", failures=0, openings=0)
    tx.session.execute(new.on_conflict_do_nothing(index_elements=["key"]))
