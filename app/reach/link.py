"""Linking an account to a LINE user."""

from flask_babel import gettext as _

from app.clock import now
from app.faults import Fault, InvalidInput
from app.reach.models import LINE_USER_ID, LineLink
from app.transaction import Transaction


def link_line(tx: Transaction, account_id: int, line_user_id: str) -> int:
    """Link them and return the link's id. Raises InvalidInput for a malformed id or one linked elsewhere."""
    if not LINE_USER_ID.fullmatch(line_user_id):
        expected = _("Enter a LINE user id: U and 32 digits or letters a to f.")
        raise InvalidInput(Fault("line_user_id", expected))
    made = tx.session.scalar(
        tx.insert(LineLink)
        .values(account_id=account_id, line_user_id=line_user_id, enabled=True, created_at=now())
        .on_conflict_do_nothing()
        .returning(LineLink.id)
    )
    if made is None:
        raise InvalidInput(Fault("line_user_id", _("This LINE user is linked to another account.")))
    return int(made)
