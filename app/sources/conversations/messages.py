"""The words of notifications: what they say in the inbox, and the little that is said outside it."""

from dataclasses import dataclass

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from app.kinds import Description
from app.names import called

INQUIRY_MESSAGE = _l("There is a new message in an inquiry")
INQUIRY_ANSWER = _l("A store has answered your inquiry")
CONVERSATION_MESSAGE = _l("You have a new message")
"""What may be read over somebody's shoulder: neither who, nor where, nor what."""


@dataclass(frozen=True, slots=True)
class Said:
    """A message of an inquiry."""

    id: int
    inquiry_id: int
    store: str
    subject: str
    author: str
    text: str


def to_store(said: Said) -> Description:
    """What the store's people read."""
    return _description(_("%(subject)s (%(store)s)", subject=said.subject, store=said.store), said)


def to_askers(said: Said) -> Description:
    """What the askers read."""
    return _description(_("%(store)s has answered: %(subject)s", store=said.store, subject=said.subject), said)


def to_members(author: str, text: str, link: str) -> Description:
    """A message to the other members."""
    return Description(_("Message from %(name)s", name=author), text, link)


def _description(title: str, said: Said) -> Description:
    body = _("%(name)s: %(text)s", name=called(said.author), text=said.text)
    return Description(title, body, f"/inquiries/{said.inquiry_id}#message-{said.id}")
