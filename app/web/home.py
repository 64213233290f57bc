"""The front door: each reader is shown to the first place that is theirs."""

from flask import redirect, url_for
from werkzeug.wrappers import Response

from app.web.guards import SIGNED_IN, Pages
from app.web.template_context import places

pages = Pages("home", open_to=SIGNED_IN)


@pages.get("/")
def show() -> Response:
    """Go to the first place of the navigation; everybody has at least their settings."""
    return redirect(url_for(places()[0].endpoint))
