"""The words of the pages for bulk retries."""

from collections.abc import Iterable, Mapping

from flask_babel import LazyString
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from app.operations.bulk_listing import Outcome, Standing
from app.operations.bulk_plan import Skip
from app.outbox.retry_key import Key
from app.outbox.state import State
from app.web.filter_words import Word, conditions
from app.web.words import STATES

KEYS: dict[Key, LazyString] = {
    Key.SAME: _l("With the same retry key: LINE delivers it at most once"),
    Key.NEW: _l("With a new retry key: LINE has forgotten the old one"),
    Key.FIRST: _l("For the first time: no request was made so far"),
    Key.NONE: _l("By push: it takes the place of one that may have arrived"),
}

SKIPS: dict[str, LazyString] = {
    Skip.WAITS_ELSEWHERE: _l("It waits in another bulk retry."),
    Skip.WOULD_DOUBLE: _l("LINE may have accepted it, and no longer knows its key: it could arrive twice."),
    Skip.STOPPED: _l("The bulk retry was stopped before its turn came."),
    State.PENDING: _l("It had been retried already, and was waiting."),
    State.QUEUED: _l("It had been retried already, and was in the queue."),
    State.SENDING: _l("It had been retried already, and was being sent."),
    State.RETRY: _l("It had been retried already, and was waiting for its next try."),
    State.SENT: _l("It had been sent already."),
    State.CANCELED: _l("It had been canceled already."),
    State.FAILED: _l("It had been tried again meanwhile, and failed again."),
}

OUTCOMES: dict[Outcome, LazyString] = {
    Outcome.WAITING: _l("Not yet its turn"),
    Outcome.UNDER_WAY: _l("Under way"),
    Outcome.SENT: STATES[State.SENT],
    Outcome.CANCELED: STATES[State.CANCELED],
    Outcome.FAILED: _l("Failed again"),
    Outcome.SKIPPED: _l("Skipped"),
}

STANDINGS: dict[Standing, LazyString] = {
    Standing.GOING_ON: _l("Being released"),
    Standing.FINISHED: _l("Finished"),
    Standing.STOPPED: _l("Stopped"),
    Standing.WITHOUT_RIGHT: _l("Stopped by itself"),
}

NOT_UNDERSTOOD = _l("The address was not understood. Here are all, from the first on.")

EVERYTHING = _l("everything that failed")
HIDDEN: dict[str, Word] = {
    "person": lambda _kept: _("One account"),
    "group": lambda _kept: _("One LINE group"),
    "q": lambda _kept: _("found by a search"),
}
"""Of what may name somebody it is kept only that there was something."""


def asked_in_words(asked: Mapping[str, str | int], scopes: Mapping[str, str]) -> str:
    """What was chosen, in the reader's language; `scopes` are the names of classrooms and stores."""
    if "ids" in asked:
        return ticked(asked["ids"])
    kept = {name: str(value) for name, value in asked.items()}
    return joined(word for _name, word in conditions(kept, scopes, HIDDEN))


def ticked(number: int | str) -> str:
    """That so many rows were chosen one by one."""
    return str(_("ticked in the list: %(number)s", number=number))


def joined(said: Iterable[str]) -> str:
    """What narrows the choice, in one line; that nothing does, where nothing does."""
    return " · ".join(said) or str(EVERYTHING)
