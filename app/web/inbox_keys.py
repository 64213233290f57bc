"""Whether single keys act in the inbox, as this browser has it: who dictates or is clumsy switches them off."""

from flask import abort, redirect, request, url_for
from werkzeug.wrappers import Response

from app.web.cookies import keep
from app.web.guards import GUESTS_TOO, Pages

COOKIE = "inbox_keys"
CHOICES = ("on", "off")

pages = Pages("inbox_keys", open_to=GUESTS_TOO)


@pages.post("/inbox/keys")
def choose() -> Response:
    """Keep the choice for this browser and go back to the inbox."""
    wanted = request.form.get("keys")
    if wanted not in CHOICES:
        abort(400)
    return keep(redirect(url_for("inbox.index", _anchor="keys"), 303), COOKIE, wanted)


def on() -> bool:
    """Whether the keys act; they do until somebody switches them off."""
    return request.cookies.get(COOKIE) != "off"
