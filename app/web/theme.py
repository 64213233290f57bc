"""Light, dark, or as the device has it."""

from flask import abort, redirect, request, url_for
from werkzeug.wrappers import Response

from app.web.cookies import keep
from app.web.guards import EVERYONE, Pages
from app.web.places import own_path

COOKIE = "theme"
CHOICES = ("auto", "light", "dark")

pages = Pages("theme", open_to=EVERYONE)


@pages.post("/theme")
def choose() -> Response:
    """Keep the theme for this browser and go back."""
    wanted = request.form.get("theme")
    if wanted not in CHOICES:
        abort(400)
    return keep(redirect(own_path(request.form.get("next"), url_for("home.show")), 303), COOKIE, wanted)


def chosen() -> str:
    """The theme of this browser."""
    kept = request.cookies.get(COOKIE, "")
    return kept if kept in CHOICES else CHOICES[0]
