"""How one try ended, in a word, a shape and a colour: what may have arrived is never shown as what failed."""

from dataclasses import dataclass

from flask_babel import LazyString
from flask_babel import lazy_gettext as _l

from app.outbox.state import AttemptOutcome, State


@dataclass(frozen=True, slots=True)
class Ending:
    """`shape` names its icon, `colour` the state or class whose colour it has."""

    word: LazyString
    shape: str
    colour: str


UNDER_WAY = Ending(_l("Under way"), State.SENDING, State.SENDING)
MAY_HAVE_ARRIVED = Ending(_l("May have arrived"), "unsure", "unsure")

ENDINGS: dict[AttemptOutcome, Ending] = {
    AttemptOutcome.ACCEPTED: Ending(_l("Accepted"), State.SENT, State.SENT),
    AttemptOutcome.ALREADY_ACCEPTED: Ending(_l("Accepted earlier (409)"), "earlier", State.SENT),
    AttemptOutcome.TRANSIENT: Ending(_l("Did not get through"), State.RETRY, State.RETRY),
    AttemptOutcome.REJECTED: Ending(_l("Refused"), State.FAILED, State.FAILED),
    AttemptOutcome.GONE: Ending(_l("Address gone"), State.CANCELED, State.CANCELED),
    AttemptOutcome.LOST: MAY_HAVE_ARRIVED,
    AttemptOutcome.UNANSWERED: Ending(_l("Not sent: unanswered check"), State.PENDING, State.PENDING),
}

_SURE = (AttemptOutcome.ACCEPTED, AttemptOutcome.ALREADY_ACCEPTED, AttemptOutcome.GONE)


def ending_of(outcome: AttemptOutcome | None, may_have_arrived: bool) -> Ending:
    """How it ended. A time-out, a 5xx and a cut connection are no failure: nobody knows what the provider has."""
    if outcome is None:
        return UNDER_WAY
    return MAY_HAVE_ARRIVED if may_have_arrived and outcome not in _SURE else ENDINGS[outcome]
