"""Recording answers: in small flushes, and one by one where one of them breaks its source."""

from collections.abc import Sequence

from app.channels.outcome import Rejected
from app.engine import settle
from app.engine.broken import is_our_fault, log_broken
from app.engine.devices import note_answers
from app.engine.flight import Answered
from app.engine.gate import note_at_gates, refused_probes
from app.kinds import Kind, Told
from app.outbox import transitions
from app.outbox.moves import Ended
from app.outbox.state import State
from app.transaction import writing


def record(kind: Kind, answered: Sequence[Answered]) -> None:
    """Write what the answers mean for deliveries, attempts, devices and the source, all of it or, for one whose source
    breaks, that much. Raises what our own database raises; what was written by then stays, and recording
    it again changes nothing."""
    if not answered:
        return
    try:
        _write(kind, answered)
    except Exception as error:
        if is_our_fault(error):
            raise
        if len(answered) == 1:
            log_broken(kind, error)
            _write_untold(kind, answered[0])
        else:
            for one in answered:
                record(kind, [one])


def _write(kind: Kind, answered: Sequence[Answered]) -> None:
    with writing() as tx:
        waiting_on = refused_probes(tx, answered)
        ended = [_ended(kind, one, one.claimed.id in waiting_on) for one in answered]
        note_answers(tx, [(one.ready.due, end.finish.attempt) for one, end in zip(answered, ended, strict=True)])
        moved = transitions.finish(tx, ended)
        note_at_gates(tx, answered)
        sent = {end.claimed.id for end in ended if end.finish.to is State.SENT} & moved
        if told := [Told(one.ready.due, one.ready.note) for one in answered if one.claimed.id in sent]:
            kind.told(tx, told)


def _write_untold(kind: Kind, one: Answered) -> None:
    untold = settle.after_broken_told(kind, one.claimed, _ended(kind, one, waits_on=False).finish)
    with writing() as tx:
        transitions.finish(tx, [Ended(one.claimed, one.attempt_id, untold)])


def _ended(kind: Kind, one: Answered, waits_on: bool) -> Ended:
    claimed, outcome = one.claimed, one.outcome
    if waits_on and isinstance(outcome, Rejected):
        return Ended(claimed, one.attempt_id, settle.after_refused_probe(outcome, one.duration))
    return Ended(claimed, one.attempt_id, settle.after_outcome(kind, claimed, outcome, one.duration))
