"""The language switch, on every page."""

from flask import abort, redirect, request, url_for
from flask_login import current_user
from werkzeug.wrappers import Response

from app.config import LANGUAGES
from app.i18n import COOKIE
from app.operations.people import set_language
from app.transaction import writing
from app.web.cookies import keep
from app.web.guards import EVERYONE, Pages
from app.web.places import own_path

pages = Pages("language", open_to=EVERYONE)


@pages.post("/language")
def choose() -> Response:
    """Keep the language, for this browser and for whoever is signed in on it, and go back."""
    wanted = request.form.get("language")
    if wanted not in LANGUAGES:
        abort(400)
    if current_user.is_authenticated:
        with writing() as tx:
            set_language(tx, current_user.actor, current_user.id, wanted)
    return keep(redirect(own_path(request.form.get("next"), url_for("home.show")), 303), COOKIE, wanted)
