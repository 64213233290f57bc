"""The words of pages for the categories that a person chooses channels for."""

from dataclasses import dataclass

from flask_babel import LazyString
from flask_babel import lazy_gettext as _l


@dataclass(frozen=True, slots=True)
class CategoryWords:
    """A category of notifications, as a person chooses where it goes: its name, and what belongs to it."""

    name: LazyString
    holds: LazyString


CATEGORIES: dict[str, CategoryWords] = {
    "reports": CategoryWords(
        _l("Fault reports"), _l("A report is opened in your store; somebody reacts to yours, or it is resolved.")
    ),
    "inquiries": CategoryWords(
        _l("Inquiries"), _l("An inquiry to your store, an answer to one of yours, or a mention of you.")
    ),
    "conversations": CategoryWords(_l("Conversations"), _l("A message in one of your conversations.")),
    "store_guidance": CategoryWords(_l("Setting up a store"), _l("What is left to do until your store is complete.")),
    "announcements": CategoryWords(
        _l("Announcements"), _l("Something is announced to everybody, or to people like you.")
    ),
    "prices": CategoryWords(
        _l("Prices"), _l("Something that you watch is as cheap as you wish, or back in stock; or its page changed.")
    ),
    "alerts": CategoryWords(_l("Alerts"), _l("Something is wrong with the deliveries, or is right again.")),
}
