"""The front door: each reader is shown to the place where their work begins."""

from flask import redirect, url_for
from flask_login import current_user
from werkzeug.wrappers import Response

from app.accounts.models import Role
from app.web.guards import GUESTS_TOO, Pages

FIRST = {
    Role.ADMIN: "overview.show", Role.STAFF: "shifts.index", Role.MEMBER: "inbox.index", Role.GUEST: "watches.index",
}  # fmt: skip

pages = Pages("home", open_to=GUESTS_TOO)


@pages.get("/")
def show() -> Response:
    """Administrators see how everything stands, staff the shifts, members their inbox, guests what they watch."""
    return redirect(url_for(FIRST[current_user.role]))
