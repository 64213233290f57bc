"""The front door: each reader is shown to the first place that is theirs."""

from flask import redirect, url_for
from flask_login import current_user
from werkzeug.wrappers import Response

from app.accounts.models import Role
from app.web.guards import SIGNED_IN, Pages
from app.web.template_context import places

pages = Pages("home", open_to=SIGNED_IN)


@pages.get("/")
def show() -> Response:
    """Members go to their inbox, who works here to the first place of the navigation."""
    first = "inbox.index" if current_user.role is Role.MEMBER else places()[0].endpoint
    return redirect(url_for(first))
