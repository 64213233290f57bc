"""The words of the pages for what is watched, how that stands, and why nothing was read."""

from enum import StrEnum

from flask_babel import LazyString
from flask_babel import lazy_gettext as _l

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
    Trigger.BELOW_TARGET: _l("It costs so much, or less"),
    Trigger.PERCENT_DROP: _l("It costs so many percent less than now"),
    Trigger.BACK_IN_STOCK: _l("It is back in stock"),
}

SILENCES: dict[Silence, LazyString] = {
    Silence.SLOW: _l("The shop gave no answer just now. You can watch the page all the same: "
                     "it is read as soon as the shop answers."),
    Silence.BUSY: _l("The shop wishes to be asked later. You can watch the page all the same: "
                     "it is read as soon as its turn comes."),
}  # fmt: skip
