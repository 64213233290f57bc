"""The words of the pages for what is watched, how that stands, and why nothing was read."""

from enum import StrEnum

from flask_babel import LazyString
from flask_babel import lazy_gettext as _l

from app.codes import CancelReason, FailureCode
from app.sources.prices.models import Trigger
from app.sources.prices.preview import Silence


class Standing(StrEnum):
    """How a watch stands."""

    WAITING = "waiting"
    TOLD = "told"
    OUT_OF_STOCK = "out_of_stock"
    UNREAD = "unread"
    UNREADABLE = "unreadable"
    SILENT = "silent"
    PAUSED = "paused"


STANDINGS: dict[Standing, LazyString] = {
    Standing.WAITING: _l("Watching"),
    Standing.TOLD: _l("Told, and still so"),
    Standing.OUT_OF_STOCK: _l("Out of stock"),
    Standing.UNREAD: _l("Not read yet"),
    Standing.UNREADABLE: _l("Cannot be read"),
    Standing.SILENT: _l("Gives no answer"),
    Standing.PAUSED: _l("Paused"),
}

SHAPES: dict[Standing, str] = {
    Standing.WAITING: "watches",
    Standing.TOLD: "sent",
    Standing.OUT_OF_STOCK: "canceled",
    Standing.UNREAD: "pending",
    Standing.UNREADABLE: "unsure",
    Standing.SILENT: "unsure",
    Standing.PAUSED: "paused",
}
"""By which icon, and in which colour, each is known."""

TRIGGERS: dict[Trigger, LazyString] = {
    Trigger.BELOW_TARGET: _l("It costs at most …"),
    Trigger.PERCENT_DROP: _l("It costs … percent less than now"),
    Trigger.BACK_IN_STOCK: _l("It is back in stock"),
}
PERCENT_DROP_UNREAD = _l("It costs … percent less than the first price that is read")
"""The same where there is no price now."""

SILENCES: dict[Silence, LazyString] = {
    Silence.SLOW: _l("The shop gave no answer just now. You can watch the page all the same: "
                     "it is read as soon as the shop answers."),
    Silence.NOT_ITS_TURN: _l("A shop is asked for one page at a time, and it is not this one's turn yet. "
                             "Read it again in a moment, or watch the page all the same: "
                             "it is read as soon as its turn comes."),
    Silence.BUSY: _l("The shop wishes to be asked later. You can watch the page all the same: "
                     "it is read as soon as its turn comes."),
}  # fmt: skip

_NOT_THERE = _l("This device gets no notifications any more.")
NOT_SENT: dict[str | None, LazyString] = {
    CancelReason.CONDITION_LOST: _l(
        "Right before sending, what you wait for was no longer so, or you knew it already."
    ),
    CancelReason.OUT_OF_STOCK: _l("Right before sending, the shop had it no more."),
    CancelReason.LISTING_PAUSED: _l("You paused the watch before it could be sent."),
    CancelReason.PREFERENCE_OFF: _l("You had switched it off in your notification settings."),
    CancelReason.LINE_DISABLED: _l("LINE was no longer linked, or had been switched off or blocked."),
    CancelReason.DEVICE_REMOVED: _NOT_THERE,
    CancelReason.DEVICE_MOVED: _NOT_THERE,
    CancelReason.DEVICE_GONE: _NOT_THERE,
    CancelReason.EXPIRED: _l("It could not be sent in time."),
}
NOT_SENT_SOMEHOW = _l("It was not sent.")
"""Why something was rightly not sent, said to whoever watches."""

_NO_ANSWER = _l("The shop could not be asked right before sending.")
FAILED: dict[str | None, LazyString] = {
    FailureCode.REFETCH_RATE_LIMITED: _NO_ANSWER,
    FailureCode.REFETCH_UNREACHABLE: _NO_ANSWER,
    FailureCode.REFETCH_UNREADABLE: _l("The shop's page could not be read right before sending."),
}
FAILED_SOMEHOW = _l("It could not be delivered, or it is not certain whether it was.")
"""What the last try met, said to whoever watches. What there is to mend is for an operator."""
