"""One notification: what a push or a LINE message leads to, and the way from it to its subject."""

from flask import abort, redirect, render_template, request, url_for
from flask_login import current_user
from werkzeug.wrappers import Response

from app.extensions import DATABASE_FAULTS, csrf
from app.i18n import language
from app.inbox import queries
from app.inbox.marks import mark_read
from app.inbox.queries import Item
from app.transaction import writing
from app.web import unsaved
from app.web.cursors import BIGGEST_ID
from app.web.guards import GUESTS_TOO, Pages
from app.web.htmx import wants_part
from app.web.same_origin import from_our_service_worker

Answer = Response | str | tuple[str, int]

ADDRESS = f"/notifications/<int(min=1, max={BIGGEST_ID}):notification_id>"

pages = Pages("notification", open_to=GUESTS_TOO)


@pages.get(ADDRESS)
def show(notification_id: int) -> Answer:
    """The notification. Changes nothing: browsers fetch links before anybody follows them."""
    item = _find(notification_id)
    return render_template("inbox/show.html", item=item) if item else _gone()


@pages.post(f"{ADDRESS}/open")
def open_it(notification_id: int) -> Answer:
    """Note that it was read, and only then go to its subject, whose page asks for the rights again."""
    try:
        _note_read(notification_id)
    except DATABASE_FAULTS:
        return unsaved.answer(request.path, opening=True)
    item = _find(notification_id)
    if item is None:
        return _gone()
    return _go(item.path or url_for("notification.show", notification_id=item.id))


@pages.post(f"{ADDRESS}/read")
def read(notification_id: int) -> Answer:
    """For the service worker, which knows no token: it must show by its headers that the request is from our site.

    The answer is the same whether there is such a notification or not.
    """
    if not from_our_service_worker():
        abort(403)
    try:
        _note_read(notification_id)
    except DATABASE_FAULTS:
        return unsaved.answer(request.path)
    return "", 204


csrf.exempt(read)


@pages.get(f"{ADDRESS}/go")
def go(notification_id: int) -> Answer:
    """On to the subject; changes nothing."""
    item = _find(notification_id)
    if item is None:
        return _gone()
    return redirect(item.path or url_for("notification.show", notification_id=item.id))


def _note_read(notification_id: int) -> None:
    with writing() as tx:
        mark_read(tx, current_user.id, [notification_id])


def _find(notification_id: int) -> Item | None:
    return queries.find(current_user.reader, notification_id, language())


def _go(path: str) -> Answer:
    return Response(status=204, headers={"HX-Redirect": path}) if wants_part() else redirect(path, 303)


def _gone() -> tuple[str, int]:
    # Whether it never was, was deleted, or is no longer this reader's, is nobody's business.
    return render_template("inbox/_gone.html" if wants_part() else "inbox/gone.html"), 404
