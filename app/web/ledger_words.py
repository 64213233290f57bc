"""The words of the pages for what people do to deliveries and gates, and for what that does."""

from flask_babel import LazyString
from flask_babel import lazy_gettext as _l

ACTS_DONE: dict[str, LazyString] = {
    "retry": _l("retried"),
    "rotate_key": _l("rotated the key and retried"),
    "cancel": _l("canceled"),
}

GATE_ACTS_DONE: dict[str, LazyString] = {
    "pause_gate": _l("paused"),
    "resume_gate": _l("resumed"),
}

BULK_ACTS_DONE: dict[str, LazyString] = {
    "begin_bulk_retry": _l("began to retry many"),
    "stop_bulk_retry": _l("stopped"),
}

ADDRESSEES: dict[str, LazyString] = {
    "line_link": _l("a person"),
    "line_group": _l("a LINE group"),
    "device": _l("a person's device"),
}
"""What stands for whoever it goes to, on the page of somebody who may not know."""

ACTS: dict[str, LazyString] = {
    "retry": _l("Retry with a new key"),
    "rotate_key": _l("Retry with a new key"),
    "cancel": _l("Cancel the delivery"),
}

QUESTIONS: dict[str, LazyString] = {
    "retry": _l("Retry with a new key?"),
    "rotate_key": _l("Retry with a new key?"),
    "cancel": _l("Cancel this delivery?"),
}

FIRST_TIME = _l("Retry sends it for the first time.")
SAME_KEY = _l("Retry repeats the same key, so LINE delivers it at most once.")
NEW_KEY = _l("Retry goes out with a new key: LINE has forgotten the old one.")
NOTHING_ARRIVED = _l("No push of it has arrived so far; Retry sends one.")
TAKES_ITS_PLACE = _l("An earlier push may have arrived. Retry sends another, which takes its place on the screen.")
"""What Retry does: with a retry key, and on a channel that has none."""

SUBJECTS: dict[str, LazyString] = {
    "shift": _l("Shift"),
    "publication": _l("Publication"),
    "announcement": _l("Announcement"),
    "report": _l("Fault report"),
    "reaction": _l("Reaction to a fault report"),
    "inquiry_message": _l("Message in an inquiry"),
    "conversation_message": _l("Message in a conversation"),
    "store": _l("Store"),
    "price_finding": _l("Price watch"),
    "price_item": _l("Page of a shop"),
    "alert": _l("Alert"),
    "invitation": _l("Sign-in link"),
    "device": _l("Device"),
}
"""What deliveries are about."""
