"""Every failure code and cancel reason with its sentences: the page that codes link to."""

from flask import render_template

from app.codes import CANCELLATIONS, FAILURES
from app.web.guards import STAFF, Pages

pages = Pages("codes", open_to=STAFF)


@pages.get("/help/codes")
def index() -> str:
    """All of them, made from the table that the rest of the product speaks from."""
    return render_template("codes/index.html", failures=FAILURES, cancellations=CANCELLATIONS)
