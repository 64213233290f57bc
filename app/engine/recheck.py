"""The questions asked right before sending, in their fixed order: expired? address? account? reader? source?"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask import current_app

from app.clock import now
from app.codes import CancelReason
from app.engine.broken import BROKEN, is_our_fault, log_broken
from app.engine.flight import Question, Replied
from app.extensions import db
from app.inbox.before_sending import held_back
from app.kinds import INBOX_KINDS, Ask, Cancel, Due, FinalVerdict, Kind, Verdict
from app.outbox.moves import Claimed
from app.reach.resolve import Reached, Wanted, resolve

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Asked:
    """A delivery with what our own database says of it; `due` is None when it ended before its source was asked."""

    claimed: Claimed
    due: Due | None
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Checked:
    """The same, once an `Ask` was answered."""

    claimed: Claimed
    due: Due | None
    verdict: FinalVerdict


def recheck(kind: Kind, held: Sequence[Claimed]) -> tuple[list[Checked], list[Question]]:
    """A verdict for each, or what has to be asked of the network first. A fixed number of queries; leaves no
    transaction open."""
    asked = ask(kind, held)
    db.session.close()
    answers = [_checked(one) for one in asked]
    return ([one for one in answers if isinstance(one, Checked)], [one for one in answers if isinstance(one, Question)])


def ask(kind: Kind, held: Sequence[Claimed]) -> list[Asked]:
    """The questions that our own database answers, in their order; what needs the network stays an `Ask`.

    A fixed number of queries, in the transaction that is open.
    """
    reached = resolve([Wanted(one.id, one.address_type, one.address_id, one.account_id) for one in held])
    dues = {one.id: _due(one, reached[one.id]) for one in held}
    verdicts = _ask(kind, [due for due in dues.values() if isinstance(due, Due)])
    return [_asked(kind, one, dues[one.id], verdicts) for one in held]


def judged(kind: Kind, replied: Sequence[Replied]) -> list[Checked]:
    """The verdicts once questions were answered. Raises what our own database raises.

    Our own database is asked once more: meanwhile somebody may have changed their mind.
    """
    try:
        asked = ask(kind, [one.question.claimed for one in replied])
        return [_judged(kind, one, now_asked) for one, now_asked in zip(replied, asked, strict=True)]
    finally:
        db.session.close()


def _judged(kind: Kind, replied: Replied, asked: Asked) -> Checked:
    if not isinstance(asked.verdict, Ask) or asked.due is None:
        return Checked(asked.claimed, asked.due, BROKEN if isinstance(asked.verdict, Ask) else asked.verdict)
    try:
        if replied.error is not None:
            raise replied.error
        verdict = kind.judge(asked.due, asked.verdict.about, replied.answer)
    except Exception as error:
        if is_our_fault(error):
            raise
        log_broken(kind, error)
        verdict = BROKEN
    return Checked(asked.claimed, asked.due, verdict)


def _due(claimed: Claimed, reached: Reached | CancelReason) -> Due | Cancel:
    if isinstance(reached, CancelReason):
        return Cancel(reached)
    return Due(
        id=claimed.id,
        kind=claimed.kind,
        channel=claimed.channel,
        subject_type=claimed.subject_type,
        subject_id=claimed.subject_id,
        subject_version=claimed.subject_version,
        account_id=claimed.account_id,
        expires_at=claimed.expires_at,
        address=reached.address,
        language=reached.language,
        notification_id=claimed.notification_id,
    )


def _asked(kind: Kind, claimed: Claimed, due: Due | Cancel, verdicts: Mapping[int, Verdict]) -> Asked:
    if claimed.expires_at is not None and claimed.expires_at <= now():
        return Asked(claimed, None, Cancel(kind.expired_reason))
    if isinstance(due, Cancel):
        return Asked(claimed, None, due)
    return Asked(claimed, due, verdicts.get(claimed.id, BROKEN))


def _checked(one: Asked) -> Checked | Question:
    if not isinstance(one.verdict, Ask):
        return Checked(one.claimed, one.due, one.verdict)
    if one.due is None:
        return Checked(one.claimed, None, BROKEN)
    return Question(one.claimed, one.due, one.verdict)


def _ask(kind: Kind, dues: Sequence[Due]) -> Mapping[int, Verdict]:
    inbox_kind = INBOX_KINDS.get(kind.name)
    held = held_back(inbox_kind, dues, current_app.config["SETTINGS"].zone) if inbox_kind and dues else {}
    return {**_ask_source(kind, [due for due in dues if due.id not in held]), **held}


def _ask_source(kind: Kind, dues: Sequence[Due]) -> Mapping[int, Verdict]:
    if not dues:
        return {}
    try:
        return kind.recheck(dues)
    except Exception as error:
        if is_our_fault(error):
            raise
        log_broken(kind, error)
    db.session.rollback()  # PostgreSQL answers nothing more in a transaction in which something failed
    if len(dues) == 1:
        return {dues[0].id: BROKEN}
    # One of them breaks the source: asked one by one, it spoils nobody else.
    return {due.id: _ask_source(kind, [due])[due.id] for due in dues}
