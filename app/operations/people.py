"""What may be set for an account that is reached: its language, and which LINE user it is."""

from flask_babel import gettext as _
from sqlalchemy import select, update

from app import audit
from app.accounts.guests import demand_named
from app.accounts.known import SUBJECT, hold
from app.accounts.models import Account
from app.audit import Actor
from app.config import LANGUAGES
from app.faults import Fault, InvalidInput
from app.operations.recipients import wake_for_reach
from app.reach.devices import speak
from app.reach.link import link_line
from app.reach.models import LINE_USER_ID, LineLink
from app.transaction import Transaction


def set_language(tx: Transaction, actor: Actor, account_id: int, language: str) -> None:
    """The language of pages, messages and pushes. Raises InvalidInput, NoSuchAccountError."""
    if language not in LANGUAGES:
        raise InvalidInput(Fault("language", _("Choose one of: %(choices)s.", choices=", ".join(LANGUAGES))))
    if hold(tx, account_id).language != language:
        tx.session.execute(update(Account).where(Account.id == account_id).values(language=language))
        speak(tx, account_id, language)
        audit.note(tx, actor, "set_language", (SUBJECT, account_id), {"language": language})


def set_line_user(tx: Transaction, actor: Actor, account_id: int, line_user_id: str) -> None:
    """Link the account to a LINE user, or to another one; the link keeps being on or off.

    What waits goes to the new one, unless the old one may have got it already: then its recheck ends it.
    Raises InvalidInput for a malformed id, one that is linked elsewhere and a guest, NoSuchAccountError.
    """
    line_user_id = line_user_id.strip()
    demand_named(hold(tx, account_id).role)
    tx.lock(LineLink)  # a LINE user whom somebody else is linking right now is linked
    link = tx.session.scalar(select(LineLink).where(LineLink.account_id == account_id))
    if link is None:
        link_line(tx, account_id, line_user_id)
        wake_for_reach(tx)
    else:
        _check(tx, link.id, line_user_id)
        tx.session.execute(update(LineLink).where(LineLink.id == link.id).values(line_user_id=line_user_id))
    audit.note(tx, actor, "link_line" if link is None else "relink_line", (SUBJECT, account_id))


def _check(tx: Transaction, link_id: int, line_user_id: str) -> None:
    if not LINE_USER_ID.fullmatch(line_user_id):
        raise InvalidInput(Fault("line_user_id", _("Enter a LINE user id: U and 32 digits or letters a to f.")))
    others = (LineLink.line_user_id == line_user_id) & (LineLink.id != link_id)
    if tx.session.scalar(select(LineLink.id).where(others)) is not None:
        raise InvalidInput(Fault("line_user_id", _("This LINE user is linked to another account.")))
