"""What would become of a delivery now, as its page says it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flask_babel import LazyString
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from app.i18n import exact, language
from app.operations.foresight import Fate, Foreseen, foresee
from app.outbox.queries import Standing
from app.outbox.retry_key import Key
from app.outbox.state import State
from app.web.delivery_rows import DeliveryRow, reason_of

FATES: dict[Fate, LazyString] = {
    Fate.SEND: _l("It would be sent."),
    Fate.CANCEL: _l("It would be canceled, not sent."),
    Fate.FAIL: _l("It would fail without a request."),
    Fate.HOLD: _l("It would be held back by the recipient's quiet hours."),
    Fate.ASK: _l("Nothing here speaks against it. Whoever it depends on, a shop or a callback, would be asked first."),
    Fate.UNANSWERED: _l("The check before sending would break, and nothing would be sent."),
    Fate.UNKNOWN: _l("This could not be foreseen. The log of the web process may name the cause."),
}

_SHAPES = {Fate.SEND: State.SENT, Fate.CANCEL: State.CANCELED, Fate.FAIL: State.FAILED}
"""The states whose icon and colour a fate takes; any other has it wait."""

_FIRST = _l("It gets its first retry key.")
_SAME = _l("It keeps its retry key, so LINE delivers it at most once.")
_REPEATED = _l(
    "It keeps its retry key and repeats the first message byte for byte, since LINE may have that already. "
    "What has changed since is not in it."
)
_NEW_TEXT = _l("It gets a new retry key, and says what is true now: LINE certainly refused every earlier request.")
_NEW = _l("It gets a new retry key: LINE has forgotten the old one.")
_TWICE = _l("If an earlier request did arrive, the message arrives a second time.")


@dataclass(frozen=True, slots=True)
class Outlook:
    """`shape` is the state whose icon and colour it takes; `code` the one that explains it, if one does."""

    retried: bool
    """Whether it speaks of an operator's Retry, rather than of the next try that starts by itself."""
    fate: str
    shape: str
    sentences: Sequence[str]
    code: str | None
    gate: str | None
    """What stands in the way of any sending now."""


def outlook(delivery: DeliveryRow) -> Outlook | None:
    """What would happen; None where nothing more is sent, or a worker has it in hand."""
    foreseen = foresee(delivery.id)
    if foreseen is None:
        return None
    return Outlook(
        retried=delivery.offer.retry,
        fate=str(FATES[foreseen.fate]),
        shape=_SHAPES.get(foreseen.fate, State.PENDING),
        sentences=[*_sentences(delivery, foreseen)],
        code=foreseen.reason,
        gate=_barred(foreseen.gate) if foreseen.gate else None,
    )


def _sentences(delivery: DeliveryRow, foreseen: Foreseen) -> Iterator[str]:
    reason = reason_of(foreseen.reason)
    if reason:
        yield str(reason.cause)
    if foreseen.detail:
        yield foreseen.detail
    if foreseen.until:
        yield _("Until %(time)s.", time=exact(foreseen.until, language()))
    if foreseen.key is not Key.NONE:
        yield from _of_key(delivery, foreseen)


def _of_key(delivery: DeliveryRow, foreseen: Foreseen) -> Iterator[str]:
    if foreseen.key is Key.FIRST:
        yield str(_FIRST)
    elif foreseen.key is Key.SAME:
        yield str(_REPEATED if foreseen.repeats else _SAME)
    elif not delivery.offer.new_key:
        yield str(_NEW_TEXT)
    else:
        yield str(_NEW)
        if delivery.offer.may_double:
            yield str(_TWICE)


def _barred(gate: Standing) -> str:
    if gate.paused_at is not None:
        return str(_("Nothing goes through now: an operator has paused it. It would wait, without losing a try."))
    return str(_("Nothing goes through now: it is closed after repeated trouble. It would wait, without losing a try."))
