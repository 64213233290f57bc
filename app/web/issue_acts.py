"""Saying of failures that are alike how they stand: seen to, resolved, of no interest, or open after all."""

from flask import abort, flash, redirect, request, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app.operations import issues
from app.operations.issues import MovedOnError, Standing
from app.transaction import writing
from app.web import overview, words
from app.web.delivery_rows import reason_of
from app.web.guards import ADMINS, Pages

pages = Pages("issue_acts", open_to=ADMINS)


@pages.get("/issues/mark")
def look() -> Response:
    """Where somebody goes who reloads the answer to a mark, or signs in again after it."""
    return redirect(url_for("overview.show", _anchor="issues"))


@pages.post("/issues/mark")
def mark() -> Response | tuple[str, int]:
    """Mark one, for whoever saw how it stood."""
    channel, code = request.form.get("channel", ""), request.form.get("code", "")
    standing = _standing("standing")
    try:
        with writing() as tx:
            issues.mark(tx, current_user.actor, channel, code, standing, _standing("seen"))
    except MovedOnError:
        return overview.page(
            _("Nothing was done: it has moved on since you looked at it. This is how it stands now.")
        ), 409
    flash(_told(channel, code, standing))
    return redirect(url_for("overview.show", _anchor="issues"), 303)


def _told(channel: str, code: str, standing: Standing) -> str:
    reason = reason_of(code)
    said = {"channel": words.CHANNELS.get(channel, channel), "cause": reason.cause if reason else code}
    return str(_("%(standing)s. %(channel)s: %(cause)s", standing=words.ISSUE_STANDINGS[standing], **said))


def _standing(field: str) -> Standing:
    given = request.form.get(field, "")
    return Standing(given) if given in list(Standing) else abort(400)
