"""The front door: each reader is shown to the first place that is theirs."""

from flask import redirect, render_template, url_for
from werkzeug.wrappers import Response

from app.web.guards import SIGNED_IN, Pages
from app.web.template_context import places

pages = Pages("home", open_to=SIGNED_IN)


@pages.get("/")
def show() -> Response | str:
    """Go to the first place of the navigation; who has none learns how Todoke reaches them."""
    theirs = places()
    return redirect(url_for(theirs[0].endpoint)) if theirs else render_template("home/show.html")
