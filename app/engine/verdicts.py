"""Acting on verdicts: what ends or waits without a request is recorded, and the requests that may be made come back."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from app.channels import CHANNELS
from app.clock import monotonic
from app.codes import FailureCode
from app.engine import settle
from app.engine.broken import BROKEN, log_broken
from app.engine.flight import Ready
from app.engine.recheck import Checked
from app.engine.request import choose
from app.kinds import Cancel, Hold, Kind, Send, TryLater
from app.outbox import transitions
from app.outbox.moves import Begin, Claimed, Ended, Finish
from app.transaction import writing


def act_on(kind: Kind, checked: Sequence[Checked]) -> list[Ready]:
    """Record what needs no request, in one transaction, and return the requests that may be made."""
    asked_at = monotonic()
    requests: list[Ready] = []
    ended: list[Ended] = []
    postponed: dict[datetime, list[Claimed]] = defaultdict(list)
    for one in checked:
        match _next_step(kind, one, asked_at):
            case Ready() as ready:
                requests.append(ready)
            case Hold() as hold:
                postponed[hold.until].append(one.claimed)
            case Finish() as finish:
                ended.append(Ended(one.claimed, None, finish))
    if ended or postponed:
        with writing() as tx:
            transitions.finish(tx, ended)
            for until, claims in postponed.items():
                transitions.release(tx, claims, until)
    return requests


def _next_step(kind: Kind, one: Checked, asked_at: float) -> Ready | Hold | Finish:
    match one.verdict:
        case Send() as said if one.due is not None:
            try:
                chosen = choose(CHANNELS[one.claimed.channel], one.claimed, one.due, said)
            except Exception as error:
                log_broken(kind, error)
                return settle.after_try_later(kind, one.claimed, BROKEN)
            return Ready(chosen, one.due, asked_at) if isinstance(chosen, Begin) else _refused(chosen)
        case Cancel() as cancel:
            return _refused(cancel)
        case TryLater() as later:
            return settle.after_try_later(kind, one.claimed, later)
        case Hold() as hold:
            return hold
    raise TypeError("a verdict of no known kind")


def _refused(why: Cancel | FailureCode) -> Finish:
    return Finish.canceled(why.reason, why.detail) if isinstance(why, Cancel) else Finish.failed(why, None)
