"""Acting on verdicts: what ends or waits without a request is recorded, and the requests that may be made come back."""

from collections.abc import Sequence

from app.channels import CHANNELS
from app.clock import monotonic
from app.codes import FailureCode
from app.engine import settle
from app.engine.flight import Request
from app.engine.recheck import BROKEN, Checked, log_broken
from app.engine.request import choose
from app.kinds import Cancel, Hold, Kind, Send, TryLater
from app.outbox import transitions
from app.outbox.moves import Begin, Claimed, Ended, Finish
from app.transaction import writing


def act_on(kind: Kind, checked: Sequence[Checked]) -> list[Request]:
    """Record what needs no request, in one transaction, and return the requests that may be made."""
    asked_at = monotonic()
    requests: list[Request] = []
    ended: list[Ended] = []
    held_back: list[tuple[Claimed, Hold]] = []
    for one in checked:
        match _next_step(kind, one, asked_at):
            case Request() as request:
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


def _next_step(kind: Kind, one: Checked, asked_at: float) -> Request | Hold | Finish:
    match one.verdict:
        case Send(message=message, note=note) if one.due is not None:
            try:
                chosen = choose(CHANNELS[one.claimed.channel], one.claimed, one.due, message)
            except Exception as error:
                log_broken(kind, error)
                return settle.after_try_later(kind, one.claimed, BROKEN)
            return Request(chosen, one.due, note, asked_at) if isinstance(chosen, Begin) else _refused(chosen)
        case Cancel() as cancel:
            return _refused(cancel)
        case TryLater() as later:
            return settle.after_try_later(kind, one.claimed, later)
        case Hold() as hold:
            return hold
    raise TypeError("a verdict of no known kind")


def _refused(why: Cancel | FailureCode) -> Finish:
    return Finish.canceled(why.reason, why.detail) if isinstance(why, Cancel) else Finish.failed(why, None)
