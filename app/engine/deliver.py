"""The sending: claim → recheck → begin → send → record."""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from app.channels import CHANNELS
from app.channels.outcome import Outcome
from app.clock import monotonic
from app.codes import FailureCode
from app.engine import settle
from app.engine.devices import note_answer
from app.engine.recheck import BROKEN, Checked, is_our_fault, log_broken, recheck
from app.engine.request import choose
from app.kinds import KINDS, Cancel, Due, Hold, Kind, Send, Told, TryLater
from app.outbox import transitions
from app.outbox.moves import Begin, Claimed, Ended, Finish
from app.outbox.state import State
from app.transaction import writing

BUDGET = 25.0
"""Seconds for one job; what is left then goes back, untried, for the next one."""
FRESH = 2.0
"""Seconds for which a verdict may be acted on; whoever waited longer behind slow answers is asked about again."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Request:
    """A request that may be made, and what to tell the source once it was accepted."""

    begin: Begin
    due: Due
    note: Any


def deliver(kind_name: str, ids: Sequence[int], stopping: Callable[[], bool]) -> None:
    """Send those of these deliveries of one kind that are still owed, one request after the other.

    `stopping` says whether this process was asked to end. Whatever is not begun by then, or when our own database
    fails, goes back without a try; what was begun is waited for, or taken back when its lease has run out.
    """
    kind = KINDS.get(kind_name)
    if kind is None:
        log.error("no kind is called %s; its deliveries stay owed", kind_name)
        return
    until = monotonic() + BUDGET
    with writing() as tx:
        held = transitions.claim(tx, kind_name, ids)
    try:
        while held and not stopping() and monotonic() < until:
            left = _send_while_fresh(kind, recheck(kind, held), lambda: stopping() or monotonic() >= until)
            held = _renewed(left)
    finally:
        _give_back(held)


def _send_while_fresh(kind: Kind, checked: Sequence[Checked], ending: Callable[[], bool]) -> list[Claimed]:
    """Act on the verdicts as long as they are fresh, and return those that were not come to."""
    requests = _settle_without_request(kind, checked)
    fresh_until = monotonic() + FRESH
    while requests and not ending() and monotonic() < fresh_until:
        _send(kind, requests.pop(0))
    return [request.begin.claimed for request in requests]


def _settle_without_request(kind: Kind, checked: Sequence[Checked]) -> list[_Request]:
    """Record what needs no request, in one transaction, and return the requests that may be made."""
    requests: list[_Request] = []
    ended: list[Ended] = []
    held_back: list[tuple[Claimed, Hold]] = []
    for one in checked:
        match _next_step(kind, one):
            case _Request() as request:
                requests.append(request)
            case Hold() as hold:
                held_back.append((one.claimed, hold))
            case Finish() as finish:
                ended.append(Ended(one.claimed, None, finish))
    if ended or held_back:
        with writing() as tx:
            transitions.finish(tx, ended)
            for claimed, hold in held_back:
                transitions.release(tx, [claimed], hold.until)
    return requests


def _next_step(kind: Kind, one: Checked) -> "_Request | Hold | Finish":
    match one.verdict:
        case Send(message=message, note=note) if one.due is not None:
            try:
                chosen = choose(CHANNELS[one.claimed.channel], one.claimed, one.due, message)
            except Exception as error:
                log_broken(kind, error)
                return settle.after_try_later(kind, one.claimed, BROKEN)
            return _Request(chosen, one.due, note) if isinstance(chosen, Begin) else _refused(chosen)
        case Cancel() as cancel:
            return _refused(cancel)
        case TryLater() as later:
            return settle.after_try_later(kind, one.claimed, later)
        case Hold() as hold:
            return hold
    raise TypeError("a verdict of no known kind")


def _refused(why: Cancel | FailureCode) -> Finish:
    return Finish.canceled(why.reason, why.detail) if isinstance(why, Cancel) else Finish.failed(why, None)


def _send(kind: Kind, request: _Request) -> None:
    """One request: written down before it is made, recorded when it is answered; no transaction is open between."""
    claimed = request.begin.claimed
    with writing() as tx:
        attempt_id = transitions.begin(tx, [request.begin]).get(claimed.id)
    if attempt_id is None:
        return
    outcome, duration = _timed(request.begin)
    ended = Ended(claimed, attempt_id, settle.after_outcome(kind, claimed, outcome, duration))
    try:
        _record(kind, request, ended)
    except Exception as error:
        if is_our_fault(error):
            raise
        log_broken(kind, error)
        untold = settle.after_broken_told(kind, claimed, ended.finish)
        with writing() as tx:
            transitions.finish(tx, [Ended(claimed, attempt_id, untold)])


def _record(kind: Kind, request: _Request, ended: Ended) -> None:
    with writing() as tx:
        note_answer(tx, request.due, ended.finish.attempt)
        moved = transitions.finish(tx, [ended])
        if moved and ended.finish.to is State.SENT:
            kind.told(tx, [Told(request.due, request.note)])


def _timed(begin: Begin) -> tuple[Outcome, timedelta]:
    started = monotonic()
    outcome = CHANNELS[begin.claimed.channel].send(begin.request, begin.retry_key)
    return outcome, timedelta(seconds=monotonic() - started)


def _renewed(held: Sequence[Claimed]) -> list[Claimed]:
    if not held:
        return []
    with writing() as tx:
        return transitions.renew(tx, held)


def _give_back(held: Sequence[Claimed]) -> None:
    if not held:
        return
    # If our database is away, the leases run out by themselves.
    with suppress(SQLAlchemyError), writing() as tx:
        transitions.release(tx, held)
